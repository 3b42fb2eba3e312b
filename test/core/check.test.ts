import { describe, expect, test } from 'vitest';
import { checkOf, summarise, type TestResult, type TestStatus } from '../../src/core/check.ts';
import { verdictOf } from '../../src/core/verdict.ts';
import { check, green, red, suite, unusable } from './checks.ts';

describe('what an evaluator returns becomes a check', () => {
  test('`passed` and `feedback` are enough', () => {
    expect(checkOf({ name: 'c', type: 't' }, { passed: true, feedback: 'fine' }, 7)).toEqual({
      name: 'c',
      type: 't',
      status: 'pass',
      feedback: 'fine',
      judgedBy: 'plug-in',
      caveats: [],
      durationMs: 7,
    });
  });

  test('what could not run is unusable even when it says that it passed', () => {
    expect(check('c', { passed: true, ok: false })).toMatchObject({ status: 'unusable', cause: 'crash' });
    expect(check('c', { ok: false, cause: 'timeout' }).cause).toBe('timeout');
  });

  test('only true is a pass', () => {
    for (const passed of ['yes', 1, undefined, null]) {
      const outcome = { passed, feedback: '' } as unknown as Parameters<typeof checkOf>[1];
      expect(checkOf({ name: 'c', type: 't' }, outcome, 0).status).toBe('fail');
    }
  });

  test('a score is a number, better when larger unless told otherwise', () => {
    expect(check('c', { score: 0.5 }).score).toEqual({ value: 0.5, better: 'up' });
    expect(check('c', { score: { value: 3, better: 'down' } }).score).toEqual({ value: 3, better: 'down' });
    for (const none of [Number.NaN, Number.POSITIVE_INFINITY, null, 'high', {}])
      expect(check('c', { score: none as number })).not.toHaveProperty('score');
  });

  test('what is of the wrong shape is left out', () => {
    const odd = { feedback: 5, caveats: 'careful', tests: 12 } as unknown as Parameters<typeof check>[1];
    expect(check('c', odd)).toMatchObject({ feedback: '5', caveats: [] });
    expect(check('c', odd)).not.toHaveProperty('tests');
  });
});

test('tests are counted: only passed is a pass, and errors and strict xpasses fail', () => {
  const statuses: TestStatus[] = ['passed', 'failed', 'error', 'skipped', 'xfailed', 'xpassed', 'todo'];
  const results: TestResult[] = statuses.map((status) => ({ id: status, status }));
  const { all, failing, ...counts } = summarise(results);
  expect(counts).toEqual({ total: 7, passed: 1, skipped: 3 });
  expect(failing.map((test) => test.id)).toEqual(['failed', 'error', 'xpassed']);
  expect(all).toHaveLength(7);
});

describe('the verdict of a round', () => {
  const all = { type: 'all-pass' } as const;
  test('is green, red or unusable', () => {
    expect(verdictOf(all, [green('a')]).status).toBe('pass');
    expect(verdictOf(all, [green('a'), red('b')]).status).toBe('fail');
    expect(verdictOf(all, [green('a'), unusable('b')]).status).toBe('unusable');
  });

  test('is red where something failed that the agent can work on, though another check could not run', () => {
    const either = {
      type: 'any',
      of: [
        { type: 'pass', evaluators: ['a'] },
        { type: 'pass', evaluators: ['b'] },
      ],
    } as const;
    expect(verdictOf(either, [red('a'), unusable('b')]).status).toBe('fail');
  });

  test('is named by its failure, unless it is green', () => {
    expect(verdictOf(all, [red('a')]).signature?.informative).toBe(true);
    expect(verdictOf(all, [green('a')])).not.toHaveProperty('signature');
  });

  test('counts tests and checks', () => {
    expect(verdictOf(all, [suite('s', ['x', 'y'], 3), suite('t', [], 4), green('g')]).tally).toEqual({
      passedTests: 7,
      failedTests: 2,
      passedChecks: 2,
    });
  });
});
