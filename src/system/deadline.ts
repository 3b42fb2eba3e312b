/** Why a call is stopped from outside. */
export type StopCause = 'timed-out' | 'idle' | 'aborted';

export interface Limits {
  readonly timeoutMs?: number;
  readonly idleTimeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** Larger ones would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The first limit that passes. `activity` starts the idle clock again; `release` lets go of clocks and signal. */
export function firstCause(limits: Limits): {
  readonly cause: Promise<StopCause>;
  readonly activity: () => void;
  readonly release: () => void;
} {
  const { promise, resolve } = deferred<StopCause>();
  const clock = (ms: number | undefined, cause: StopCause) =>
    ms === undefined ? undefined : setTimeout(() => resolve(cause), Math.min(ms, LONGEST_TIMER_MS));
  const total = clock(limits.timeoutMs, 'timed-out');
  const idle = clock(limits.idleTimeoutMs, 'idle');
  const onAbort = () => resolve('aborted');
  limits.signal?.addEventListener('abort', onAbort, { once: true });
  if (limits.signal?.aborted) onAbort();
  return {
    cause: promise,
    activity: () => idle?.refresh(),
    release: () => {
      clearTimeout(total);
      clearTimeout(idle);
      limits.signal?.removeEventListener('abort', onAbort);
    },
  };
}

/** Resolves when `promise` does, at the latest after `ms`. */
export async function within(ms: number, promise: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = deferred<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([promise, late]);
  clearTimeout(timer);
}

function deferred<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
