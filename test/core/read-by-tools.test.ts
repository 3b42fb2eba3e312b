import { describe, expect, test } from 'vitest';
import { type Edits, type Files, notTaken, play, redByCode } from './accept-play.ts';

const SUITE: Files = {
  'calc.py': '',
  'tests/test_calc.py': 'from calc import add\n\n\ndef test_adds():\n    assert add(1, 2) == 3\n',
};
const HOOK = 'def pytest_pyfunc_call(pyfuncitem):\n    return True\n';

type Plugin = [title: string, files: Files, path: string, command?: string];
const PLUGINS: readonly Plugin[] = [
  ['addopts of an ini file', { 'pytest.ini': '[pytest]\naddopts = -q -p slow_marks\n' }, 'slow_marks.py'],
  ['addopts without a space', { 'setup.cfg': '[tool:pytest]\naddopts = -pslow_marks\n' }, 'slow_marks.py'],
  [
    'addopts over two lines',
    { 'tox.ini': '[pytest]\naddopts =\n    -q\n    -p lab.marks\n' },
    'lab/marks.py',
  ],
  [
    'a list in TOML',
    { 'pyproject.toml': '[tool.pytest.ini_options]\naddopts = [\n  "-q",\n  "-p", "lab.marks",\n]\n' },
    'src/lab/marks.py',
  ],
  ['a package', { 'pytest.ini': '[pytest]\naddopts = -p lab\n' }, 'lab/__init__.py'],
  ['a conftest', { 'conftest.py': 'pytest_plugins = ["lab.marks"]\n' }, 'lab/marks.py'],
  ['the command of the check', {}, 'lab/marks.py', 'python3 -m pytest -q -p lab.marks'],
  ['a variable of the command', {}, 'marks.py', 'PYTEST_PLUGINS=marks pytest -q'],
  [
    'a script that the check runs',
    { 'package.json': '{"scripts":{"test":"pytest -p marks"}}' },
    'marks.py',
    'npm test',
  ],
];

describe('a plug-in of the project is the start’s where pytest loads it by', () => {
  test.each<Plugin>(PLUGINS)('%s', (_, files, path, command = 'python3 -m pytest -q') => {
    const start = { ...SUITE, ...files, [path]: 'import pytest\n' };
    const edits = { [path]: HOOK };
    const accepted = play(start, edits, { baseline: [redByCode(command)] });
    expect(notTaken(accepted, edits)).toEqual([path]);
    expect(accepted.keptOut[0]?.because).toMatch(/^pytest loads it as a plug-in, since .+ names it$/);
  });

  test.each<[title: string, files: Files, path: string]>([
    ['nothing names it', {}, 'marks.py'],
    ['it is switched off', { 'pytest.ini': '[pytest]\naddopts = -p no:marks\n' }, 'marks.py'],
    [
      'the project is that plug-in',
      {
        'pyproject.toml':
          '[project.entry-points.pytest11]\nmarks = "marks.plugin"\n\n[tool.pytest.ini_options]\naddopts = "-p marks.plugin"\n',
      },
      'marks/plugin.py',
    ],
  ])('and it is the agent’s where %s', (_, files, path) => {
    const edits = { [path]: HOOK };
    const accepted = play({ ...SUITE, ...files, [path]: 'import pytest\n' }, edits, {
      baseline: [redByCode('python3 -m pytest -q')],
    });
    expect(notTaken(accepted, edits)).toEqual([]);
  });
});

describe('a parent that Maven would look for', () => {
  const pom = (parent: string) =>
    `<project>\n<parent><artifactId>p</artifactId>${parent}</parent>\n</project>\n`;
  test.each<[title: string, files: Files, path: string, kept: boolean]>([
    ['above a module', { 'app/pom.xml': pom('') }, 'pom.xml', true],
    [
      'where the module says',
      { 'app/pom.xml': pom('<relativePath>../build</relativePath>') },
      'build/pom.xml',
      true,
    ],
    ['nowhere', { 'app/pom.xml': pom('<relativePath/>') }, 'pom.xml', false],
  ])('%s', (_, files, path, kept) => {
    const edits = { [path]: '<project/>\n' };
    expect(notTaken(play({ ...files, 'app/src/A.java': '' }, edits), edits)).toEqual(kept ? [path] : []);
  });
});

describe('spellings that some file system takes for one', () => {
  test.each([
    'tests/Conftest.py',
    'tests/CONFTEST.PY',
    'PyTest.ini',
    'tests/conftest.py.',
    'tests/conf\u200dtest.py',
    'conftest.py::$DATA',
    'SiteCustomize.py',
    'PYPROJECT.toml',
  ])('%s is one of its family', (path) => {
    const edits = { [path]: '[tool.pytest.ini_options]\naddopts = "--co"\n' };
    expect(notTaken(play(SUITE, edits), edits)).toEqual([path]);
  });

  test('a name in another case does not come to lie over a file that stays', () => {
    const edits: Edits = { 'tests/test_calc.py': null, 'tests/Test_Calc.py': 'def test_adds():\n    pass\n' };
    expect(notTaken(play(SUITE, edits), edits)).toEqual(['tests/Test_Calc.py', 'tests/test_calc.py']);
  });

  test('and one that was renamed for good is renamed', () => {
    const edits: Edits = { 'Readme.md': null, 'README.md': 'x' };
    expect(notTaken(play({ ...SUITE, 'Readme.md': 'x' }, edits), edits)).toEqual([]);
  });

  test('allow lets in the path that it names, and no other spelling', () => {
    const files = { ...SUITE, Makefile: 'check:\n\tpytest\n' };
    const edits = { Makefile: 'check:\n\ttrue\n', makefile: 'check:\n\ttrue\n' };
    const accepted = play(files, edits, { allow: ['Makefile'], baseline: [redByCode('make check')] });
    expect(notTaken(accepted, edits)).toEqual(['makefile']);
  });
});
