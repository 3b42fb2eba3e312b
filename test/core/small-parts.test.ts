import { describe, expect, test } from 'vitest';
import { LoopgenError, messageOf } from '../../src/core/error.ts';
import { pool } from '../../src/core/pool.ts';
import { excerpt, headAndTail } from '../../src/core/shorten.ts';
import { nearest } from '../../src/core/suggest.ts';
import { addUsage, knownUsage, tokensOf } from '../../src/core/usage.ts';

describe('usage', () => {
  test('is added field by field, and unknown is not zero', () => {
    const sum = addUsage({ inputTokens: 1, costUsd: 0.5 }, { inputTokens: 2, outputTokens: 3 });
    expect(sum).toEqual({ inputTokens: 3, outputTokens: 3, costUsd: 0.5 });
    expect(addUsage({}, {})).toEqual({});
    expect(addUsage({ costUsd: 1 }, undefined)).toEqual({ costUsd: 1 });
  });

  test('counts tokens of both kinds', () => {
    expect(tokensOf({ inputTokens: 1, outputTokens: 2 })).toBe(3);
    expect(tokensOf({ outputTokens: 2 })).toBe(2);
    expect(tokensOf({ costUsd: 1 })).toBeUndefined();
  });

  test('of a plug-in is taken only where it can be counted', () => {
    expect(knownUsage({ inputTokens: 5, outputTokens: Number.NaN, costUsd: -1, agentTurns: '3' })).toEqual({
      inputTokens: 5,
    });
    for (const none of [undefined, null, 'free', {}, { costUsd: Number.POSITIVE_INFINITY }])
      expect(knownUsage(none)).toBeUndefined();
  });
});

describe('a pool', () => {
  test('keeps the order of results and the limit', async () => {
    let running = 0;
    let most = 0;
    const results = await pool([3, 1, 2, 0], 2, async (n) => {
      most = Math.max(most, ++running);
      for (let i = 0; i < n; i++) await Promise.resolve();
      running--;
      return n * 10;
    });
    expect(results).toEqual([30, 10, 20, 0]);
    expect(most).toBe(2);
  });

  test('of nothing is nothing', async () => {
    expect(await pool([], 4, async () => 1)).toEqual([]);
  });

  test('passes a failure on once what had begun has settled, and begins no more', async () => {
    const settled: number[] = [];
    const begun: number[] = [];
    const work = pool([0, 1, 2, 3], 2, async (n) => {
      begun.push(n);
      if (n === 0) throw new Error('broke');
      await Promise.resolve();
      await Promise.resolve();
      settled.push(n);
    });
    await expect(work).rejects.toThrow('broke');
    expect(begun).toEqual([0, 1]);
    expect(settled).toEqual([1]);
  });
});

describe('the nearest word', () => {
  const known = ['evaluatorGuard', 'specGuard', 'limits', 'maxIterations'];
  test.each([
    ['evaluatorGaurd', 'evaluatorGuard'],
    ['limit', 'limits'],
    ['LIMITS', 'limits'],
    ['max_iterations', 'maxIterations'],
    ['zebra', undefined],
    ['', undefined],
  ])('to %s is %s', (word, near) => {
    expect(nearest(word, known)).toBe(near);
  });
});

describe('a long text', () => {
  test('keeps a quarter at the head and the rest at the tail, and counts what is left out', () => {
    expect(headAndTail(`${'a'.repeat(50)}${'b'.repeat(50)}`, 40)).toBe(
      `${'a'.repeat(10)}\n… 60 characters left out …\n${'b'.repeat(30)}`,
    );
  });

  test('can be cut to its beginning', () => {
    expect([excerpt('abcdef', 3), excerpt('abc', 3), excerpt('', 3)]).toEqual(['abc …', 'abc', '']);
  });

  test('that fits stays as it is', () => {
    expect(headAndTail('abc', 3)).toBe('abc');
  });
});

describe('an error', () => {
  test('of the user has a code, a hint and a place', () => {
    const at = { file: 'a.yaml', line: 1, column: 2 };
    const error = new LoopgenError('bad-spec', 'wrong', { hint: 'mend it', at, cause: 'x' });
    expect(error).toMatchObject({ name: 'LoopgenError', code: 'bad-spec', hint: 'mend it', at, cause: 'x' });
    expect(new LoopgenError('c', 'm').cause).toBeUndefined();
  });

  test('has a message, whatever was thrown', () => {
    expect([messageOf(new Error('a')), messageOf('b'), messageOf(undefined)]).toEqual([
      'a',
      'b',
      'undefined',
    ]);
  });
});
