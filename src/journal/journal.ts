import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
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
    try {
      writeSync(this.#fd, `${JSON.stringify(event)}\n`);
      if (DURABLE.has(event.type)) fdatasyncSync(this.#fd);
    } catch (error) {
      this.#failure ??= `the journal cannot be written: ${messageOf(error)} (${this.file})`;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}

/** Events that must outlive a power cut. */
const DURABLE: ReadonlySet<Event['type']> = new Set([
  'run.started',
  'baseline.judged',
  'agent.finished',
  'iteration.judged',
  'run.finished',
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
