import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import { deadline } from '../../src/compose/deadline.ts';

const aborted = (signal: AbortSignal) =>
  signal.aborted
    ? Promise.resolve(signal.reason)
    : new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve(signal.reason), { once: true }),
      );

describe('a deadline', () => {
  test('aborts when the time is up, and says so', async () => {
    using limit = deadline(new AbortController().signal, 5);
    expect(await aborted(limit.signal)).toBe('timed-out');
  });

  test('aborts at once where no time is left', async () => {
    using limit = deadline(new AbortController().signal, -10);
    expect(await aborted(limit.signal)).toBe('timed-out');
  });

  test('aborts with the outer signal, with its reason', async () => {
    const outer = new AbortController();
    using limit = deadline(outer.signal, 60_000);
    outer.abort('the user');
    expect(await aborted(limit.signal)).toBe('the user');
    using late = deadline(outer.signal, undefined);
    expect(late.signal.reason).toBe('the user');
  });

  test('longer than a timer can be is none', () => {
    using limit = deadline(new AbortController().signal, 1e12);
    expect(limit.signal.aborted).toBe(false);
  });

  test('leaves nothing behind on a signal that lives longer', () => {
    const outer = new AbortController();
    for (let i = 0; i < 20; i++) {
      using limit = deadline(outer.signal, 60_000);
      expect(limit.signal.aborted).toBe(false);
    }
    expect(getEventListeners(outer.signal, 'abort')).toHaveLength(0);
  });
});
