import type { Check, TestResult } from '../core/check.ts';
import type { CheckedOnce } from '../loopgen.ts';
import {
  checkCounts,
  duration,
  failingTest,
  mark,
  redWithoutFailure,
  verdictWord,
} from '../observers/phrases.ts';
import type { Style } from '../observers/style.ts';
import { cut, displayWidth, harmless, oneLine, wrap } from '../observers/text-width.ts';

/** What `loopgen check` prints: each check, each of its tests, and the verdict. */
export function renderCheck({ spec, checks, verdict }: CheckedOnce, style: Style): string {
  const { colours } = style;
  const paint = { pass: colours.green, fail: colours.red, unusable: colours.yellow }[verdict.status];
  const word = verdictWord(verdict.status);
  const reason = wrap(oneLine(verdict.reason), style.width - word.length - 2);
  return [
    colours.bold(cut(oneLine(spec), style.width, style.symbols.ellipsis)),
    ...checks.flatMap((check) => checkBlock(check, style)),
    '',
    ...reason.map((line, i) =>
      i === 0 ? `${colours.bold(paint(word))}  ${line}` : ' '.repeat(word.length + 2) + line,
    ),
  ].join('\n');
}

function checkBlock(check: Check, style: Style): string[] {
  const { dot, ellipsis } = style.symbols;
  const text = `${oneLine(check.name)}  ${checkCounts(check)} ${dot} ${duration(check.durationMs)}`;
  const head = `  ${mark(check.status, style)} ${cut(text, style.width - 4, ellipsis)}`;
  const tests = check.tests?.all ? testLines(check, style) : [];
  const said =
    check.status === 'pass' || tests.length > 0 ? reasonLines(check, style) : saidLines(check, style);
  const caveats = check.caveats.flatMap((caveat) => wrap(`caveat: ${oneLine(caveat)}`, style.width - 6));
  return [head, ...tests, ...said, ...caveats.map((line) => style.colours.yellow(`      ${line}`))];
}

const reasonLines = (check: Check, { width, colours }: Style): string[] =>
  redWithoutFailure(check)
    .flatMap((line) => wrap(line, width - 6))
    .map((line) => colours.dim(`      ${line}`));

/** Tests that passed or were skipped are left out beyond this many; the failing ones are all shown. */
const MOST_QUIET_TESTS = 200;

function testLines({ tests }: Check, style: Style): string[] {
  const failing = new Map((tests?.failing ?? []).map((test) => [test.id, test]));
  const known = new Set(tests?.known?.map((test) => test.id));
  const lines: string[] = [];
  let quiet = 0;
  for (const [id, status] of tests?.all ?? []) {
    const failed = failing.get(id);
    if (failed) lines.push(...failedLines(failed, style));
    else if (++quiet <= MOST_QUIET_TESTS)
      lines.push(quietLine(id, known.has(id) ? `${status} (known)` : status, style));
  }
  const more = quiet - MOST_QUIET_TESTS;
  return more > 0 ? [...lines, `      ${style.symbols.ellipsis} ${more} more that did not fail`] : lines;
}

function failedLines(test: TestResult, style: Style): string[] {
  const sign = style.colours.red(style.symbols.fail);
  const place = test.place === undefined ? [] : [`          at ${oneLine(test.place)}`];
  return [
    `      ${sign} ${failingTest(test, style.width - 8, style)}`,
    ...place.map((line) => style.colours.dim(cut(line, style.width, style.symbols.ellipsis))),
  ];
}

function quietLine(id: string, status: string, style: Style): string {
  const { colours, symbols, width } = style;
  const sign = status === 'passed' ? colours.green(symbols.pass) : colours.yellow(symbols.dot);
  const text = status === 'passed' ? oneLine(id) : `${oneLine(id)}  ${status}`;
  return `      ${sign} ${cut(text, width - 8, symbols.ellipsis)}`;
}

/** Lines of a check without ids that are shown. */
const MOST_LINES = 20;
/** Rows of the screen that one line may take: advice is worth reading whole, minified code is not. */
const MOST_ROWS = 4;

function saidLines({ feedback }: Check, { colours, symbols, width }: Style): string[] {
  const lines = harmless(feedback).trimEnd().split('\n');
  const room = width - 6;
  const rows = lines
    .slice(-MOST_LINES)
    .flatMap((line) =>
      displayWidth(line) <= room ? [line] : wrap(cut(line, room * MOST_ROWS, symbols.ellipsis), room),
    )
    .map((row) => `      ${row}`.trimEnd());
  const more = lines.length - MOST_LINES;
  return [...(more > 0 ? [`      ${symbols.ellipsis} ${more} lines before`] : []), ...rows].map(colours.dim);
}
