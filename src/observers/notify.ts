import { messageOf } from '../core/error.ts';
import type { Event, Progress } from '../core/event.ts';
import type { Observer } from '../core/plugin.ts';

/** Passes everything that happens on to the observers of a run. */
export interface Notifier {
  /** Never throws and never waits: an observer that is slow gets its events later, in order. */
  onEvent(event: Event): void;
  onProgress(progress: Progress): void;
  /** Waits until each observer has seen all and has closed, at most `closeMs` each. Never rejects. */
  close(): Promise<void>;
}

export interface NotifierOptions {
  /** Told once of each observer that fails; it gets nothing more, but is still closed. */
  readonly warn: (message: string) => void;
  /** Default 5000. */
  readonly closeMs?: number;
}

/**
 * One notifier for one run. Observers are called in their order. They get a copy
 * of each event, so that none can change what the run rests on.
 */
export function createNotifier(observers: readonly Observer[], options: NotifierOptions): Notifier {
  const seats = observers.map((observer) => new Seat(observer, options.warn));
  return {
    onEvent(event) {
      const copy = copyOf(event);
      for (const seat of seats) seat.give(copy);
    },
    onProgress(progress) {
      for (const seat of seats) seat.show(progress);
    },
    async close() {
      await Promise.all(seats.map((seat) => seat.close(options.closeMs ?? 5000)));
    },
  };
}

/** What a plug-in puts into a result may be no plain data; then all see the event itself. */
function copyOf(event: Event): Event {
  try {
    return structuredClone(event);
  } catch {
    return event;
  }
}

/** One observer with the events that it has not seen yet. */
class Seat {
  readonly #observer: Observer;
  readonly #warn: (message: string) => void;
  /** The events that wait, chained; absent while the observer is up to date. */
  #pending: Promise<void> | undefined;
  #dropped = false;

  constructor(observer: Observer, warn: (message: string) => void) {
    this.#observer = observer;
    this.#warn = warn;
  }

  give(event: Event): void {
    if (this.#dropped) return;
    if (this.#pending) {
      this.#wait(this.#pending.then(() => (this.#dropped ? undefined : this.#observer.onEvent(event))));
      return;
    }
    try {
      const result = this.#observer.onEvent(event);
      if (isPromise(result)) this.#wait(result);
    } catch (error) {
      this.#drop(error);
    }
  }

  show(progress: Progress): void {
    if (this.#dropped) return;
    try {
      this.#observer.onProgress?.(progress);
    } catch (error) {
      this.#drop(error);
    }
  }

  async close(closeMs: number): Promise<void> {
    const closing = async () => {
      await this.#pending;
      await this.#observer.close?.();
    };
    try {
      if (await inTime(closing(), closeMs)) return;
      this.#drop(`it did not close within ${closeMs / 1000} s`);
    } catch (error) {
      this.#drop(error);
    }
  }

  #wait(work: PromiseLike<void>): void {
    const settled: Promise<void> = Promise.resolve(work)
      .catch((error: unknown) => this.#drop(error))
      .then(() => {
        if (this.#pending === settled) this.#pending = undefined;
      });
    this.#pending = settled;
  }

  #drop(error: unknown): void {
    if (this.#dropped) return;
    this.#dropped = true;
    this.#warn(`observer ${this.#observer.name} failed and is dropped: ${messageOf(error)}`);
  }
}

const isPromise = (value: unknown): value is PromiseLike<void> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';

/** True when `work` settles in time; its rejection is passed on. */
async function inTime(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
