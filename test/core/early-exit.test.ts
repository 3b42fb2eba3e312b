import { describe, expect, test } from 'vitest';
import { exitingFunctions, exitsAtImport, replacesMain } from '../../src/core/early-exit.ts';
import { suspicionsIn } from '../../src/core/suspicion/scan.ts';
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
    ['a.py', 'import os\nos.execv("/bin/true", ["true"])\n'],
    ['a.py', 'import posix\nposix._exit(0)\n'],
    ['a.py', 'from os import execlp as go\ngo("true", "true")\n'],
    ['a.py', 'import signal\nsignal.raise_signal(15)\n'],
    ['a.py', 'import ctypes\nctypes.CDLL(None)._exit(0)\n'],
    ['a.py', 'import ctypes\nlibc = ctypes.CDLL("libc.so.6")\nlibc.syscall(231, 0)\n'],
    ['a.py', 'import os\ngetattr(os, "_ex" + "it")(0)\n'],
    ['a.py', 'getattr(__import__("o" + "s"), "_exit")(0)\n'],
    ['a.py', 'import sys\nsys.modules["os"]._exit(0)\n'],
    ['a.py', 'import os\nos.__dict__["_exit"](0)\n'],
    ['a.py', 'import os, subprocess\nsubprocess.run(["kill", str(os.getppid())])\n'],
    ['a.py', 'import os\nos.system("kill $PPID")\n'],
    ['a.py', 'import os\n\n\nclass A:\n    os._exit(0)\n'],
    ['a.py', 'import os\nif True:\n    os._exit(1)\n'],
    ['a.py', 'import os\n\n\ndef add(a, b=os._exit(0)):\n    return a\n'],
    ['a.py', 'import os\nif __name__ != "__main__":\n    os._exit(0)\n'],
    [
      'a.py',
      'import atexit, os\n\n\ndef end():\n    os.execv("/bin/true", ["true"])\n\n\natexit.register(end)\n',
    ],
    ['a.py', 'import os\n\n\ndef stop():\n    os.execv("/bin/true", ["true"])\n\n\nx = stop()\n'],
    ['a.js', "process['ex' + 'it'](0);\n"],
    ['a.js', "process['reallyExit'](0);\n"],
    ['a.js', 'if (true) {\n  process.exit(0);\n}\n'],
    ['a.js', '(() => {\n  process.exit(0);\n})();\n'],
    ['a.js', '  process.exit(0)\n'],
    ['a.js', "process.kill(process.pid, 'SIGTERM');\n"],
    ['a.js', 'process.abort();\n'],
    ['a.js', 'globalThis.process.exit(0);\n'],
    ['a.js', "globalThis['process'].reallyExit(0);\n"],
    ['a.js', "require('process').exit(0);\n"],
    ['a.js', "import { exit } from 'node:process';\nexit(0);\n"],
    ['a.js', "import proc from 'node:process';\nproc.exit(0);\n"],
    ['a.js', 'const p = process;\np.exit(0);\n'],
    ['a.js', "Object.defineProperty(process, 'exitCode', { get: () => 0, set() {} });\n"],
    ['a.js', 'setTimeout(() => process.reallyExit(0), 1);\n'],
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
    ['a.py', 'import os\n\n\ndef daemon():\n    if os.fork():\n        os._exit(0)\n'],
    ['a.py', 'import os\n\n\nclass A:\n    def end(self):\n        os.kill(os.getpid(), 15)\n'],
    ['a.py', 'import os\nx = getattr(os, "O_BINARY", 0)\nprint(os.getpid())\n'],
    ['a.py', 'class A:\n    def _exit(self):\n        pass\n\n    def f(self):\n        self._exit()\n'],
    ['a.py', 'from os import execv\n\n\ndef go():\n    if x:\n        execv("a", ["a"])\n'],
    ['a.py', 'import ctypes\nlib = ctypes.CDLL("libm.so.6")\nlib.cos(1)\n'],
    ['a.js', 'const { env } = process;\nexport const a = env.A;\nprocess.exitCode = 1;\n'],
    ['a.js', 'class A {\n  stop() {\n    process.exit(0);\n  }\n}\nprocess.kill(child.pid);\n'],
    ['a.js', 'export const stop = () => process.abort();\nlist.forEach((x) => {\n  process.exit(0);\n});\n'],
    ['a.js', 'if (require.main === module) {\n  process.exit(0);\n}\n'],
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
  ['a.py', 'import os\n\n\ndef add(a, b) -> int:\n    os.execv("/bin/true", ["true"])\n', ['add']],
  ['a.js', 'export const add = (a, b) => process.exit(0);\n', ['add']],
  ['a.js', "export const add = (a, b) => process['reallyExit'](0);\n", ['add']],
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

  test.each<[string, string, Record<string, string>]>([
    ['code in its command', `python3 -c "from calc import x; assert x == 2"`, {}],
    [
      'a makefile',
      'make test',
      { Makefile: `P = python3\ntest: lint\n\t@$(P) -c "import calc; assert calc.x"\nlint:\n` },
    ],
    [
      'a script behind scripts, a makefile and npm',
      'npm test',
      {
        'package.json': '{"scripts":{"test":"true","pretest":"make -C ci verify"}}',
        'ci/Makefile': 'all:\n\ttrue\nverify: a.ok\n%.ok:\n\tcd .. && sh ci/a.sh\n',
        'ci/a.sh': 'set -e\n. ci/b.sh\n',
        'ci/b.sh': `python3 - <<'E'\nfrom calc import x\nassert x == 2\nE\n`,
      },
    ],
  ])('is doubted where %s imports it', (_, command, behind) => {
    const before = { 'calc.py': 'x = 1\n', ...behind };
    const baseline = [redByCode(command)];
    expect(play(before, { 'calc.py': exit }, { baseline }).doubts).toMatchObject([
      { allow: 'allow: ["calc.py"]' },
    ]);
    expect(play(before, { 'calc.py': exit }, { baseline: [redByCode('make other')] }).doubts).toEqual([]);
  });

  test('is doubted where code in a command calls what ends the process', () => {
    const before = {
      'calc.mjs': 'export const add = () => 0;\n',
      Makefile: `t:\n\tnode -e "import('./calc.mjs').then((m) => { if (m.add(1, 2) !== 3) throw 1; })"\n`,
    };
    const edits = { 'calc.mjs': 'export const add = () => process.exit(0);\n' };
    expect(play(before, edits, { baseline: [redByCode('make')] }).doubts).toHaveLength(1);
    expect(play(before, edits, { baseline: [redByCode('true')] }).doubts).toEqual([]);
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

describe('where one cannot tell, the place is named', () => {
  const named = (path: string, text: string) =>
    suspicionsIn({
      changes: [{ path, change: 'added' }],
      agents: () => text,
      start: { paths: [], read: () => undefined },
    });

  test.each([
    ['a.py', 'import os\n\n\ndef add(a, b):\n    if a:\n        os.execv("/bin/true", ["true"])\n', 6],
    ['a.js', 'export function add(a) {\n  if (a) process.abort();\n}\n', 2],
    ['a.go', 'package a\n\nimport "os"\n\nfunc init() {\n\tos.Exit(0)\n}\n', 5],
    ['a.go', 'package main\n\nimport "syscall"\n\nfunc add() { syscall.Exit(0) }\n', 5],
    ['a.go', 'package a\n\nimport "os"\n\nfunc Add() { os.Exit(0) }\n', 5],
    ['src/lib.rs', 'pub fn add() -> i32 {\n    std::process::exit(0)\n}\n', 2],
    ['src/lib.rs', 'pub fn add() {\n    unsafe { libc::_exit(0) }\n}\n', 2],
  ])('%s: %j', (path, text, line) => {
    expect(named(path, text)).toMatchObject([{ path, line, name: 'forced-exit', harmlessByIds: true }]);
  });

  test.each([
    ['a.py', 'import sys\n\n\ndef main():\n    sys.exit(1)\n'],
    ['a.js', 'export function main() {\n  process.exit(1);\n}\n'],
    ['main.go', 'package main\n\nimport "os"\n\nfunc main() {\n\tos.Exit(0)\n}\n'],
    ['src/main.rs', 'fn main() {\n    std::process::exit(0)\n}\n'],
  ])('but not of a program that ends by itself: %s: %j', (path, text) => {
    expect(named(path, text)).toEqual([]);
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
