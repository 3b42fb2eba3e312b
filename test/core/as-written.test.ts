import { describe, expect, test } from 'vitest';
import { allowLine, keptOutForUser } from '../../src/core/accept.ts';
import { type RedTests, redTests, runsNoTests } from '../../src/core/red-tests.ts';
import { notTaken, play, redByCode, redIn } from './accept-play.ts';

const FILES = {
  'app.py': '',
  'tests/test_red.py': 'from tests.support import load\nimport factories\n',
  'tests/test_green.py': 'DATA = "green.json"\nfrom greenhelp import x\n',
  'tests/support.py': 'from . import deep\n',
  'tests/deep.py': '',
  'tests/factories.py': '',
  'tests/greenhelp.py': '',
  'tests/green.json': '',
  'tests/cases.json': '',
};
const RED = [redIn('tests/test_red.py')];

describe('tests that were red are as they were written', () => {
  test('with the helpers that they import, directly or not, and with data', () => {
    const edits = {
      'tests/support.py': '',
      'tests/deep.py': '',
      'tests/factories.py': null,
      'tests/cases.json': '',
    };
    expect(notTaken(play(FILES, edits, { baseline: RED }), edits)).toEqual(Object.keys(edits).sort());
  });

  test('and green ones, with what only they use, are the agent’s, with a caveat', () => {
    const edits = { 'tests/test_green.py': '', 'tests/greenhelp.py': '', 'tests/green.json': '' };
    const accepted = play(FILES, edits, { baseline: RED });
    expect(notTaken(accepted, edits)).toEqual([]);
    expect(accepted.caveats).toEqual(['tests that were green were edited: tests/test_green.py']);
  });

  test('and a green one that is gone is a caveat', () => {
    const accepted = play(FILES, { 'tests/test_green.py': null }, { baseline: RED });
    expect(accepted.caveats).toEqual(['tests that were green were deleted: tests/test_green.py']);
  });

  test('all of them where no check ran, or one does not say which', () => {
    const edits = { 'tests/test_green.py': '', 'tests/greenhelp.py': '', 'app.py': '' };
    for (const baseline of [null, [redByCode('./all.sh')]]) {
      expect(notTaken(play(FILES, edits, { baseline }), edits)).toEqual([
        'tests/greenhelp.py',
        'tests/test_green.py',
      ]);
    }
  });

  test('none where everything was green', () => {
    const edits = { 'tests/test_red.py': '' };
    const baseline = [{ name: 'tests', status: 'pass', judgedBy: 'test-ids' } as const];
    expect(notTaken(play(FILES, edits, { baseline }), edits)).toEqual([]);
  });

  test('with helpers outside of the tests only where their name says what they are for', () => {
    const files = {
      'app.js': '',
      'test-utils.js': '',
      'shared-mocks.js': '',
      'wire.js': 'import "./shared-mocks.js";\n',
      'test/app.test.js': 'import "../app.js";\nimport "@/test-utils";\nimport "../shared-mocks";\n',
    };
    const edits = { 'app.js': 'x', 'test-utils.js': 'x', 'shared-mocks.js': 'x' };
    const accepted = play(files, edits, { baseline: [redIn('test/app.test.js')] });
    expect(notTaken(accepted, edits)).toEqual(['test-utils.js']);
  });
});

describe('tests inside of sources', () => {
  const rust = (expected: number) =>
    `pub fn two() -> i32 { 1 }\n\n#[cfg(test)]\nmod tests {\n    fn want() -> i32 { ${expected} }\n\n    #[test]\n    fn is_two() { assert_eq!(super::two(), want()); }\n}\n`;
  const files = { 'src/lib.rs': rust(2) };
  const baseline = [redByCode('cargo test')];

  test('go in with the source, and a green is doubted where they were edited', () => {
    const edits = { 'src/lib.rs': rust(1) };
    const accepted = play(files, edits, { baseline });
    expect(notTaken(accepted, edits)).toEqual([]);
    expect(accepted.doubts).toEqual([
      { because: 'mod tests of the start were edited in src/lib.rs', allow: 'allow: ["src/lib.rs"]' },
    ]);
  });

  test('are not doubted where only the source was edited, or they moved as they are', () => {
    expect(play(files, { 'src/lib.rs': rust(2).replace('{ 1 }', '{ 2 }') }, { baseline }).doubts).toEqual([]);
    expect(play(files, { 'src/lib.rs': null, 'src/two.rs': rust(2) }, { baseline }).doubts).toEqual([]);
  });

  test('are accepted by allow, and that is told', () => {
    const accepted = play(files, { 'src/lib.rs': rust(1) }, { baseline, allow: ['src/lib.rs'] });
    expect([accepted.doubts, accepted.allowed]).toEqual([[], ['src/lib.rs']]);
  });

  test('examples in Python and blocks of vitest count where a report names the file', () => {
    const python = { 'calc.py': 'def two():\n    """\n    >>> two()\n    2\n    """\n    return 1\n' };
    const edits = { 'calc.py': python['calc.py'].replace('    2\n', '    1\n') };
    expect(play(python, edits, { baseline: [redIn('calc.py')] }).doubts).toHaveLength(1);
    expect(play(python, edits, { baseline: [redByCode('pytest')] }).doubts).toEqual([]);
    const js = {
      'calc.ts': 'export const two = () => 1;\nif (import.meta.vitest) {\n  it("x", () => {});\n}\n',
    };
    const gone = { 'calc.ts': 'export const two = () => 2;\n' };
    expect(play(js, gone, { baseline: [redIn('calc.ts')] }).doubts).toHaveLength(1);
  });

  test('and a file of tests with a name of its own, which nothing imports, is as it was written', () => {
    const start = { 'app.py': '', 'probes/app_probe.py': 'import app\n' };
    const edits = { 'probes/app_probe.py': '', 'app.py': 'x' };
    const accepted = play(start, edits, { baseline: [redIn('probes/app_probe.py')] });
    expect(notTaken(accepted, edits)).toEqual(['probes/app_probe.py']);
  });
});

describe('which tests were red is read from the baseline', () => {
  const paths = new Set(['tests/test_a.py', 'test/b.test.ts', 'pkg/tests/test_c.py']);
  const failing = (id: string, file?: string): RedTests =>
    redTests(
      [
        {
          name: 't',
          status: 'fail',
          judgedBy: 'test-ids',
          tests: { failing: [{ id, ...(file && { file }) }] },
        },
      ],
      (path) => paths.has(path),
    );

  test.each([
    ['the file of a test', 'x', 'tests/test_a.py', 'tests/test_a.py'],
    ['an id that begins with it', 'tests/test_a.py::test_x[1::2]', undefined, 'tests/test_a.py'],
    ['an id with a title', 'test/b.test.ts > sums > adds', undefined, 'test/b.test.ts'],
    ['a dotted id', 'pkg.tests.test_c.TestC.test_x', undefined, 'pkg/tests/test_c.py'],
  ])('%s', (_, id, file, expected) => {
    const red = failing(id, file);
    expect([...red.files]).toEqual([expected]);
    expect(red.unknown).toBeUndefined();
  });

  test('and an id that names no file leaves it unknown', () => {
    expect(failing('adds').unknown).toBe('the file of adds is not known');
  });

  test('a metric has no tests', () => {
    const red = redTests([{ name: 'm', status: 'fail', judgedBy: 'metric' }], () => true);
    expect(red.unknown).toBeUndefined();
  });

  test.each([
    ['tsc --noEmit -p . && grep -q x a.ts', true],
    ['npx eslint src', true],
    ['test "$(pytest -q)"', false],
    ['eslint . && npm test', false],
    ['sh check.sh', false],
  ])('%s runs no tests: %s', (line, expected) => {
    expect(runsNoTests(line)).toBe(expected);
  });
});

test('one line says to the user what was kept out, why, and what to write to let it in', () => {
  const kept = {
    path: 'a "b".py',
    because: 'pytest reads it by itself',
    allow: allowLine('a "b".py'),
    quiet: false,
  };
  expect(keptOutForUser(kept)).toBe(
    'a "b".py: the agent’s version did not count where the checks ran (pytest reads it by itself); to accept it, write in the spec: allow: ["a \\"b\\".py"]',
  );
});
