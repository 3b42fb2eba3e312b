import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { messageOf } from '../core/error.ts';
import type { Event } from '../core/event.ts';

/**
 * The record of a run: one JSON event a line, appended as it happens. Report,
 * trace and artefacts are projections of it.
 */
export class Journal {
  readonly file: string;
  readonly #fd: number;
  #failure: string | undefined;
  #closed = false;

  constructor(file: string) {
    this.file = file;
    this.#fd = openSync(file, 'a', 0o600);
  }

  /** What kept the last event from being written (disk full); the run must end then. */
  get failure(): string | undefined {
    return this.#failure;
  }

  /** Appends one event. Never throws: see `failure`. */
  append(event: Event): void {
    const size = fstatSync(this.#fd).size;
    try {
      const line = Buffer.from(`${JSON.stringify(event)}\n`);
      for (let written = 0; written < line.length; ) written += writeSync(this.#fd, line, written);
      if (event.type === 'run.finished') fdatasyncSync(this.#fd);
      else if (DURABLE.has(event.type)) this.#makeDurable();
    } catch (error) {
      this.#fail(error);
      this.#cut(size);
    }
  }

  /** Beside the run, which must not wait for a disk that is slow or busy. */
  #makeDurable(): void {
    fdatasync(this.#fd, (error) => {
      if (error && !this.#closed) this.#fail(error);
    });
  }

  #fail(error: unknown): void {
    this.#failure ??= `the journal cannot be written: ${messageOf(error)} (${this.file})`;
  }

  /** Half a line would swallow the events that still find room. */
  #cut(size: number): void {
    try {
      ftruncateSync(this.#fd, size);
    } catch {
      // A device, or a disk that is gone: a torn end is what readers pass over.
    }
  }

  close(): void {
    this.#closed = true;
    closeSync(this.#fd);
  }
}

/** Events that must outlive a power cut, at least one that comes a moment later; the last event is waited for. */
const DURABLE: ReadonlySet<Event['type']> = new Set([
  'run.started',
  'baseline.judged',
  'agent.finished',
  'iteration.judged',
]);

/**
 * The events of a journal. A torn last line, as a crash leaves it, is passed
 * over; anything else that is no event ends the reading there.
 */
export function readJournal(file: string): readonly Event[] {
  const events: Event[] = [];
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const event = parse(line);
    if (!event) break;
    events.push(event);
  }
  return events;
}

function parse(line: string): Event | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'type' in value ? (value as Event) : undefined;
  } catch {
    // A torn line: the crash came while it was written, so nothing after it counts.
    return undefined;
  }
}
