import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** Longer than any tick of a kernel's clock. */
const LONGEST_TICK_MS = 30;
/** When wall clock and monotonic clock drift apart by more, the wall clock was set. */
const CLOCK_WAS_SET_MS = 500;

interface Window {
  /** In the file system's own time, both ends included. */
  readonly from: number;
  readonly until: number;
  readonly offset: number;
}

/**
 * The times in which checks ran, so that what they write is not taken for the agent's. Times are those that the
 * file system stamps on files: its clock is coarse (a tick of 4 to 10 ms) and lags behind `Date.now()`, so a probe
 * file is stamped at both ends, and a window closes only when the clock has ticked on: a file with a later stamp
 * is certainly not the checks'. Where the wall clock was set meanwhile, or the workspace has a clock of its own (a
 * network file system), nothing is known, and a change counts as the agent's.
 */
export class CheckWindows {
  readonly #probe: string;
  #windows: Window[] = [];

  /** `probe`: a file that may be written, outside the workspace. */
  constructor(probe: string) {
    this.#probe = probe;
    writeFileSync(probe, '');
  }

  async during<T>(run: () => Promise<T>): Promise<T> {
    const from = this.#now();
    const offset = clockOffset();
    try {
      return await run();
    } finally {
      const until = this.#now();
      await this.#tickAfter(until);
      this.#windows.push({ from, until, offset });
    }
  }

  /** Whether a change stamped at this time was made by checks; hands the windows over and forgets them. */
  take(): (ctimeMs: number | undefined) => boolean {
    const now = clockOffset();
    const valid = this.#windows.filter(({ offset }) => Math.abs(now - offset) < CLOCK_WAS_SET_MS);
    this.#windows = [];
    return (at) => at !== undefined && valid.some(({ from, until }) => at >= from && at <= until);
  }

  #now(): number {
    const now = Date.now() / 1000;
    utimesSync(this.#probe, now, now);
    return statSync(this.#probe).ctimeMs;
  }

  async #tickAfter(moment: number): Promise<void> {
    const began = performance.now();
    while (this.#now() <= moment && performance.now() - began < LONGEST_TICK_MS) await delay(1);
  }
}

function clockOffset(): number {
  return Date.now() - performance.now();
}
