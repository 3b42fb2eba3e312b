import type { Generated, Model, ModelRequest } from './model.ts';

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

/** A server that wants to be left alone for a while. */
export interface Limited {
  /** Milliseconds from now, where it says so. */
  readonly retryAfterMs?: number;
}

export interface Patience {
  /** Who is waited for. */
  readonly name: string;
  /** Longest wait in all. */
  readonly maxWaitMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Takes what is waited for. */
  readonly waiting: (what: string) => void;
}

/** The last answer; with it, why no further one was waited for. */
export interface Patiently<T> {
  readonly answer: T;
  readonly gaveUp?: 'aborted' | { readonly because: string };
}

/**
 * Asks again as long as the answer is a rate limit: after the time that the server names, else after 2 s, 4 s, … up to
 * 60 s, together at most `maxWaitMs`. So a busy server never counts as an iteration.
 */
export async function patiently<T>(
  patience: Patience,
  ask: () => Promise<T>,
  limitOf: (answer: T) => Limited | undefined,
): Promise<Patiently<T>> {
  const { name, maxWaitMs, clock, signal, waiting } = patience;
  let slept = 0;
  for (let attempt = 0; ; attempt++) {
    const answer = await ask();
    const limit = limitOf(answer);
    if (!limit) return { answer };
    const wait = limit.retryAfterMs ?? Math.min(FIRST_WAIT_MS * 2 ** attempt, LONGEST_WAIT_MS);
    if (slept + wait > maxWaitMs) {
      return { answer, gaveUp: { because: outOfPatience(slept, wait, maxWaitMs) } };
    }
    waiting(`rate limit of ${name}: asking again in ${seconds(wait)}`);
    await clock.sleep(wait, signal);
    slept += wait;
    if (signal.aborted) return { answer, gaveUp: 'aborted' };
  }
}

function outOfPatience(slept: number, wait: number, maxWaitMs: number): string {
  const [before, next] = slept > 0 ? [`waited ${seconds(slept)}, and `, 'another'] : ['', 'a wait of'];
  return `${before}${next} ${seconds(wait)} would be more than driver.options.maxWaitMs allows (${seconds(maxWaitMs)})`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}

/** The same model, which waits out rate limits inside one call. */
export function withPatience(model: Model, maxWaitMs: number, clock: Clock = realClock): Model {
  return { name: model.name, generate: (request) => generatePatiently(model, request, maxWaitMs, clock) };
}

async function generatePatiently(
  model: Model,
  request: ModelRequest,
  maxWaitMs: number,
  clock: Clock,
): Promise<Generated> {
  const { answer, gaveUp } = await patiently(
    { name: model.name, maxWaitMs, clock, signal: request.signal, waiting: request.onProgress },
    () => model.generate(request),
    (generated) => ('failed' in generated && generated.failed === 'rate-limited' ? generated : undefined),
  );
  if (gaveUp === 'aborted') {
    return { failed: 'aborted', message: 'stopped while waiting for a rate limit' };
  }
  if (gaveUp === undefined || !('failed' in answer)) return answer;
  return { ...answer, message: `${answer.message}; ${gaveUp.because}` };
}

const LIMITED =
  /\brate[ _-]?limit|too many requests|\b(?:usage|request|session|hourly|daily|weekly|monthly|credit|spending)[ _-]limit\b|\bquota\b|\boverloaded\b|\bout of (?:premium )?(?:credits|requests)\b|\bhit your limit\b/i;
const LIMIT_STATUS = /(?:^|\b(?:status|code|http|error)\b[ :(/"\d.]*)(?:429|529)\b/i;

/** The rate limit that an error of a server or an agent tells of; `undefined` where it is something else. `now`: wall clock. */
export function rateLimitIn(message: string, status?: number, now = Date.now()): Limited | undefined {
  const isLimited = status === 429 || status === 529 || LIMITED.test(message) || LIMIT_STATUS.test(message);
  if (!isLimited) return undefined;
  const ms = waitIn(message, now);
  return ms === undefined ? {} : { retryAfterMs: ms };
}

/** How a line begins in which an agent says that it is held back: `API error 429: …`, `You've hit your usage limit.` */
const HELD_BACK = new RegExp(
  [
    String.raw`^(?:you(?:'ve|’ve| have)? )?(?:hit|reached|exceeded) (?:your|the|its|our)\b[\w ]{0,30}\b(?:limit|quota)\b`,
    String.raw`^(?:your |the )?(?:rate|usage|request|session|hourly|daily|weekly|monthly|credit|spending)[ _-]limit (?:was |has been |is )?(?:reached|exceeded|hit)\b`,
    String.raw`^(?:claude |codex |[\w.]+ )?(?:usage|ai usage) limit reached\b`,
    String.raw`^(?:your |the )?quota (?:was |has been |is )?(?:exceeded|exhausted|used up)\b|^out of (?:premium )?(?:credits|requests)\b`,
    String.raw`^too many requests\b|^(?:rate_limit|overloaded)(?:_error)?\b|^(?:the )?(?:model|server|api) is overloaded\b`,
    String.raw`^(?:(?:http|status|code|error)[ :(]*){0,3}(?:429|529)\b|"(?:type|code)":\s*"(?:rate_limit|overloaded|insufficient_quota)`,
  ].join('|'),
  'i',
);
/** What stands before the words themselves: marks, and names as in `error: agent: …`. */
const BEFORE = /^[^\w"[]*(?:(?:\[[^\]]*\]|[\w./-]+(?: error)?:)[^\w"[]*){0,4}(?:api error\b[^\w"]*)?/i;
/** With when it ends, it is said by who waits for that. */
const UNTIL =
  /\b(?:try|retry)(?:ing)? again\b|\bretry[ _-]after\b|\bresets?\b|\bavailable (?:again|in|at)\b/i;

/**
 * The usage limit at which an agent broke off, from the last words of what it says itself. Talk about rate limits, such
 * as a programmer's about their work, is none. `until`: only where it says when the limit ends, too.
 */
export function limitAnnounced(words: string, until = false, now = Date.now()): Limited | undefined {
  const line = words
    .split('\n')
    .find((one) => HELD_BACK.test(one.trim().replace(BEFORE, '')) || HELD_BACK.test(one.trim()));
  if (line === undefined || (until && !UNTIL.test(words))) return undefined;
  const ms = waitIn(words, now);
  return ms === undefined ? {} : { retryAfterMs: ms };
}

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const WAIT =
  /(?:retry[ _-]?after|(?:try|retry)(?:ing)? again (?:in|after)|resets? in)["' :=]*((?:about )?\d[^,;.!)\n]*(?:\.\d+[^,;.!)\n]*)?)/i;
const SPAN = /(\d+(?:\.\d+)?)\s*(ms|millis|s|m|h|d)?/gi;

function waitIn(message: string, now: number): number | undefined {
  // A moment in seconds since 1970 after a bar.
  const moment = /limit reached\|(\d{10})\b/i.exec(message)?.[1];
  if (moment !== undefined) return Math.max(0, Number(moment) * 1000 - now);
  const said = WAIT.exec(message)?.[1];
  if (said === undefined) return untilMoment(message, now);
  let sum = 0;
  for (const [, amount, unit = 's'] of said.matchAll(SPAN)) {
    const key = unit.toLowerCase().startsWith('mi') ? 'ms' : unit.toLowerCase();
    sum += Number(amount) * UNIT_MS[key as keyof typeof UNIT_MS];
  }
  return sum;
}

/** A date with its time of day, of this machine's zone unless it names one. */
const MOMENT =
  /(?:try again|resets?|available again|retry)\b[^\n]{0,20}?\b(?:at|on)\s+([^.!)\n]*\d{4}[^.!)\n]*\d:\d\d(?::\d\d)?(?:\s*(?:[ap]m|UTC|GMT|Z))?)/i;

function untilMoment(message: string, now: number): number | undefined {
  const moment = Date.parse(MOMENT.exec(message)?.[1] ?? '');
  return Number.isNaN(moment) || moment < now ? undefined : moment - now;
}
