import { describe, expect, test } from 'vitest';
import { makefileObjection } from '../../src/core/makefile.ts';

const START = `PY ?= python3
FLAGS = -q
SRC = a.c b.c

.PHONY: all test

all: app

app: $(SRC)
	cc -o app $(SRC)

test: app  # all of them
	$(PY) -m pytest $(FLAGS) \\
	  tests
`;

describe('an edit of a makefile that adds to the work is none of what judges', () => {
  test.each([
    ['a target', `${START}\nclean:\n\trm -f app\n`],
    ['a file in a list', START.replace('a.c b.c', 'a.c b.c c.c')],
    ['a flag of the build', START.replace('cc -o', 'cc -O2 -o')],
    ['a need of the tests', START.replace('test: app', 'test: app data')],
    ['a comment', START.replace('# all of them', '# every one')],
  ])('%s', (_, agents) => {
    expect(makefileObjection(START, agents)).toBeUndefined();
  });
});

describe('what judges is the start’s', () => {
  test.each([
    ['its recipe', START.replace('\t$(PY)', '\t-$(PY)')],
    ['a second recipe', `${START}\ntest:\n\ttrue\n`],
    ['a variable that it uses', START.replace('FLAGS = -q', 'FLAGS = --co')],
    ['the same, written again', `${START}\nPY = true\n`],
    ['one for that target alone', `${START}\ntest: PY = true\n`],
    ['a need that is gone', START.replace('test: app', 'test:')],
    ['its name', START.replace('test: app', 'tests: app')],
    ['the shell', `SHELL = /bin/true\n${START}`],
    ['errors that are passed over', `${START}\n.IGNORE:\n`],
    ['an included file', `${START}\n-include x.mk\n`],
    ['an exported variable', `export PYTEST_ADDOPTS = --co\n${START}`],
    ['the first target', `hello:\n\ttrue\n${START}`],
    ['all of it', ''],
  ])('%s', (_, agents) => {
    expect(makefileObjection(START, agents)).toContain('start');
  });
});
