import type { Check } from '../core/check.ts';
import type { Event, Progress } from '../core/event.ts';
import type { Observer } from '../core/plugin.ts';
import { LiveOutput } from '../observers/live-output.ts';
import { labelled } from '../observers/phrases.ts';
import { type Screen, StatusLine } from '../observers/status-line.ts';
import type { Style } from '../observers/style.ts';
import { oneLine } from '../observers/text-width.ts';
import { createTranscript } from '../observers/transcript-lines.ts';
import { Waiting } from '../observers/waiting.ts';
import type { Context, Flags } from './context.ts';
import { attemptHead, attemptStatus, replyPanels, tracebackPanel } from './render-tdd.ts';
import { isLive, styleFor } from './style.ts';

/** The panels of `tdd run` on standard output, what it waits for on standard error; nothing with `--log-level quiet`. */
export function tddScreen(context: Context, flags: Flags): readonly Observer[] {
  if (flags['logLevel'] === 'quiet') return [];
  const { stdout, stderr, env } = context;
  // With --json standard output belongs to the report.
  const out = flags['json'] === true ? stderr : stdout;
  return [
    tddObserver({
      out,
      style: styleFor(out, env),
      err: stderr,
      statusStyle: styleFor(stderr, env),
      live: isLive(stderr, env),
      model: typeof flags['replay'] === 'string' ? 'replay' : String(flags['model']),
      verbose: flags['verbose'] === true || flags['logLevel'] === 'debug',
    }),
  ];
}

/** Of a challenge in a benchmark: only the status line, on a terminal. */
export function benchmarkScreen(
  { stderr, env }: Context,
  flags: Flags,
  challenge: string,
): readonly Observer[] {
  if (flags['logLevel'] === 'quiet' || !isLive(stderr, env)) return [];
  const style = styleFor(stderr, env);
  const status = new StatusLine({ screen: stderr, style, live: true, now: () => performance.now() });
  const waiting = new Waiting({
    status,
    dot: style.symbols.dot,
    working: 'generating',
    title: oneLine(challenge),
  });
  return [
    {
      name: 'benchmark-screen',
      onEvent: (event) => waiting.follow(event),
      onProgress: (progress) => {
        if (progress.type === 'waiting') waiting.waits(oneLine(progress.what));
      },
      close: async () => status.hide(),
    },
  ];
}

export interface TddScreenOptions {
  readonly out: Screen;
  readonly style: Style;
  readonly err: Screen;
  readonly statusStyle: Style;
  readonly live: boolean;
  readonly model: string;
  readonly verbose: boolean;
  /** Monotonic milliseconds. Default: those of this process. */
  readonly now?: () => number;
}

/** Shows each attempt as it happens: reasoning, code, first traceback, status. */
export function tddObserver(options: TddScreenOptions): Observer {
  const screen = new TddScreen(options);
  return {
    name: 'tdd-screen',
    onEvent: (event) => screen.onEvent(event),
    onProgress: (progress) => screen.onProgress(progress),
    close: async () => screen.close(),
  };
}

class TddScreen {
  readonly #options: TddScreenOptions;
  readonly #status: StatusLine;
  readonly #output: LiveOutput;
  readonly #waiting: Waiting;
  /** Lines of events that are the same for every face. */
  readonly #linesOf: (event: Event) => string[];
  #maxAttempts = 0;
  #modelMs = 0;
  #checks: readonly Check[] = [];

  constructor(options: TddScreenOptions) {
    const { err, statusStyle, live, now, model } = options;
    this.#options = options;
    this.#status = new StatusLine({
      screen: err,
      style: statusStyle,
      live,
      now: now ?? (() => performance.now()),
    });
    this.#output = new LiveOutput(this.#status, statusStyle);
    const { dot } = statusStyle.symbols;
    this.#waiting = new Waiting({ status: this.#status, dot, working: 'generating', who: model });
    this.#linesOf = createTranscript(options.style);
  }

  onEvent(event: Event): void {
    if (event.type === 'agent.finished') this.#output.flush();
    this.#status.print(this.#panels(event), this.#options.out);
    this.#waiting.follow(event);
  }

  onProgress(progress: Progress): void {
    if (progress.type === 'waiting') this.#waiting.waits(oneLine(progress.what));
    else if (this.#options.verbose) this.#output.add(progress.text);
  }

  close(): void {
    this.#output.flush();
    this.#status.hide();
  }

  #panels(event: Event): string[] {
    const { style, model } = this.#options;
    const shared = this.#linesOf(event);
    switch (event.type) {
      case 'run.started':
        this.#maxAttempts = event.limits.maxIterations;
        return [];
      case 'iteration.started':
        this.#checks = [];
        return attemptHead(event.iteration + 1, this.#maxAttempts, model, style);
      case 'agent.finished':
        this.#modelMs = event.durationMs;
        return replyPanels(event.result, style);
      case 'check.finished':
        if (event.phase === 'iteration') this.#checks = [...this.#checks, event.check];
        return [];
      case 'iteration.judged':
        return [...tracebackPanel(this.#checks, style), attemptStatus(this.#checks, this.#modelMs, style)];
      case 'confirmation.judged':
        return event.verdict.status === 'pass' ? [] : shared;
      case 'baseline.judged':
        return event.verdict.status === 'pass' ? labelled('baseline', 'green before any attempt', style) : [];
      case 'edit.refused':
      case 'workspace.reverted':
      case 'warned':
      case 'run.aborted':
      case 'run.failed':
        return shared;
      default:
        return [];
    }
  }
}
