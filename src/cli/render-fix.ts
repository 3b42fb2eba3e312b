import type { Check } from '../core/check.ts';
import { FACE_WORDS } from '../core/outcome.ts';
import type { Report, ReportedIteration, ReportedRound } from '../core/report.ts';
import type { Style } from '../observers/style.ts';
import { cut, oneLine, padEnd } from '../observers/text-width.ts';
import { outcomeColour, pathRow, row, trustRow, usageRow, warningRows } from './render-parts.ts';

/** Where the records of `loopgen fix` lie, and what was written of its result. */
export interface FixPlaces {
  /** Absolute path of the folder with the records. */
  readonly runDir?: string;
  /** The patch, as the user named it. */
  readonly patch?: string;
  /** The original holds the result now. */
  readonly applied?: boolean;
  /** Why it does not, where that was asked for. */
  readonly notApplied?: string;
}

/** The transcript of `loopgen fix`. */
export function renderFix(report: Report, style: Style, places: FixPlaces = {}): string {
  const paint = outcomeColour(report.outcome, style);
  return [
    report.origin === undefined
      ? `working in place in ${report.workdir}`
      : `working on a copy at ${report.workdir}`,
    `outcome: ${style.colours.bold(paint(FACE_WORDS[report.outcome].fix))}`,
    counts(report),
    ...(report.baseline ? [roundLine('baseline', report.baseline)] : []),
    ...report.iterations.flatMap((iteration) => attemptLines(iteration, style)),
    ...finalLine(report),
    '',
    ...reasonRows(report.reason, style),
    ...trustRow(report, style),
    ...usageRow(report, style),
    ...resultRows(report, style, places),
    ...warningRows(report, style),
    ...(places.runDir === undefined ? [] : pathRow('records', places.runDir)),
  ].join('\n');
}

const reasonRows = (reason: string, style: Style) =>
  reason.split('\n').flatMap((line, i) => row(i === 0 ? 'reason' : '', oneLine(line), style));

/** `attempts 2, edits 2 applied / 0 refused, 3 test runs`. */
function counts({ baseline, iterations }: Report): string {
  const edits = (some: readonly ReportedIteration[]) =>
    some.reduce((sum, it) => sum + it.changedFiles.length, 0);
  const undone = edits(iterations.filter((iteration) => iteration.reverted));
  const refused = iterations.reduce((sum, iteration) => sum + iteration.refused.length, 0);
  const rounds = iterations.reduce(
    (sum, it) => sum + Number(it.status !== undefined) + Number(it.confirmation !== undefined),
    0,
  );
  const runs = rounds + Number(baseline !== undefined && baseline.evaluations.length > 0);
  const applied = `${edits(iterations)} applied${undone > 0 ? ` (${undone} undone)` : ''}`;
  return `attempts ${iterations.length}, edits ${applied} / ${refused} refused, ${runs} test run${runs === 1 ? '' : 's'}`;
}

type Round = Pick<ReportedRound, 'evaluations'> & { readonly status?: ReportedRound['status'] };

const roundLine = (label: string, { status, evaluations }: Round) =>
  `${label.padEnd(10)}${(status ?? '-').padEnd(6)} ${testCounts(evaluations)}`;

/** `0 passed, 1 failed`; a check without ids counts as one. */
function testCounts(checks: readonly Check[]): string {
  if (checks.length === 0) return 'nothing ran';
  const unusable = checks.filter((check) => check.status === 'unusable');
  let [passed, failed] = [0, 0];
  for (const { tests, status } of checks) {
    if (tests) passed += tests.passed;
    else passed += Number(status === 'pass');
    if (tests) failed += tests.failing.length;
    else failed += Number(status === 'fail');
  }
  const causes = unusable.map(
    (check) => `, ${oneLine(check.name)} could not run (${check.cause ?? 'crash'})`,
  );
  return `${passed} passed, ${failed} failed${causes.join('')}`;
}

/** One line an edit; one line where an attempt edited nothing. */
function attemptLines(iteration: ReportedIteration, style: Style): string[] {
  const applied = iteration.reverted ? 'undone' : 'applied';
  const edits = [
    ...iteration.changedFiles.map(({ path }) => ({ path, what: applied })),
    ...iteration.refused.map(({ path, putBack }) => ({ path, what: putBack ? 'refused' : 'flagged' })),
  ];
  const [first, ...rest] = edits.length > 0 ? edits : [{ path: '(no edit)', what: '-' }];
  const number = `  #${iteration.iteration + 1} `;
  const note = oneLine(iteration.agent?.problem ?? iteration.agent?.summary ?? '');
  const line = (
    head: string,
    edit: { path: string; what: string } | undefined,
    status: string,
    text: string,
  ) => {
    const path = cut(oneLine(edit?.path ?? ''), 28, style.symbols.ellipsis);
    const left = `${head}${padEnd(path, 28)} ${(edit?.what ?? '').padEnd(8)} ${status.padEnd(6)}`;
    return `${left} ${cut(text, style.width - left.length - 1, style.symbols.ellipsis)}`.trimEnd();
  };
  return [
    line(number, first, iteration.status ?? '-', note),
    ...rest.map((edit) => line(' '.repeat(number.length), edit, '', '')),
  ];
}

/** What stands in the tree now: the last round that was not undone. */
function finalLine({ baseline, iterations }: Report): string[] {
  const last = iterations.findLast((iteration) => iteration.status !== undefined && !iteration.reverted);
  const round = last?.confirmation ?? last ?? baseline;
  return round ? [roundLine('final', round)] : [];
}

function resultRows(report: Report, style: Style, { patch, applied, notApplied }: FixPlaces): string[] {
  const { origin, workdir, changedFiles } = report;
  if (changedFiles.length === 0) return row('result', 'nothing changed', style);
  return [
    ...pathRow('result', workdir),
    ...(origin === undefined ? [] : pathRow(applied ? 'applied to' : 'untouched', origin)),
    ...(notApplied === undefined ? [] : row('not applied', notApplied, style)),
    ...(patch === undefined ? [] : pathRow('patch', patch)),
  ];
}
