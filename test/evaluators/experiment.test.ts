import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { describeLimits, meetsLimits, readMetric } from '../../src/evaluators/metric.ts';
import { evaluate, verdictOf } from './support.ts';

const print = (value: unknown) => `printf '%s' '${JSON.stringify(value)}'`;
const DATA = { acc: 0.91, latency: { p95: [10, 20] }, 'a.b': 3, text: '5', nothing: null };

describe('experiment', () => {
  test.each<[options: Record<string, unknown>, verdict: string]>([
    [{ metric: 'acc', minValue: 0.9 }, 'pass'],
    [{ metric: 'acc', minValue: 0.95 }, 'fail'],
    [{ metric: 'acc', maxValue: 0.95 }, 'pass'],
    [{ metric: 'acc' }, 'pass'],
    [{ metric: 'latency.p95.1', maxValue: 15 }, 'fail'],
    [{ metric: 'a.b', minValue: 3 }, 'pass'],
    [{ metric: 'acc', baseline: 0.9 }, 'pass'],
    [{ metric: 'acc', baseline: 0.91 }, 'fail'],
    [{ metric: 'acc', baseline: 0.91, minDelta: 0 }, 'pass'],
    [{ metric: 'acc', baseline: 0.81, minDelta: 0.1 }, 'pass'],
    [{ metric: 'acc', baseline: 0.85, minDelta: 0.1 }, 'fail'],
    [{ metric: 'acc', baseline: 1, direction: 'decrease' }, 'pass'],
    [{ metric: 'acc', baseline: 0.9, direction: 'decrease' }, 'fail'],
    [{ metric: 'missing' }, 'no-report'],
    [{ metric: 'latency' }, 'no-report'],
    [{ metric: 'text' }, 'no-report'],
    [{ metric: 'nothing' }, 'no-report'],
    [{ metric: '__proto__.x' }, 'no-report'],
  ])('%j is judged %s', async (options, verdict) => {
    const outcome = await evaluate('experiment', { options: { command: print(DATA), ...options } });
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
    expect(outcome.judgedBy).toBe('metric');
  });

  test.each<[command: string, verdict: string]>([
    ['echo not json', 'no-report'],
    ['true', 'no-report'],
    ['echo \'{"acc": 1\'', 'no-report'],
    ['echo \'{"acc": NaN}\'', 'no-report'],
    ['echo banner; echo \'{"acc": 1}\'', 'pass'],
    ['echo \'{"acc": 1}\'; echo noise >&2', 'pass'],
    ['echo \'{"acc": 1}\'; exit 2', 'fail'],
    ['nosuchtool', 'not-found'],
    ['sh measure.sh', 'fail'],
    ['kill -9 $$', 'crash'],
  ])('output and end of the command: %j is judged %s', async (command, verdict) => {
    const outcome = await evaluate('experiment', { options: { command, metric: 'acc' } });
    expect(verdictOf(outcome), outcome.feedback).toBe(verdict);
  });

  test('twenty megabytes of JSON are read whole', async () => {
    const script = "console.log(JSON.stringify({ pad: 'x'.repeat(20e6), acc: 0.5 }))";
    const outcome = await evaluate('experiment', {
      files: { 'm.mjs': script },
      options: { command: 'node m.mjs', metric: 'acc', minValue: 0.5 },
    });
    expect(verdictOf(outcome), outcome.feedback.slice(0, 300)).toBe('pass');
  });

  test('more than can be read is an explicit error, from the command and from a file', async () => {
    const files = { 'm.mjs': "process.stdout.write(JSON.stringify({ pad: 'x'.repeat(34e6), acc: 0.5 }))" };
    const printed = await evaluate('experiment', {
      files,
      options: { command: 'node m.mjs', metric: 'acc' },
    });
    expect(verdictOf(printed)).toBe('no-report');
    expect(printed.feedback).toContain('not whole');
    const written = await evaluate('experiment', {
      files,
      options: { command: 'node m.mjs > out.json', file: 'out.json', metric: 'acc' },
    });
    expect(verdictOf(written)).toBe('no-report');
    expect(written.feedback).toContain('too large');
  });

  test('a file is read, and its origin is a caveat', async () => {
    const outcome = await evaluate('experiment', {
      files: { 'm.json': '{"acc": 1}' },
      options: { file: 'm.json', metric: 'acc', minValue: 1 },
    });
    expect(verdictOf(outcome)).toBe('pass');
    expect(outcome.caveats?.[0]).toContain('m.json');
  });

  test('a file that the command did not write is from before', async () => {
    const given = (command: string) =>
      evaluate('experiment', {
        files: { 'm.json': '{"acc": 1}' },
        options: { command, file: 'm.json', metric: 'acc' },
        before: async (workdir) => utimes(join(workdir, 'm.json'), 1, 1),
      });
    expect(verdictOf(await given('true'))).toBe('no-report');
    expect(verdictOf(await given('echo \'{"acc": 1}\' > m.json'))).toBe('pass');
  });

  test('a file outside of the workspace is refused', async () => {
    const outcome = await evaluate('experiment', {
      options: { file: '../m.json', metric: 'acc' },
      before: async (workdir) => writeFile(join(workdir, '../m.json'), '{"acc": 1}'),
    });
    expect(verdictOf(outcome)).toBe('no-report');
  });

  test('the score tells which way is better', async () => {
    const score = async (options: Record<string, unknown>) =>
      (await evaluate('experiment', { options: { command: print(DATA), metric: 'acc', ...options } })).score;
    expect(await score({ minValue: 0 })).toEqual({ value: 0.91, better: 'up' });
    expect(await score({ maxValue: 0 })).toEqual({ value: 0.91, better: 'down' });
    expect(await score({ baseline: 1, direction: 'decrease' })).toEqual({ value: 0.91, better: 'down' });
  });

  test('wrong options are errors', async () => {
    await expect(evaluate('experiment', { options: { metric: 'x' } })).rejects.toThrow(
      'one of command and file',
    );
    await expect(evaluate('experiment', { options: { command: 'true' } })).rejects.toThrow('metric');
    await expect(
      evaluate('experiment', { options: { command: 'true', metric: 'x', minDelta: 1 } }),
    ).rejects.toThrow('baseline');
    await expect(
      evaluate('experiment', { options: { command: 'true', metric: 'x', minvalue: 1 } }),
    ).rejects.toThrow('"minValue"');
  });
});

describe('metric', () => {
  test('limits are worded as they are applied', () => {
    expect(
      describeLimits({ minValue: 1, maxValue: 2, baseline: 0, direction: 'increase', minDelta: 1 }),
    ).toBe('at least 1 and at most 2 and 1 or more above 0');
    expect(meetsLimits(0.3, { baseline: 0.1, minDelta: 0.2, direction: 'increase' })).toBe(true);
  });

  test('a missing path names the keys that there are', () => {
    expect(readMetric('{"acc": 1}', 'ac')).toEqual({ problem: 'the JSON has no ac (it has acc)' });
  });
});
