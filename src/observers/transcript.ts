import type { Event, Progress } from '../core/event.ts';
import type { Observer } from '../core/plugin.ts';
import { LiveOutput } from './live-output.ts';
import { labelled } from './phrases.ts';
import { type Screen, StatusLine } from './status-line.ts';
import type { Style } from './style.ts';
import { cut, oneLine } from './text-width.ts';
import { createTranscript } from './transcript-lines.ts';
import { Waiting } from './waiting.ts';

export interface TranscriptOptions {
  readonly screen: Screen;
  readonly style: Style;
  /** True on a terminal: a status line with spinner and elapsed time. */
  readonly live: boolean;
  /** Shows what the agent prints and does, as it does it. Default false. */
  readonly verbose?: boolean;
  /** Monotonic milliseconds. Default: those of this process. */
  readonly now?: () => number;
}

/** Tells a person what goes on, as it happens. */
export function transcriptObserver(options: TranscriptOptions): Observer {
  const transcript = new Transcript(options);
  return {
    name: 'transcript',
    onEvent: (event) => transcript.onEvent(event),
    onProgress: (progress) => transcript.onProgress(progress),
    close: async () => transcript.close(),
  };
}

class Transcript {
  readonly #style: Style;
  readonly #live: boolean;
  readonly #verbose: boolean;
  readonly #status: StatusLine;
  readonly #linesOf: (event: Event) => string[];
  readonly #output: LiveOutput;
  readonly #waiting: Waiting;
  /** Waits that were told already, in this iteration, where there is no status line. */
  #waits = new Set<string>();

  constructor({ screen, style, live, verbose, now }: TranscriptOptions) {
    this.#style = style;
    this.#live = live;
    this.#verbose = verbose ?? false;
    this.#status = new StatusLine({ screen, style, live, now: now ?? (() => performance.now()) });
    this.#linesOf = createTranscript(style);
    this.#output = new LiveOutput(this.#status, style);
    this.#waiting = new Waiting({ status: this.#status, dot: style.symbols.dot });
  }

  onEvent(event: Event): void {
    if (event.type === 'agent.finished') this.#output.flush();
    this.#status.print(this.#linesOf(event));
    if (event.type === 'iteration.started') this.#waits = new Set();
    this.#waiting.follow(event);
    if (event.type === 'agent.acted') this.#acted(oneLine(`${event.tool} ${event.input ?? ''}`));
  }

  onProgress(progress: Progress): void {
    if (progress.type === 'waiting') this.#wait(oneLine(progress.what));
    else if (this.#verbose) this.#output.add(progress.text);
  }

  close(): void {
    this.#output.flush();
    this.#status.hide();
  }

  #acted(step: string): void {
    this.#waiting.acts(step);
    if (!this.#verbose) return;
    const { dot, ellipsis } = this.#style.symbols;
    const line = `  ${dot} ${cut(step, this.#style.width - 4, ellipsis)}`;
    this.#status.print([this.#style.colours.dim(line)]);
  }

  #wait(what: string): void {
    this.#waiting.waits(what);
    // Without a status line each kind of wait is told once, not each number in it.
    const kind = what.replace(/\d+/g, '');
    if (this.#live || this.#waits.has(kind)) return;
    this.#waits.add(kind);
    this.#status.print(labelled('waiting', what, this.#style));
  }
}
