import type { Generated, Model, ModelFailure, ModelRequest } from './model.ts';

/** Monotonic time, as a port so that tests need not wait. */
export interface Clock {
  /** Milliseconds since some fixed point. */
  now(): number;
  /** Resolves after `ms`, or at once when the signal aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal.aborted) return resolve();
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end, { once: true });
    }),
};

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * The same model, which waits out rate limits inside one call: as long as the
 * server asks (`retryAfterMs`), else 2 s, 4 s, … up to 60 s, together at most
 * `maxWaitMs`. So a busy server never counts as an iteration.
 */
export function withPatience(model: Model, maxWaitMs: number, clock: Clock = realClock): Model {
  return { name: model.name, generate: (request) => generatePatiently(model, request, maxWaitMs, clock) };
}

async function generatePatiently(
  model: Model,
  request: ModelRequest,
  maxWaitMs: number,
  clock: Clock,
): Promise<Generated> {
  const began = clock.now();
  for (let attempt = 0; ; attempt++) {
    const answer = await model.generate(request);
    if (!('failed' in answer) || answer.failed !== 'rate-limited') return answer;
    const wait = answer.retryAfterMs ?? Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS);
    const waited = clock.now() - began;
    if (waited + wait > maxWaitMs) return outOfPatience(answer, waited, wait, maxWaitMs);
    request.onProgress(`rate limit of ${model.name}: asking again in ${seconds(wait)}`);
    await clock.sleep(wait, request.signal);
    if (request.signal.aborted)
      return { failed: 'aborted', message: 'stopped while waiting for a rate limit' };
  }
}

function outOfPatience(answer: ModelFailure, waited: number, wait: number, maxWaitMs: number): ModelFailure {
  const message =
    `${answer.message}; waited ${seconds(waited)}, and another ${seconds(wait)} would be more than ` +
    `driver.options.maxWaitMs allows (${seconds(maxWaitMs)})`;
  return { ...answer, message };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
