import { describe, expect, test } from 'vitest';
import { type Edits, type Files, notTaken, play, redByCode, redIn } from './accept-play.ts';

const PY: Files = {
  'prices.py': 'RATE = 2\n\n\ndef net(gross):\n    return gross\n',
  'app.py': 'import tools\n',
  'tools.py': '',
  'lab/test_prices.py': 'import prices\n\n\ndef test_net():\n    assert prices.net(3) == 1\n',
};
const JS: Files = {
  'lib/prices.js': 'exports.net = (gross) => gross;\n',
  'test/prices.js':
    "const { net } = require('../lib/prices.js');\nit('net', () => assert.equal(net(3), 1));\n",
};

function doubts(files: Files, edits: Edits, allow: readonly string[] = []) {
  const baseline = [redIn(files === JS ? 'test/prices.js' : 'lab/test_prices.py')];
  return play(files, edits, { baseline, allow }).doubts.map(({ because }) => because);
}

describe('what runs beside tests may not put something else in the place of what they test', () => {
  test.each<[title: string, files: Files, path: string, text: string]>([
    ['in a new test', PY, 'lab/test_a.py', 'import prices\n\nprices.net = lambda gross: 1\n'],
    [
      'in its body',
      PY,
      'lab/test_a.py',
      'import prices as p\n\ndef test_a():\n    p.net = lambda gross: 1\n',
    ],
    ['in a package file', PY, 'lab/__init__.py', 'import prices\nsetattr(prices, "net", abs)\n'],
    ['by its code', PY, 'lab/test_a.py', 'import prices\nprices.net.__code__ = (lambda gross: 1).__code__\n'],
    ['by a call', PY, 'lab/more.py', '__import__("prices").net = abs\n'],
    ['by the table of modules', PY, 'lab/more.py', 'import sys\nsys.modules["prices"] = object()\n'],
    ['in JavaScript', JS, 'test/a.js', "const p = require('../lib/prices.js');\np.net = () => 1;\n"],
    ['in one line', JS, 'test/a.js', "require('../lib/prices.js').net = () => 1;\n"],
  ])('%s', (_, files, path, text) => {
    expect(doubts(files, { [path]: text })).toEqual([expect.stringContaining(`${path} puts something else`)]);
    expect(doubts(files, { [path]: text }, [path])).toEqual([]);
  });

  test.each<[title: string, files: Files, path: string, text: string]>([
    [
      'put back',
      PY,
      'lab/test_a.py',
      'import prices\nold = prices.net\nprices.net = abs\nprices.net = old\n',
    ],
    [
      'by monkeypatch',
      PY,
      'lab/test_a.py',
      'import prices\n\ndef test_a(monkeypatch):\n    monkeypatch.setattr(prices, "net", abs)\n',
    ],
    ['a setting', PY, 'lab/test_a.py', 'import prices\nprices.RATE = 3\n'],
    [
      'an attribute of something else',
      PY,
      'lab/test_a.py',
      'import os\n\nclass A:\n    def f(self):\n        self.net = 1\n',
    ],
    [
      'a comparison, a text',
      PY,
      'lab/test_a.py',
      'import prices\nassert prices.net == abs\n"prices.net = 1"\n',
    ],
    ['the program itself', PY, 'tools.py', 'import prices\n\nprices.net = abs\n'],
    ['another module in JavaScript', JS, 'test/a.js', "const p = require('node:fs');\np.net = () => 1;\n"],
  ])('and this is none: %s', (_, files, path, text) => {
    expect(doubts(files, { [path]: text })).toEqual([]);
  });
});

describe('a script that a check runs by its exit code', () => {
  const SCRIPTS: Files = {
    'prices.py': '',
    'tools/ok.py': 'from prices import net\n\nassert net(3) == 1\n',
    'go.sh': 'set -e\ntest "$(python3 -m prices 3)" = 1\necho done\n',
    'run.js': "if (!ready) throw new Error('not yet');\n",
    'build.sh': 'if [ -d dist ]; then rm -r dist; fi\ncp -r src dist\n',
  };
  const taken = (edits: Edits, check: string) =>
    notTaken(play(SCRIPTS, edits, { baseline: [redByCode(check)] }), edits);

  test.each<[path: string, text: string, check: string]>([
    ['tools/ok.py', 'print("fine")\n', 'python3 tools/ok.py'],
    ['tools/ok.py', 'from prices import net\n\nassert net(3) == 3\n', 'PYTHONPATH=. python3 tools/ok.py'],
    ['go.sh', 'exit 0\n', 'sh ./go.sh'],
    ['go.sh', 'set -e\ntest "$(echo 1)" = 1\n', 'bash go.sh && true'],
  ])('is the start’s where it asserts something else: %s', (path, text, check) => {
    expect(taken({ [path]: text }, check)).toEqual([path]);
  });

  test.each<[path: string, text: string, check: string]>([
    ['tools/ok.py', 'print("fine")\n', 'python3 -m prices'],
    ['tools/ok.py', 'import sys\nfrom prices import net\n\nassert net(3) == 1\n', 'python3 tools/ok.py'],
    ['go.sh', 'set -eu\ntest "$(python3 -m prices 3)" = 1\n', 'sh go.sh'],
    ['run.js', 'console.log(1);\n', 'node run.js'],
    ['build.sh', 'cp -r src dist\n', 'sh build.sh && test -f dist/a'],
  ])('and is the agent’s where it asserts the same, or is the program: %s', (path, text, check) => {
    expect(taken({ [path]: text }, check)).toEqual([]);
  });
});
