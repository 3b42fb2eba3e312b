import { describe, expect, test } from 'vitest';
import { readJestJson } from '../../src/evaluators/reports/jest-json.ts';
import { type FileKind, readNodeReport } from '../../src/evaluators/reports/node-test.ts';
import { readPythonReport } from '../../src/evaluators/reports/python.ts';
import { linesOf, readReportFile } from '../../src/evaluators/reports/report-file.ts';
import { tempDir } from '../support/temp-dir.ts';
import { writeInto } from './support.ts';

const begin = { e: 'begin' };
const end = (collected: number) => ({ e: 'end', exit: 0, collected });
const phase = (id: string, outcome: string, more: Record<string, unknown> = {}) => ({
  e: 'phase',
  id,
  when: 'call',
  outcome,
  ...more,
});
const done = (id: string) => ({ e: 'done', id });

describe('the report of the Python runners', () => {
  test('is whole only with its end', () => {
    expect(readPythonReport([begin, phase('a', 'passed'), done('a')]).complete).toBe(false);
    expect(readPythonReport([begin, phase('a', 'passed'), done('a'), end(1)]).complete).toBe(true);
    expect(readPythonReport([]).begun).toBe(false);
  });

  test('of two sessions counts only when both ended', () => {
    expect(readPythonReport([begin, end(0), begin]).complete).toBe(false);
    expect(readPythonReport([begin, end(0), begin, end(0)]).complete).toBe(true);
  });

  test('counts tests that were found and did not run', () => {
    expect(readPythonReport([begin, phase('a', 'passed'), done('a'), end(3)]).notRun).toBe(2);
  });

  test('names the test that ran last', () => {
    expect(
      readPythonReport([begin, { e: 'start', id: 'a' }, done('a'), { e: 'start', id: 'b' }]).running,
    ).toBe('b');
  });

  test('has the worst phase of a test as its result, with the first failure', () => {
    const report = readPythonReport([
      begin,
      phase('a', 'passed'),
      phase('a', 'failed', { when: 'teardown', message: 'late' }),
      phase('b', 'failed', { message: 'first' }),
      phase('b', 'failed', { when: 'teardown', message: 'second' }),
    ]);
    expect(report.tests).toMatchObject([
      { id: 'a', status: 'error', message: 'late' },
      { id: 'b', status: 'failed', message: 'first' },
    ]);
  });

  test('takes an outcome that it does not know for no pass, and a retry for none at all', () => {
    const report = readPythonReport([
      begin,
      phase('a', 'strange'),
      phase('b', 'rerun'),
      phase('b', 'passed'),
    ]);
    expect(report.tests.map((one) => one.status)).toEqual(['error', 'passed']);
    expect(report.retried).toEqual(['b']);
  });

  test('a skipped part does not make its test skipped, a failing one makes it fail', () => {
    const report = readPythonReport([
      begin,
      phase('a', 'skipped', { part: true }),
      phase('a', 'passed'),
      phase('b', 'failed', { part: true }),
      phase('b', 'passed'),
    ]);
    expect(report.tests.map((one) => [one.id, one.status])).toEqual([
      ['a', 'passed'],
      ['b', 'failed'],
    ]);
  });

  test('tells a failure of the runner itself as a problem', () => {
    expect(readPythonReport([begin, { e: 'internal', detail: 'x\nINTERNAL boom' }]).problems[0]).toContain(
      'boom',
    );
  });
});

describe('the report of node --test', () => {
  const read = (lines: Record<string, unknown>[], kind: FileKind = 'node-test') =>
    readNodeReport(lines, () => kind);
  const whole = (e: string, more: Record<string, unknown> = {}) => ({
    e,
    name: 'a.js',
    nesting: 0,
    file: 'a.js',
    whole: true,
    ...more,
  });

  test.each<[kind: FileKind, e: string, more: Record<string, unknown>, status: string | undefined]>([
    ['node-test', 'pass', {}, 'error'],
    ['script', 'pass', {}, 'passed'],
    ['script', 'fail', { exit: 1 }, 'failed'],
    ['node-test', 'fail', { signal: 'SIGKILL' }, 'error'],
    ['node-test', 'fail', { failure: 'testTimeoutFailure', ms: 1000 }, 'failed'],
    ['node-test', 'fail', { exit: 1 }, undefined],
  ])('a file that is a %s and ends with %s %j counts as %s', (kind, e, more, status) => {
    const report = read([begin, whole(e, more)], kind);
    expect(report.tests[0]?.status).toBe(status);
    expect(report.unloadable.length).toBe(status === undefined ? 1 : 0);
  });

  test('a file whose tests are all filtered out is no failure', () => {
    const lines = [begin, whole('pass')];
    expect(readNodeReport(lines, () => 'node-test', true).tests).toEqual([]);
    expect(readNodeReport(lines, () => 'node-test', false).tests).toMatchObject([{ status: 'error' }]);
  });

  test('a helper that passes is no test', () => {
    const report = read([begin, whole('pass')], 'helper');
    expect([report.tests, report.unloadable]).toEqual([[], []]);
  });

  test('a test that began and never ended is no pass', () => {
    const report = read([begin, { e: 'dequeue', name: 'x', nesting: 0, file: 'a.js' }, { e: 'end' }]);
    expect(report).toMatchObject({
      complete: true,
      running: 'a.js > x',
      tests: [{ id: 'a.js > x', status: 'error' }],
    });
  });
});

describe('the JSON report of Jest and Vitest', () => {
  const report = (assertions: unknown[], more: Record<string, unknown> = {}) => ({
    success: true,
    numTotalTests: assertions.length,
    testResults: [{ name: '/w/a.test.js', status: 'passed', message: '', assertionResults: assertions }],
    ...more,
  });

  test.each([undefined, [], { testResults: 1 }, null])('%j is no report', (value) => {
    expect(readJestJson(value, '/w')).toMatchObject({ begun: false, complete: false });
  });

  test('a status that is not known is no pass', () => {
    const read = readJestJson(
      report([
        { title: 'a', status: 'pending' },
        { title: 'b', status: 'strange' },
        { title: 'c', status: 'disabled' },
      ]),
      '/w',
    );
    expect(read.tests.map((one) => one.status)).toEqual(['error', 'error', 'skipped']);
  });

  test('tests that are counted and not listed did not run', () => {
    expect(readJestJson(report([{ title: 'a', status: 'passed' }], { numTotalTests: 3 }), '/w').notRun).toBe(
      2,
    );
  });

  test('places are relative to the workspace and never in node_modules', () => {
    const failure =
      'AssertionError: expected 1 to be 2\n    at /w/node_modules/x/i.js:1:2\n    at file:///w/src/a.test.js:7:3';
    const read = readJestJson(
      report([{ title: 'a', ancestorTitles: ['S'], status: 'failed', failureMessages: [failure] }]),
      '/w',
    );
    expect(read.tests[0]).toMatchObject({
      id: 'a.test.js > S > a',
      place: 'src/a.test.js:7',
      errorType: 'AssertionError',
      message: 'expected 1 to be 2',
    });
  });
});

describe('report files', () => {
  test('only lines with the nonce of the run count', () => {
    const text = '{"e":"begin","n":"1"}\nnoise\n{"e":"end","n":"2"}\n{"e":"end"}\n{"e":"half","n":"1"\n';
    expect(linesOf(text, '1')).toEqual([{ e: 'begin', n: '1' }]);
  });

  test('a missing file, a folder and a file that is too large are told apart from text', async () => {
    await using dir = await tempDir();
    await writeInto(dir.path, 'a', '12345');
    expect(await readReportFile(`${dir.path}/a`)).toEqual({ kind: 'text', text: '12345' });
    expect(await readReportFile(`${dir.path}/a`, 4)).toEqual({ kind: 'too-large', bytes: 5 });
    expect(await readReportFile(`${dir.path}/b`)).toEqual({ kind: 'missing' });
    expect(await readReportFile(dir.path)).toEqual({ kind: 'missing' });
  });
});
