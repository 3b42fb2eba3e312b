import type { Style } from '../observers/style.ts';
import { displayWidth, oneLine } from '../observers/text-width.ts';
import { signedRows } from './signed-rows.ts';

/** A plug-in as `loopgen list` shows it. */
export interface Listed {
  /** `drivers`, `evaluators`, `tasks`, `observers`. */
  readonly kind: string;
  readonly name: string;
  readonly description: string;
  readonly available: boolean;
  /** What it lacks, or how it stands with what it leads; a line each. */
  readonly notes?: readonly string[];
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

function lines({ name, description, available, notes = [] }: Listed, width: number, style: Style): string[] {
  const { colours, symbols } = style;
  const sign = available ? colours.green(symbols.pass) : colours.red(symbols.fail);
  return [
    ...signedRows({ sign, name, text: description, width }, style),
    ...notes.flatMap((text) => signedRows({ sign: ' ', name: '', text, width }, style)),
  ];
}
