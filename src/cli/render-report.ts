import type { Check } from '../core/check.ts';
import type { Report, ReportedIteration } from '../core/report.ts';
import { duration, mark } from '../observers/phrases.ts';
import type { Style } from '../observers/style.ts';
import { cut, displayWidth, oneLine, padEnd, padStart } from '../observers/text-width.ts';
import { checkLines } from '../observers/transcript-lines.ts';
import {
  changedRow,
  escalationRows,
  iterationWord,
  outcomeRow,
  pathRow,
  row,
  trustRow,
  usageRow,
  warningRows,
} from './render-parts.ts';

/** The end of a run, for `loopgen run`. `runDir` is the absolute path of the folder with its records. */
export function renderReport(report: Report, style: Style, runDir?: string): string {
  return [
    ...iterationTable(report.iterations, style),
    ...escalationRows(report, style),
    ...stillFailing(report, style),
    ...outcomeRow(report.outcome, report, style),
    ...trustRow(report, style),
    ...changedRow(report, style),
    ...usageRow(report, style),
    ...row('time', duration(report.durationMs), style),
    ...(report.best ? pathRow(`best: #${report.best.iteration + 1}`, report.best.patch) : []),
    ...warningRows(report, style),
    ...(runDir === undefined ? [] : pathRow('records', runDir)),
  ].join('\n');
}

/** Rows of a long run that are shown at its beginning and at its end. */
const FIRST_ROWS = 3;
const LAST_ROWS = 20;

const HEAD = ['#', 'changed', 'refused', 'checks', 'verdict', 'time'] as const;

/** The iterations at a glance; empty where there were none. */
function iterationTable(iterations: readonly ReportedIteration[], style: Style): string[] {
  if (iterations.length === 0) return [];
  const room = style.width - 2 - COLUMNS_BUT_CHECKS;
  const all = iterations.map((iteration) => cellsOf(iteration, room, style));
  const leftOut = all.length - FIRST_ROWS - LAST_ROWS;
  const shown = leftOut > 1 ? [...all.slice(0, FIRST_ROWS), ...all.slice(-LAST_ROWS)] : all;
  const checks = Math.max(HEAD[3].length, ...shown.map((cells) => displayWidth(cells[3])));
  const lines = shown.map((cells) => lineOf(cells, checks));
  if (leftOut > 1) lines.splice(FIRST_ROWS, 0, `  ${style.symbols.ellipsis} ${leftOut} more`);
  return [style.colours.dim(lineOf(HEAD, checks)), ...lines, ''];
}

/** Number, changed, refused, verdict and time, with the two spaces before each. */
const COLUMNS_BUT_CHECKS = 3 + 2 + 7 + 2 + 7 + 2 + 2 + 11 + 2 + 8;

type Cells = readonly [string, string, string, string, string, string];

function cellsOf(iteration: ReportedIteration, room: number, style: Style): Cells {
  return [
    String(iteration.iteration + 1),
    String(iteration.changedFiles.length),
    String(iteration.refused.length),
    checksCell(iteration.evaluations, room, style),
    iterationWord(iteration),
    duration(iteration.durationMs),
  ];
}

function lineOf([n, changed, refused, checks, verdict, time]: Cells, width: number): string {
  const numbers = `${padStart(n, 3)}  ${padStart(changed, 7)}  ${padStart(refused, 7)}`;
  return `  ${numbers}  ${padEnd(checks, width)}  ${padEnd(verdict, 11)}  ${padStart(time, 8)}`;
}

/** `✗ tests 3/8, ✓ lint`, as many as fit. */
function checksCell(checks: readonly Check[], room: number, style: Style): string {
  const { ellipsis } = style.symbols;
  let text = '';
  for (const check of checks) {
    const counts = check.tests ? ` ${check.tests.passed}/${check.tests.total}` : '';
    const name = cut(
      oneLine(check.name),
      Math.max(4, room - counts.length - 2 - ellipsis.length - 1),
      ellipsis,
    );
    const next = `${text === '' ? '' : `${text}, `}${mark(check.status, style)} ${name}${counts}`;
    if (displayWidth(next) > room - ellipsis.length - 1) return text === '' ? next : `${text} ${ellipsis}`;
    text = next;
  }
  return text;
}

/** What the last round left red, where the run did not succeed. */
function stillFailing(report: Report, style: Style): string[] {
  if (report.success) return [];
  const last = report.iterations.findLast((iteration) => iteration.status !== undefined);
  const round = last?.confirmation && !last.confirmation.satisfied ? last.confirmation : last;
  const red = (round ?? report.baseline)?.evaluations.filter((check) => check.status !== 'pass') ?? [];
  if (red.length === 0) return [];
  return [style.colours.bold('still failing'), ...red.flatMap((check) => checkLines(check, style)), ''];
}
