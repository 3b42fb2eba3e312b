import type { Event, Phase } from '../core/event.ts';
import { clock } from './phrases.ts';
import type { StatusLine } from './status-line.ts';
import { oneLine } from './text-width.ts';

export interface WaitingOptions {
  readonly status: StatusLine;
  /** Between the parts. */
  readonly dot: string;
  /** Before all else, for example the name of a challenge. */
  readonly title?: string;
  /** What a turn is called. Default `agent working`. */
  readonly working?: string;
  /** Whose turn it is. Default: the driver. */
  readonly who?: string;
}

/** Keeps the status line on what the run waits for: words, elapsed time, and whose turn it is. */
export class Waiting {
  readonly #options: WaitingOptions;
  #who = '';

  constructor(options: WaitingOptions) {
    this.#options = options;
  }

  follow(event: Event): void {
    const { status, working, who } = this.#options;
    if (event.type === 'run.finished') status.hide();
    else if (event.type === 'iteration.started') {
      this.#who = who ?? oneLine(event.driver);
      status.show(this.#line(working ?? 'agent working', this.#who));
    } else {
      const what = waitingFor(event);
      if (what !== undefined) status.show(this.#line(what));
    }
  }

  /** The driver says what its turn waits for. */
  waits(what: string): void {
    this.#options.status.change(this.#line(what, this.#who));
  }

  /** The agent took a step. */
  acts(step: string): void {
    this.#options.status.change(this.#line(this.#options.working ?? 'agent working', this.#who, step));
  }

  #line(what: string, ...rest: readonly string[]): (elapsedMs: number) => string {
    const { title, dot } = this.#options;
    return (ms) => [title ?? '', what, clock(ms), ...rest].filter((part) => part !== '').join(` ${dot} `);
  }
}

/** What the run waits for after an event; undefined where that stays as it was. */
function waitingFor(event: Event): string | undefined {
  switch (event.type) {
    case 'run.started':
      return 'looking whether it can run';
    case 'agent.finished':
      return 'looking at the changes';
    case 'check.started':
      return `${PHASES[event.phase]} ${oneLine(event.name)}`;
    case 'run.aborted':
      return 'stopping';
    default:
      return undefined;
  }
}

const PHASES: Readonly<Record<Phase, string>> = {
  baseline: 'check',
  iteration: 'check',
  confirm: 'trying the green again: check',
};
