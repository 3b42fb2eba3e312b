import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LoopgenError, messageOf } from '../core/error.ts';
import type { Event, Progress } from '../core/event.ts';
import type { Observer } from '../core/plugin.ts';
import type { Ports } from '../core/ports.ts';
import type { Report } from '../core/report.ts';
import { Journal } from '../journal/journal.ts';
import { indexRun, makeRunDir, newRunId } from '../journal/state.ts';
import { createNotifier, type Notifier } from '../observers/notify.ts';
import { monotonicMs } from '../system/clock.ts';

export interface RecordsOptions {
  readonly name: string;
  readonly stateDir: string;
  readonly userState: string;
  readonly observers: readonly Observer[];
  readonly notice?: ((message: string) => void) | undefined;
}

/** The records of one run: its folder, its journal, and the observers that see each event after it is written. */
export class Records {
  readonly runId: string;
  /** `runs/<run-id>/` in the state folder. */
  readonly dir: string;
  readonly #journal: Journal;
  readonly #notifier: Notifier;
  readonly #notice: (message: string) => void;
  readonly #index: () => void;
  readonly #began = monotonicMs();
  #warnings: string[] = [];
  #finished = false;

  constructor(options: RecordsOptions) {
    const now = new Date();
    this.runId = newRunId(options.name, now);
    within(options.userState, () => mkdirSync(options.userState, { recursive: true, mode: 0o700 }));
    this.dir = within(options.stateDir, () => makeRunDir(options.stateDir, this.runId));
    this.#journal = new Journal(join(this.dir, 'events.jsonl'));
    this.#notice = options.notice ?? (() => {});
    this.#notifier = createNotifier(options.observers, {
      warn: (message) => (this.#finished ? this.#notice(message) : this.warn(message)),
    });
    this.#index = () =>
      indexRun(options.userState, {
        runId: this.runId,
        dir: this.dir,
        spec: options.name,
        startedAt: now.toISOString(),
      });
  }

  /** The run is going to be: it is found by the index from now on. */
  announce(): void {
    this.#index();
  }

  /** There was no run after all. */
  discard(): void {
    this.#journal.close();
    rmSync(this.dir, { recursive: true, force: true });
  }

  /** A caveat for the report; the engine picks it up at its next ruling. */
  readonly warn = (message: string): void => {
    this.#warnings.push(message);
  };

  readonly file = (name: string): string => join(this.dir, name);

  readonly progress = (progress: Progress): void => this.#notifier.onProgress(progress);

  readonly ports: Pick<Ports, 'now' | 'elapsed' | 'notify' | 'failure' | 'takeWarnings' | 'recordFile'> = {
    now: () => Date.now(),
    elapsed: () => Math.round(monotonicMs() - this.#began),
    notify: (event: Event) => {
      this.#journal.append(event);
      this.#notifier.onEvent(event);
    },
    failure: () => this.#journal.failure,
    takeWarnings: () => {
      const taken = this.#warnings;
      this.#warnings = [];
      return taken;
    },
    recordFile: this.file,
  };

  /** Writes `report.json` and waits for the observers. */
  async finish(report: Report): Promise<void> {
    this.#finished = true;
    try {
      writeFileSync(this.file('report.json'), `${JSON.stringify(report, null, 2)}\n`);
    } catch (error) {
      // The disk may be full, which is what the report says then; the caller gets it all the same.
      this.#notice(`the report could not be kept: ${messageOf(error)}`);
    }
    await this.#notifier.close();
  }

  async close(): Promise<void> {
    if (!this.#finished) await this.#notifier.close();
    try {
      this.#journal.close();
    } catch (error) {
      throw new Error(`the journal could not be closed: ${messageOf(error)}`, { cause: error });
    }
  }
}

function within<T>(folder: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    throw new LoopgenError('bad-state-dir', `no records can be kept in ${folder}: ${messageOf(error)}`, {
      hint: 'another folder is set by --state-dir, that of the user by XDG_STATE_HOME',
    });
  }
}
