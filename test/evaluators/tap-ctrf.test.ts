import { describe, expect, test } from 'vitest';
import { readCtrf } from '../../src/evaluators/reports/ctrf.ts';
import { readTap } from '../../src/evaluators/reports/tap.ts';
import { evaluate, statusesOf, verdictOf } from './support.ts';

const tap = (...lines: string[]) => `TAP version 13\n${lines.join('\n')}\n`;
const entry = (name: string, status: string, more: Record<string, unknown> = {}) => ({
  name,
  status,
  ...more,
});
const ctrf = (tests: unknown[], summary: Record<string, unknown> = {}) =>
  JSON.stringify({ reportFormat: 'CTRF', results: { tool: { name: 't' }, summary, tests } });

/** Prints the report, or writes it where it is asked for, and ends with the code. */
const writes = (report: string, code = 0) => ({
  'report.txt': report,
  'run.sh': `if [ "$1" ]; then cp report.txt "$1"; else cat report.txt; fi\nexit ${code}\n`,
});

describe('tap', () => {
  test.each<[name: string, files: Record<string, string>, verdict: string, command?: string]>([
    ['all tests pass', writes(tap('1..2', 'ok 1 - a', 'ok 2 - b')), 'pass'],
    ['the plan comes last', writes(tap('ok 1 - a', 'ok 2 - b', '1..2')), 'pass'],
    ['there is no version', writes('1..1\nok a\n'), 'pass'],
    ['one fails', writes(tap('1..2', 'ok 1 - a', 'not ok 2 - b'), 1), 'fail'],
    ['one fails and the command ends with 0', writes(tap('1..2', 'ok 1 - a', 'not ok 2 - b')), 'fail'],
    ['all pass and the command ends with 1', writes(tap('1..1', 'ok 1 - a'), 1), 'fail'],
    ['there are no tests', writes(tap('1..0 # SKIP nothing here')), 'no-tests'],
    ['all are skipped', writes(tap('1..1', 'ok 1 - a # SKIP no database')), 'no-tests'],
    ['all are to be done', writes(tap('1..1', 'not ok 1 - a # TODO later')), 'no-tests'],
    [
      'a test that is to be done fails beside one that passes',
      writes(tap('1..2', 'not ok 1 - a # todo', 'ok 2')),
      'pass',
    ],
    ['there are fewer tests than planned', writes(tap('1..3', 'ok 1 - a')), 'fail'],
    ['there are more tests than planned', writes(tap('1..1', 'ok 1 - a', 'ok 2 - b')), 'fail'],
    [
      'a subtest has fewer tests than planned',
      writes(tap('    1..2', '    ok 1 - x', 'ok 1 - a', '1..1')),
      'fail',
    ],
    ['there is no plan', writes(tap('ok 1 - a')), 'no-report'],
    ['it breaks off in a subtest', writes(tap('1..1', '    ok 1 - x')), 'no-report'],
    ['it bails out', writes(tap('1..2', 'ok 1 - a', 'Bail out! no database', 'ok 2 - b')), 'fail'],
    ['it bails out at once', writes(tap('Bail out! no database')), 'crash'],
    ['other things are printed', writes(tap('---', 'hello', '1..1', 'okay', 'ok 1 - a', 'bye')), 'pass'],
    ['nothing is printed', { 'run.sh': 'exit 0\n' }, 'no-report'],
    [
      'it is written to the file that is asked for',
      writes(tap('1..1', 'ok 1 - a')),
      'pass',
      'sh run.sh $LOOPGEN_REPORT',
    ],
    ['the program is missing', {}, 'not-found', 'nosuchtool --tap'],
    ['a signal ends it', { 'run.sh': 'echo ok 1; kill -9 $$\n' }, 'crash'],
  ])('when %s, the verdict is as it should be', async (_name, files, verdict, command) => {
    const outcome = await evaluate('tap', { files, options: { command: command ?? 'sh run.sh' } });
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
    if (verdict === 'pass') expect(outcome.caveats?.[0]).toContain("the check's own command");
  });

  test('a report that was there before does not count', async () => {
    const files = { 'run.sh': 'exit 0\n', 'out.tap': tap('1..1', 'ok 1 - a') };
    const options = { format: 'tap', command: 'sh run.sh', report: 'out.tap' };
    expect(verdictOf(await evaluate('tests', { files, options }))).toBe('no-report');
    // Control: the same file, written by the command, does.
    const written = { ...options, command: 'sh run.sh out.tap' };
    expect(verdictOf(await evaluate('tests', { files: writes(files['out.tap']), options: written }))).toBe(
      'pass',
    );
  });

  test('subtests have the names around them, and a parent is told only where it failed by itself', () => {
    const report = readTap(
      tap(
        '# Subtest: s',
        '    ok 1 - a',
        '    # Subtest: t',
        '        not ok 1 - b',
        '        1..1',
        '    not ok 2 - t',
        '    1..2',
        'not ok 1 - s',
        '# Subtest: u',
        '    ok 1 - c',
        '    1..1',
        'not ok 2 - u',
        'ok 3 - d \\# e # time=2ms',
        'ok 4',
        'ok 5 - d',
        'ok 6 - d',
        '1..6',
      ),
      '/w',
    );
    expect(report.tests.map(({ id, status }) => [id, status])).toEqual([
      ['s > a', 'passed'],
      ['s > t > b', 'failed'],
      ['u > c', 'passed'],
      ['u', 'failed'],
      ['d # e # time=2ms', 'passed'],
      ['4', 'passed'],
      ['d', 'passed'],
      ['d (2)', 'passed'],
    ]);
  });

  test('diagnostics give message, class and place, and are no tests', () => {
    const { tests, notRun } = readTap(
      tap(
        'not ok 1 - a',
        '  ---',
        '  message: "1 is not 2"',
        '  name: AssertionError',
        '  at: /w/src/a.js:3:5',
        '  printed: |',
        '    ok 2 - forged',
        '  ...',
        'not ok 2 - b',
        '#   Failed test at t/b.t line 3.',
        '1..2',
      ),
      '/w',
    );
    expect(notRun).toBe(0);
    expect(tests).toMatchObject([
      { id: 'a', message: '1 is not 2', errorType: 'AssertionError', place: 'src/a.js:3' },
      { id: 'b', message: 'Failed test at t/b.t line 3.' },
    ]);
  });

  test('real node prints what is understood', async () => {
    const outcome = await evaluate('tap', {
      files: {
        'a.test.mjs':
          "import test, { describe, it } from 'node:test';\nimport assert from 'node:assert';\ntest('a', () => {});\ndescribe('s', () => { it('b', () => assert.equal(1, 2)); it('c', { skip: true }, () => {}); it.todo('d'); });\n",
      },
      options: { command: 'node --test --test-reporter=tap a.test.mjs' },
    });
    expect(statusesOf(outcome)).toEqual({
      a: 'passed',
      's > b': 'failed',
      's > c': 'skipped',
      's > d': 'todo',
    });
    expect(outcome.tests?.find(({ id }) => id === 's > b')?.place).toMatch(/^a\.test\.mjs:4$/);
  });
});

describe('ctrf', () => {
  test.each<[name: string, files: Record<string, string>, verdict: string]>([
    ['all tests pass', writes(ctrf([entry('a', 'passed')])), 'pass'],
    ['one fails', writes(ctrf([entry('a', 'passed'), entry('b', 'failed')]), 1), 'fail'],
    [
      'one fails and the command ends with 0',
      writes(ctrf([entry('a', 'passed'), entry('b', 'failed')])),
      'fail',
    ],
    ['all pass and the command ends with 1', writes(ctrf([entry('a', 'passed')]), 1), 'fail'],
    ['there are no tests', writes(ctrf([])), 'no-tests'],
    [
      'all are left out',
      writes(ctrf([entry('a', 'skipped'), entry('b', 'pending'), entry('c', 'other')])),
      'no-tests',
    ],
    ['a status is not known', writes(ctrf([entry('a', 'passed'), entry('b', 'great')])), 'fail'],
    [
      'the summary counts more tests than are listed',
      writes(ctrf([entry('a', 'passed')], { tests: 2 })),
      'fail',
    ],
    [
      'the summary counts a failure that is not listed',
      writes(ctrf([entry('a', 'passed')], { failed: 1 })),
      'fail',
    ],
    ['it is broken off', writes(ctrf([entry('a', 'passed')]).slice(0, -3)), 'no-report'],
    ['it is something else', writes('{"tests": []}'), 'no-report'],
    ['none is written', { 'run.sh': 'exit 0\n' }, 'no-report'],
  ])('when %s, the verdict is as it should be', async (_name, files, verdict) => {
    const options = { format: 'ctrf', command: 'sh run.sh ctrf/report.json', report: 'ctrf/report.json' };
    const outcome = await evaluate('tests', { files: { ...files, 'ctrf/x': '' }, options });
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
  });

  test('without a path the report goes to a place of the engine’s own', async () => {
    const outcome = await evaluate('ctrf', {
      files: writes(ctrf([entry('a', 'passed')])),
      options: { command: 'sh run.sh "$LOOPGEN_REPORT"' },
    });
    expect(verdictOf(outcome)).toBe('pass');
    expect(outcome.caveats?.[0]).toContain("the check's own command");
  });

  test('every test is known by its file and the names around it, with place and class of its failure', () => {
    const report = readCtrf(
      ctrf([
        entry('adds', 'passed', { suite: ['Calc', 'add'], filePath: '/w/src/a.test.ts', duration: 3 }),
        entry('fails', 'failed', {
          suite: 'src/a.test.ts',
          filePath: 'src/a.test.ts',
          line: 7,
          message: 'boom',
          trace: 'TypeError: boom\n at /w/src/a.ts:3:1',
        }),
        entry('flaky', 'passed', { flaky: true, retries: 1 }),
        entry('outside', 'passed', { filePath: '/elsewhere/b.ts' }),
      ]),
      '/w',
    );
    expect(report.tests).toMatchObject([
      { id: 'src/a.test.ts > Calc > add > adds', file: 'src/a.test.ts', durationMs: 3 },
      { id: 'src/a.test.ts > fails', errorType: 'TypeError', message: 'boom', place: 'src/a.test.ts:7' },
      { id: 'flaky', status: 'passed' },
      { id: '/elsewhere/b.ts > outside' },
    ]);
    expect(report.retried).toEqual(['flaky']);
  });
});

test('a format has no default command, and a runner no report file', async () => {
  await expect(evaluate('tap', { options: {} })).rejects.toThrow('is needed by tap');
  await expect(evaluate('jest', { options: { report: 'x' } })).rejects.toThrow('is for junit, tap, ctrf');
});
