import type { StatusLine } from './status-line.ts';
import type { Style } from './style.ts';
import { harmless } from './text-width.ts';

/** Characters of an unfinished line that are kept before it is shown as it is. */
const LONGEST_LINE = 4096;

/** What an agent prints, dimmed, in whole lines only, so that two chunks of one line and the status line do not mix. */
export class LiveOutput {
  readonly #status: StatusLine;
  readonly #style: Style;
  #partial = '';

  constructor(status: StatusLine, style: Style) {
    this.#status = status;
    this.#style = style;
  }

  add(text: string): void {
    const lines = (this.#partial + text).split('\n');
    this.#partial = lines.pop() ?? '';
    if (this.#partial.length > LONGEST_LINE) {
      lines.push(this.#partial);
      this.#partial = '';
    }
    this.#status.print(lines.map((line) => this.#dim(line)));
  }

  /** Shows the line that was not finished. */
  flush(): void {
    if (this.#partial !== '') this.add('\n');
  }

  #dim(line: string): string {
    const text = harmless(line).replaceAll('\n', ' ');
    return this.#style.colours.dim(`  ${this.#style.symbols.bar} ${text}`);
  }
}
