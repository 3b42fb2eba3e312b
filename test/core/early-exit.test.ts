import { describe, expect, test } from 'vitest';
import { exitsAtImport } from '../../src/core/early-exit.ts';
import { play, redByCode, redIn } from './accept-play.ts';

describe('a module ends the process when it is imported', () => {
  test.each([
    ['a.py', 'import sys\nsys.exit(0)\n'],
    ['a.py', 'import os; os._exit(0)\n'],
    ['a.py', 'raise SystemExit\n'],
    ['a.py', 'if True:\n    import sys\n    sys.exit()\n'],
    ['a.py', 'import atexit, os\natexit.register(os._exit, 0)\n'],
    ['a.js', 'export const a = 1;\nprocess.exit(0);\n'],
    ['a.js', 'export const a = 1; process.reallyExit();\n'],
  ])('%s: %j', (path, text) => {
    expect(exitsAtImport(path, text)).toBe(true);
  });

  test.each([
    ['a.py', 'import sys\n\ndef main():\n    sys.exit(0)\n'],
    ['a.py', "import sys\n\nif __name__ == '__main__':\n    sys.exit(0)\n"],
    ['a.py', 'import sys\n\nif sys.version_info < (3, 8):\n    sys.exit("too old")\n'],
    ['a.py', 'import sys\nsys.exit(main())\n'],
    ['a.js', 'export function stop() {\n  process.exit(0);\n}\n'],
    ['a.js', 'process.exit(failed ? 1 : 0);\n'],
    ['a.go', 'func init() { os.Exit(0) }\n'],
  ])('but not %s: %j', (path, text) => {
    expect(exitsAtImport(path, text)).toBe(false);
  });
});

describe('a green by exit code alone', () => {
  const files = { 'calc.py': 'x = 1\n', 'verify.py': 'from calc import x\nassert x == 2\n', 'tool.py': '' };
  const exit = 'import sys\nsys.exit(0)\n';
  const byCode = { baseline: [redByCode('python3 verify.py')] };

  test('is doubted where what the check imports ends the process', () => {
    const { doubts } = play(files, { 'calc.py': exit }, byCode);
    expect(doubts).toMatchObject([{ allow: 'allow: ["calc.py"]' }]);
  });

  test('is not where a program ends by itself, where it is allowed, or where tests have ids', () => {
    expect(play(files, { 'tool.py': exit }, byCode).doubts).toEqual([]);
    expect(play(files, { 'calc.py': exit }, { ...byCode, allow: ['calc.py'] }).doubts).toEqual([]);
    expect(play(files, { 'calc.py': exit }, { baseline: [redIn('verify.py')] }).doubts).toEqual([]);
  });
});
