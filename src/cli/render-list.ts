import type { Style } from '../observers/style.ts';
import { displayWidth, oneLine, padEnd, wrap } from '../observers/text-width.ts';

/** A plug-in as `loopgen list` shows it. */
export interface Listed {
  /** `drivers`, `evaluators`, `tasks`, `observers`. */
  readonly kind: string;
  readonly name: string;
  readonly description: string;
  /** A binary that must be on PATH. */
  readonly needs?: string;
  readonly available: boolean;
}

/** One block a kind, in the order of the list. */
export function renderList(listed: readonly Listed[], style: Style): string {
  const names = Math.max(0, ...listed.map(({ name }) => displayWidth(oneLine(name))));
  const kinds = [...new Set(listed.map(({ kind }) => kind))];
  return kinds
    .map((kind) =>
      [
        style.colours.bold(kind),
        ...listed.filter((plugin) => plugin.kind === kind).flatMap((plugin) => lines(plugin, names, style)),
      ].join('\n'),
    )
    .join('\n\n');
}

function lines({ name, description, needs, available }: Listed, width: number, style: Style): string[] {
  const { colours, symbols } = style;
  const sign = available ? colours.green(symbols.pass) : colours.red(symbols.fail);
  const missing = available ? '' : `needs ${needs ?? 'something'}, not found on PATH; `;
  const text = wrap(missing + oneLine(description), style.width - width - 6);
  return text.map((line, i) =>
    i === 0 ? `  ${sign} ${padEnd(oneLine(name), width)}  ${line}` : ' '.repeat(width + 6) + line,
  );
}
