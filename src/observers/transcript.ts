import type { Event, Progress } from '../core/event.ts';
import type { Observer } from '../core/plugin.ts';
import { clock, labelled } from './phrases.ts';
import { type Screen, StatusLine } from './status-line.ts';
import type { Style } from './style.ts';
import { cut, harmless, oneLine } from './text-width.ts';
import { createTranscript } from './transcript-lines.ts';
import { waitingFor } from './waiting.ts';

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
  /** What the agent printed since its last whole line. */
  #partial = '';
  #driver = '';
  /** Waits that were told already, in this iteration, where there is no status line. */
  #waits = new Set<string>();

  constructor({ screen, style, live, verbose, now }: TranscriptOptions) {
    this.#style = style;
    this.#live = live;
    this.#verbose = verbose ?? false;
    this.#status = new StatusLine({ screen, style, live, now: now ?? (() => performance.now()) });
    this.#linesOf = createTranscript(style);
  }

  onEvent(event: Event): void {
    if (event.type === 'agent.finished') this.#flush();
    this.#status.print(this.#linesOf(event));
    if (event.type === 'iteration.started') {
      this.#driver = oneLine(event.driver);
      this.#waits = new Set();
    }
    if (event.type === 'agent.acted') this.#acted(event.tool, event.input);
    else this.#follow(event);
  }

  onProgress(progress: Progress): void {
    if (progress.type === 'agent.output') this.#output(progress.text);
    else this.#wait(oneLine(progress.what));
  }

  close(): void {
    this.#flush();
    this.#status.hide();
  }

  #follow(event: Event): void {
    if (event.type === 'run.finished') this.#status.hide();
    const what = waitingFor(event);
    if (what === undefined) return;
    const { dot } = this.#style.symbols;
    const who = event.type === 'iteration.started' ? ` ${dot} ${this.#driver}` : '';
    this.#status.show((ms) => `${what} ${dot} ${clock(ms)}${who}`);
  }

  #acted(tool: string, input: string | undefined): void {
    const step = oneLine(`${tool} ${input ?? ''}`);
    const { dot, ellipsis } = this.#style.symbols;
    this.#status.change((ms) => `agent working ${dot} ${clock(ms)} ${dot} ${this.#driver} ${dot} ${step}`);
    if (this.#verbose) this.#dim(`${dot} ${cut(step, this.#style.width - 6, ellipsis)}`);
  }

  #wait(what: string): void {
    const { dot } = this.#style.symbols;
    this.#status.change((ms) => `${what} ${dot} ${clock(ms)} ${dot} ${this.#driver}`);
    // Without a status line each kind of wait is told once, not each number in it.
    const kind = what.replace(/\d+/g, '');
    if (this.#live || this.#waits.has(kind)) return;
    this.#waits.add(kind);
    this.#status.print(labelled('waiting', what, this.#style));
  }

  /** Whole lines only, so that the status line and two chunks of one line do not mix. */
  #output(text: string): void {
    if (!this.#verbose) return;
    const lines = (this.#partial + text).split('\n');
    this.#partial = lines.pop() ?? '';
    if (this.#partial.length > LONGEST_LINE) {
      lines.push(this.#partial);
      this.#partial = '';
    }
    for (const line of lines) this.#dim(`${this.#style.symbols.bar} ${harmless(line).replaceAll('\n', ' ')}`);
  }

  #flush(): void {
    if (this.#partial !== '') this.#output('\n');
  }

  #dim(line: string): void {
    this.#status.print([this.#style.colours.dim(`  ${line}`)]);
  }
}

/** Characters of an unfinished line that are kept before it is shown as it is. */
const LONGEST_LINE = 4096;
