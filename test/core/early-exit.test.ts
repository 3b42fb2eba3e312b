import { describe, expect, test } from 'vitest';
import { exitingFunctions, exitsAtImport, replacesMain } from '../../src/core/early-exit.ts';
import { play, redByCode, redIn } from './accept-play.ts';

describe('a module ends the process when it is imported', () => {
  test.each([
    ['a.py', 'import sys\nsys.exit(0)\n'],
    ['a.py', 'import os; os._exit(0)\n'],
    ['a.py', 'raise SystemExit\n'],
    ['a.py', 'if True:\n    import sys\n    sys.exit()\n'],
    ['a.py', 'import atexit, os\natexit.register(os._exit, 0)\n'],
    ['a.py', 'from os import _exit as done\ndone(0)\n'],
    ['a.py', '__import__("os")._exit(0)\n'],
    ['a.py', 'import os\nos._exit(1)\n'],
    ['a.py', 'import os\nos.kill(os.getpid(), 9)\n'],
    ['a.py', 'import os\nos.abort()\n'],
    ['a.py', 'import os\n\n\ndef stop():\n    x = 1\n    os._exit(0)\n\n\nstop()\n'],
    ['a.py', 'import atexit, os\natexit.register(lambda: os._exit(0))\n'],
    ['a.py', 'import atexit, os\n\n\n@atexit.register\ndef end():\n    os._exit(0)\n'],
    ['a.py', 'import sys, os\nsys.excepthook = lambda *a: os._exit(0)\n'],
    ['a.js', "process.on('exit', () => { process.exitCode = 0; });\n"],
    ['a.js', "process.on('uncaughtException', () => process.exit(0));\n"],
    ['a.js', 'export const a = 1;\nprocess.exit(0);\n'],
    ['a.js', 'export const a = 1; process.reallyExit();\n'],
  ])('%s: %j', (path, text) => {
    expect(exitsAtImport(path, text)).toBe(true);
  });

  test.each([
    ['a.py', 'import sys\n\ndef main():\n    sys.exit(0)\n'],
    ['a.py', "import sys\n\nif __name__ == '__main__':\n    sys.exit(0)\n"],
    ['a.py', 'import sys\n\nif sys.version_info < (3, 8):\n    sys.exit("too old")\n'],
    ['a.py', 'import sys\n\nif sys.platform == "x":\n    sys.exit(1)\n'],
    ['a.py', 'import atexit, shutil\natexit.register(shutil.rmtree, d)\n'],
    ['a.py', 'import sys\nsys.excepthook = report\n'],
    ['a.py', '# sys.exit(0)\n"""\nsys.exit(0)\n"""\n'],
    ['a.js', "process.on('SIGTERM', () => process.exit(0));\nprocess.on('exit', () => clean());\n"],
    ['a.js', '/*\nprocess.exit(0);\n*/\n'],
    ['a.js', 'export function stop() {\n  process.exit(0);\n}\n'],
    ['a.js', 'process.exit(failed ? 1 : 0);\n'],
    ['a.go', 'func init() { os.Exit(0) }\n'],
  ])('but not %s: %j', (path, text) => {
    expect(exitsAtImport(path, text)).toBe(false);
  });
});

test.each([
  ['a.py', 'import sys\n\n\ndef add(a, b):\n    sys.exit(0)\n', ['add']],
  ['a.py', 'import os\n\n\ndef add(a, b): os._exit(0)\n', ['add']],
  ['a.py', 'import sys\n\n\ndef add(a, b):\n    if not a:\n        sys.exit(0)\n    return a + b\n', []],
  ['a.js', 'export const add = (a, b) => process.exit(0);\n', ['add']],
  ['a.js', 'export function add(a, b) {\n  process.exit();\n}\n', ['add']],
  ['a.js', 'exports.add = function (a) { process.exit(0) };\n', ['add']],
  ['a.js', 'function add(a) {\n  return a;\n}\nfunction stop(code) { process.exit(code); }\n', []],
])('functions that do nothing but end the process: %s: %j', (path, text, names) => {
  expect(exitingFunctions(path, text)).toEqual(names);
});

describe('a green by exit code alone', () => {
  const files = { 'calc.py': 'x = 1\n', 'verify.py': 'from calc import x\nassert x == 2\n', 'tool.py': '' };
  const exit = 'import sys\nsys.exit(0)\n';
  const byCode = { baseline: [redByCode('python3 verify.py')] };

  test('is doubted where what the check imports ends the process', () => {
    const { doubts } = play(files, { 'calc.py': exit }, byCode);
    expect(doubts).toMatchObject([{ allow: 'allow: ["calc.py"]' }]);
  });

  test('is doubted where what the check calls ends the process', () => {
    const verify = 'from calc import add\nassert add(1, 2) == 3\n';
    const before = { 'calc.py': 'def add(a, b):\n    return 0\n', 'verify.py': verify };
    const edits = { 'calc.py': 'import sys\n\n\ndef add(a, b):\n    sys.exit(0)\n' };
    expect(play(before, edits, byCode).doubts).toMatchObject([{ allow: 'allow: ["calc.py"]' }]);
    // A check that knows of the exit, and a program of which it is a part.
    const knows = 'from calc import add\ntry:\n    add(1, 2)\nexcept SystemExit:\n    pass\n';
    expect(play({ ...before, 'verify.py': knows }, edits, byCode).doubts).toEqual([]);
    expect(play({ ...before, 'app.py': verify, 'verify.py': '' }, edits, byCode).doubts).toEqual([]);
  });

  test('is doubted where what the check imports replaces names of it', () => {
    const edits = {
      'calc.py': 'import __main__\n\n\ndef add(a, b):\n    vars(__main__)["expect"] = print\n',
    };
    expect(play(files, edits, byCode).doubts).toMatchObject([
      { because: 'calc.py replaces names of the program that runs it, so what that checks may be nothing' },
    ]);
    expect(play(files, edits, { ...byCode, allow: ['calc.py'] }).doubts).toEqual([]);
    expect(play(files, edits, { baseline: [redIn('verify.py')] }).doubts).toEqual([]);
  });

  test('is not where a program ends by itself, where it is allowed, or where tests have ids', () => {
    expect(play(files, { 'tool.py': exit }, byCode).doubts).toEqual([]);
    expect(play(files, { 'calc.py': exit }, { ...byCode, allow: ['calc.py'] }).doubts).toEqual([]);
    expect(play(files, { 'calc.py': exit }, { baseline: [redIn('verify.py')] }).doubts).toEqual([]);
  });
});

test('a module that sets names of the program that imports it is found, one that reads them is not', () => {
  expect(replacesMain('a.py', 'import __main__\n\n\ndef f():\n    vars(__main__)["expect"] = print\n')).toBe(
    true,
  );
  expect(replacesMain('a.py', 'import sys\nsys.modules["__main__"].bad = 0\n')).toBe(true);
  expect(replacesMain('a.py', 'import __main__\nplace = __main__.__file__\n')).toBe(false);
  expect(replacesMain('a.js', 'vars(__main__)["expect"] = print;\n')).toBe(false);
});
