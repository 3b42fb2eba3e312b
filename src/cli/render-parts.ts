import { EXIT_CODES } from '../core/exit-codes.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Report, ReportedIteration } from '../core/report.ts';
import { trustLine } from '../core/trust.ts';
import { COLUMN, failingPhrase, lineCounts, usageParts } from '../observers/phrases.ts';
import type { Style } from '../observers/style.ts';
import { oneLine, wrap } from '../observers/text-width.ts';

/** A label and its text, wrapped in a column of its own. */
export function row(label: string, text: string, style: Style): string[] {
  const lines = wrap(text, style.width - COLUMN);
  return lines.map((line, i) => (i === 0 ? label : '').padEnd(COLUMN) + line);
}

/** Green where it is done, yellow where it is not, red where it could not be judged or something went wrong. */
export function outcomeColour(outcome: Outcome['kind'], { colours }: Style): (text: string) => string {
  const code = EXIT_CODES[outcome];
  if (code === EXIT_CODES.success) return colours.green;
  return code === EXIT_CODES['no-progress'] || code === EXIT_CODES.aborted ? colours.yellow : colours.red;
}

/** `success  every success criterion is met`. */
export function outcomeRow(word: string, { outcome, reason }: Report, style: Style): string[] {
  const paint = outcomeColour(outcome, style);
  const column = word.length < COLUMN ? COLUMN : word.length + 2;
  return paragraphs(reason, style.width - column).map((line, i) =>
    i === 0 ? style.colours.bold(paint(word.padEnd(column))) + line : ' '.repeat(column) + line,
  );
}

/** A reason of several lines (what could not run, and why) keeps them. */
function paragraphs(text: string, width: number): string[] {
  return text
    .trim()
    .split('\n')
    .flatMap((line) => wrap(oneLine(line), width));
}

/** `codex took over from grok after #3 (the same failure 3 times running): 1 red check before, nothing red after`. */
export function escalationRows({ escalations }: Report, style: Style): string[] {
  if (escalations.length === 0) return [];
  const rows = escalations.flatMap(({ iteration, from, to, reason, before, after }) => {
    const who = `${oneLine(to)} took over from ${oneLine(from)} after #${iteration} (${oneLine(reason)})`;
    const effect = [
      ...(before ? [`${failingPhrase(before)} before`] : []),
      after ? `${failingPhrase(after)} after` : 'not judged since',
    ];
    return row('escalated', `${who}: ${effect.join(', ')}`, style);
  });
  return [...rows, ''];
}

/** How far the green can be trusted. */
export function trustRow({ trust }: Report, style: Style): string[] {
  return row('trust', trustLine(trust).replaceAll('·', style.symbols.dot), style);
}

export function warningRows({ warnings }: Report, style: Style): string[] {
  return warnings.flatMap((text) => row('warning', oneLine(text), style)).map(style.colours.yellow);
}

/** Work of the whole run, in numbers. */
export function changedRow({ changedFiles, diffStat }: Report, style: Style): string[] {
  if (changedFiles.length === 0) return row('changed', 'nothing', style);
  const files = `${changedFiles.length} file${changedFiles.length === 1 ? '' : 's'}`;
  return row('changed', files + lineCounts(diffStat, style), style);
}

export function usageRow({ totalUsage }: Report, style: Style): string[] {
  const parts = usageParts(totalUsage);
  return parts.length === 0 ? [] : row('usage', parts.join(` ${style.symbols.dot} `), style);
}

/** A line that holds a path is never broken: paths are copied. */
export const pathRow = (label: string, path: string): string[] => [label.padEnd(COLUMN) + path];

/** `green`, `red`, `unusable`; what became of it where that matters more. */
export function iterationWord({ status, satisfied, reverted, refused }: ReportedIteration): string {
  if (reverted) return 'undone';
  if (status === undefined) return 'not judged';
  if (status === 'pass') return satisfied ? 'green' : touchedJudge(refused) ? 'tampered' : 'unconfirmed';
  return status === 'fail' ? 'red' : 'unusable';
}

const touchedJudge = (refused: ReportedIteration['refused']) =>
  refused.some((refusal) => refusal.reaction === 'error');
