import type { Style } from './style.ts';
import { cut, oneLine } from './text-width.ts';

/** The part of a stream that is needed to write on it. */
export interface Screen {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
}

export interface StatusLineOptions {
  readonly screen: Screen;
  readonly style: Style;
  /** False where the stream is no terminal: then there is no line at all. */
  readonly live: boolean;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

const FRAME_MS = 120;
/** Back to the first column, and nothing is left of the line. */
const CLEAR = '\r\u001b[K';

/** The last line of a terminal, which says what goes on. Nothing of it stays when it is hidden. */
export class StatusLine {
  readonly #options: StatusLineOptions;
  #text: ((elapsedMs: number) => string) | undefined;
  #since = 0;
  #frame = 0;
  #drawn = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: StatusLineOptions) {
    this.#options = options;
  }

  /** Shows `text`, drawn again as time goes by; its clock starts now. */
  show(text: (elapsedMs: number) => string): void {
    if (!this.#options.live) return;
    this.#text = text;
    this.#since = this.#options.now();
    this.#timer ??= setInterval(() => this.#draw(), FRAME_MS).unref();
    this.#draw();
  }

  /** Other words, the same clock. */
  change(text: (elapsedMs: number) => string): void {
    if (this.#text) this.#text = text;
  }

  /** Writes whole lines above the status line, on its own stream or on another one of the same terminal. */
  print(lines: readonly string[], screen: Screen = this.#options.screen): void {
    if (lines.length === 0) return;
    this.#clear();
    screen.write(`${lines.join('\n')}\n`);
    this.#draw();
  }

  hide(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#text = undefined;
    this.#clear();
  }

  #draw(): void {
    if (!this.#text) return;
    const { screen, style, now } = this.#options;
    const { spinner, ellipsis } = style.symbols;
    const frame = spinner[this.#frame++ % spinner.length] ?? '';
    const text = cut(oneLine(this.#text(now() - this.#since)), style.width - 3, ellipsis);
    screen.write(`${CLEAR}${style.colours.cyan(frame)} ${text}`);
    this.#drawn = true;
  }

  #clear(): void {
    if (!this.#drawn) return;
    this.#drawn = false;
    this.#options.screen.write(CLEAR);
  }
}
