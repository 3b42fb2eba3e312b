import type { Style } from '../observers/style.ts';
import { cut, oneLine, padEnd, padStart, wrap } from '../observers/text-width.ts';

/** One challenge of a benchmark. */
export interface BenchmarkRow {
  readonly challenge: string;
  readonly status: 'solved' | 'exhausted' | 'error';
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly durationMs: number;
  /** Why it ended in an error. */
  readonly reason?: string;
}

const HEAD = ['Challenge', 'Status', 'Attempts used', 'First-pass?', 'Total time (s)'] as const;

type Cells = readonly [string, string, string, string, string];

function cellsOf({ challenge, status, attempts, maxAttempts, durationMs }: BenchmarkRow): Cells {
  const first = status === 'solved' && attempts === 1 ? 'yes' : 'no';
  return [oneLine(challenge), status, `${attempts}/${maxAttempts}`, first, (durationMs / 1000).toFixed(1)];
}

/** The head of the live table; rows follow as challenges end. */
export function renderBenchmarkHead(style: Style): string {
  return style.colours.bold(line(HEAD, style));
}

export function renderBenchmarkRow(row: BenchmarkRow, style: Style): string {
  const { green, yellow, red } = style.colours;
  const paint = { solved: green, exhausted: yellow, error: red }[row.status];
  return line(cellsOf(row), style, paint);
}

/** Why a challenge ended in an error, under its row. */
export function renderBenchmarkReason(reason: string, { width, colours }: Style): string {
  const lines = wrap(oneLine(reason), width - 2).map((line) => `  ${line}`);
  return colours.dim(lines.join('\n'));
}

const same = (text: string) => text;

function line(cells: Cells, { width, symbols }: Style, paint = same): string {
  const [challenge, status, attempts, first, time] = cells;
  const rest = `${paint(padEnd(status, 9))}  ${padEnd(attempts, 13)}  ${padEnd(first, 11)}  ${padStart(time, 14)}`;
  const room = Math.max(9, width - 2 - (9 + 2 + 13 + 2 + 11 + 2 + 14));
  return `${padEnd(cut(challenge, room, symbols.ellipsis), room)}  ${rest}`.trimEnd();
}

/** The table as markdown, with the sum under it. */
export function renderBenchmarkMarkdown(rows: readonly BenchmarkRow[]): string {
  const lines = [HEAD, ['---', '---', '---', '---', '---:'], ...rows.map(cellsOf)];
  const solved = rows.filter((row) => row.status === 'solved').length;
  const table = lines.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  return [...table, '', `${solved}/${rows.length} solved`].join('\n');
}
