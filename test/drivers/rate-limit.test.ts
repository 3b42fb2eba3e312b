import { describe, expect, test } from 'vitest';
import type { Generated, Model, ModelRequest } from '../../src/drivers/model.ts';
import {
  type Clock,
  limitAnnounced,
  rateLimitIn,
  realClock,
  withPatience,
} from '../../src/drivers/rate-limit.ts';

const busy = (retryAfterMs?: number): Generated => ({
  failed: 'rate-limited',
  message: 'busy (429)',
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});
const answer: Generated = { text: '{}', doneReason: 'stop' };

function scripted(replies: readonly Generated[]): Model & { asked: number } {
  const model = {
    name: 'm',
    asked: 0,
    generate: async () => replies[Math.min(model.asked++, replies.length - 1)] ?? answer,
  };
  return model;
}

function fakeClock(onSleep: () => void = () => {}): Clock & { slept: number[] } {
  let now = 0;
  const slept: number[] = [];
  return {
    slept,
    now: () => now,
    sleep: async (ms) => {
      slept.push(ms);
      now += ms;
      onSleep();
    },
  };
}

function request(signal = new AbortController().signal): ModelRequest & { said: string[] } {
  const said: string[] = [];
  const onProgress = (what: string) => said.push(what);
  return { prompt: '', system: '', schema: {}, iteration: 0, signal, onText: () => {}, onProgress, said };
}

test('waits as long as the server asks, then answers, and says what it waits for', async () => {
  const clock = fakeClock();
  const asked = request();
  expect(await withPatience(scripted([busy(7000), answer]), 60_000, clock).generate(asked)).toBe(answer);
  expect(clock.slept).toEqual([7000]);
  expect(asked.said).toEqual(['rate limit of m: asking again in 7 s']);
});

test('backs off twice as long each time where the server names no time, up to a minute', async () => {
  const clock = fakeClock();
  const model = scripted([...Array.from({ length: 7 }, () => busy()), answer]);
  expect(await withPatience(model, 600_000, clock).generate(request())).toBe(answer);
  expect(clock.slept).toEqual([2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
});

test('gives back the rate limit once the wait would pass its bound', async () => {
  const clock = fakeClock();
  const result = await withPatience(scripted([busy()]), 5000, clock).generate(request());
  expect(result).toMatchObject({ failed: 'rate-limited' });
  expect('failed' in result && result.message).toMatch(
    /waited 2 s, and another 4 s .*maxWaitMs allows \(5 s\)/,
  );
});

test('does not wait for a day where the server asks for one', async () => {
  const clock = fakeClock();
  expect(await withPatience(scripted([busy(86_400_000)]), 60_000, clock).generate(request())).toHaveProperty(
    'failed',
  );
  expect(clock.slept).toEqual([]);
});

test('other failures are not waited out', async () => {
  const down: Generated = { failed: 'timed-out', message: 'quota? no: a time-out' };
  const model = scripted([down]);
  expect(await withPatience(model, 60_000, fakeClock()).generate(request())).toBe(down);
  expect(model.asked).toBe(1);
});

test('stops waiting when the user stops the run', async () => {
  const controller = new AbortController();
  const model = scripted([busy()]);
  const clock = fakeClock(() => controller.abort());
  const result = await withPatience(model, 60_000, clock).generate(request(controller.signal));
  expect(result).toMatchObject({ failed: 'aborted' });
  expect(model.asked).toBe(1);
});

test('the real clock wakes at once on an abort', async () => {
  const controller = new AbortController();
  const began = realClock.now();
  const sleeping = realClock.sleep(60_000, controller.signal);
  controller.abort();
  await sleeping;
  await realClock.sleep(60_000, controller.signal);
  await realClock.sleep(1, new AbortController().signal);
  expect(realClock.now() - began).toBeLessThan(10_000);
});

const HOUR = 3_600_000;
const NOW = 1_700_000_000_000;

test.each([
  ['429 Rate limit reached, slow down', undefined, {}],
  ['whatever', 429, {}],
  ['whatever', 529, {}],
  ['Error: HTTP 529', undefined, {}],
  ['status code: 429', undefined, {}],
  ['{"type":"overloaded_error","message":"Overloaded"}', undefined, {}],
  ['You exceeded your current quota, please check your plan', undefined, {}],
  ['Claude AI usage limit reached|1700000060', undefined, { retryAfterMs: 60_000 }],
  ['Rate limit exceeded. Please try again in 20s', undefined, { retryAfterMs: 20_000 }],
  ['Rate limit exceeded. Please try again in 1.5 seconds.', undefined, { retryAfterMs: 1500 }],
  ['Too many requests, retry-after: 7', undefined, { retryAfterMs: 7000 }],
  ['Too many requests (retry after 250ms)', undefined, { retryAfterMs: 250 }],
  ['weekly limit reached, resets in 2 hours 30 minutes', undefined, { retryAfterMs: 2.5 * HOUR }],
])('%s (status %s) is a rate limit', (message, status, limit) => {
  expect(rateLimitIn(message, status, NOW)).toEqual(limit);
});

test.each([
  ['Request timed out. Please try again in a while'],
  ['maximum turns limit reached'],
  ['context length limit exceeded'],
  ['test.py line 429: error'],
  ['cannot read 429 files'],
  ['Unauthorized (401)'],
  ['Internal Server Error (500)'],
])('%s is no rate limit', (message) => {
  expect(rateLimitIn(message, undefined, NOW)).toBeUndefined();
});

describe('an agent that breaks off at a usage limit', () => {
  const NOW = Date.parse('2026-12-01T00:00:00Z');
  test.each([
    ['API error 429: Too Many Requests', undefined],
    ['error: 429 Too Many Requests', undefined],
    ['agent: [error] rate limit reached', undefined],
    ["You've hit your usage limit. Try again in 2 seconds.", 2000],
    ['■ You have reached your weekly limit', undefined],
    ['Rate limit reached for gpt-5. Please try again in 20s.', 20_000],
    ['Rate limit reached for gpt-5. Please try again at Dec 1, 2026 00:10 UTC.', 600_000],
    ['Claude usage limit reached|1796083500', Date.parse('2026-12-01T00:05:00Z') - NOW],
    ['{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}', undefined],
    ['Quota exceeded', undefined],
    ['529 overloaded_error', undefined],
  ])('says so: %s', (words, retryAfterMs) => {
    expect(limitAnnounced(words, false, NOW)).toEqual(retryAfterMs === undefined ? {} : { retryAfterMs });
  });

  test.each([
    'Implemented the rate limit middleware; 3 tests still fail in rate_limit.test.js',
    'The server answers 429 once the quota is used up.',
    'FAIL rate-limit.test.js: expected 429, got 200',
    'I added a retry after 2 s where the usage limit is hit.',
    '429 lines changed in 3 files? No: see the diff.'.replace('429 lines', 'In all 429 lines'),
    'done',
    '',
  ])('is not told from talk about work: %s', (words) => {
    expect(limitAnnounced(words)).toBeUndefined();
  });

  test('that ends well has to say when the limit ends', () => {
    expect(limitAnnounced('Rate limit reached', true)).toBeUndefined();
    expect(limitAnnounced('Rate limit reached, try again in 5 s', true)).toEqual({ retryAfterMs: 5000 });
  });
});
