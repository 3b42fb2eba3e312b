/** A signal that aborts with `outer`, or, with the reason `timed-out`, when the time is up. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
  /** Settles `GRACE_MS` after the signal aborted; for work that does not heed it. */
  readonly passed: Promise<void>;
}

/** How long work may take to heed its signal. */
const GRACE_MS = 5_000;

/** `ms` undefined: no limit of its own. Dispose it when the work is done. */
export function deadline(outer: AbortSignal, ms: number | undefined): Deadline {
  const controller = new AbortController();
  const timers: NodeJS.Timeout[] = [];
  const onAbort = () => controller.abort(outer.reason);
  if (outer.aborted) onAbort();
  else outer.addEventListener('abort', onAbort, { once: true });
  // setTimeout takes 32-bit milliseconds; longer is as good as none.
  if (ms !== undefined && ms < 2 ** 31)
    timers.push(setTimeout(() => controller.abort('timed-out'), Math.max(ms, 0)));
  const passed = new Promise<void>((resolve) => {
    const wait = () => timers.push(setTimeout(resolve, GRACE_MS));
    if (controller.signal.aborted) wait();
    else controller.signal.addEventListener('abort', wait, { once: true });
  });
  return {
    signal: controller.signal,
    passed,
    [Symbol.dispose]() {
      for (const timer of timers) clearTimeout(timer);
      outer.removeEventListener('abort', onAbort);
    },
  };
}
