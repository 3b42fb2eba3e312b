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
  /** True where it can be used, but something is to be said: a log-in that is missing, say. */
  readonly doubtful?: boolean;
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

function lines(plugin: Listed, width: number, style: Style): string[] {
  const { name, description, notes = [] } = plugin;
  const sign = signOf(plugin, style);
  return [
    ...signedRows({ sign, name, text: description, width }, style),
    ...notes.flatMap((text) => signedRows({ sign: ' ', name: '', text, width }, style)),
  ];
}

function signOf({ available, doubtful }: Listed, { colours, symbols }: Style): string {
  if (!available) return colours.red(symbols.fail);
  return doubtful === true ? colours.yellow(symbols.unusable) : colours.green(symbols.pass);
}
