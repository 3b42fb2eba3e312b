import type { Check } from '../core/check.ts';
import type { AgentResult } from '../core/event.ts';
import { FACE_WORDS } from '../core/outcome.ts';
import type { Report } from '../core/report.ts';
import { firstFailure } from '../observers/first-failure.ts';
import { duration, mark } from '../observers/phrases.ts';
import type { Style } from '../observers/style.ts';
import { breakWord, cut, displayWidth, harmless, oneLine, padStart, wrap } from '../observers/text-width.ts';
import { outcomeRow, pathRow, trustRow, usageRow, warningRows } from './render-parts.ts';

/** `── attempt 1 of 4 · mistral:7b-instruct ─────`. */
export function attemptHead(n: number, of: number, model: string, style: Style): string[] {
  const { symbols, colours } = style;
  const room = style.width - 8;
  const text = cut(`attempt ${n} of ${of} ${symbols.dot} ${oneLine(model)}`, room, symbols.ellipsis);
  const left = symbols.rule.repeat(2);
  const right = symbols.rule.repeat(Math.max(0, style.width - displayWidth(text) - 4));
  return ['', colours.dim(`${left} `) + colours.bold(text) + colours.dim(` ${right}`)];
}

/** Why the model does it, and the whole code with its line numbers; or what is wrong with the reply. */
export function replyPanels({ proposal, problem, summary }: AgentResult, style: Style): string[] {
  const wrong = problem ?? (proposal ? undefined : summary);
  return [
    ...(proposal ? textPanel('reasoning', proposal.reasoning, style) : []),
    ...(proposal?.files ?? []).flatMap((file) => codePanel(file.path, file.content, style)),
    ...(wrong === undefined || wrong === ''
      ? []
      : textPanel(proposal ? 'about the reply' : 'no usable reply', wrong, style)),
  ];
}

function textPanel(title: string, text: string, style: Style): string[] {
  const lines = wrap(harmless(text).trim(), style.width - 2);
  return [style.colours.bold(title), ...lines.map((line) => `  ${line}`.trimEnd())];
}

function codePanel(path: string, code: string, style: Style): string[] {
  const lines = harmless(code).replace(/\n$/, '').split('\n');
  const digits = String(lines.length).length;
  const left = digits + 6;
  const numbered = lines.flatMap((line, i) =>
    breakWord(line, style.width - left).map((piece, part) => {
      const number = padStart(part === 0 ? String(i + 1) : '', digits + 2);
      return `${style.colours.dim(`${number} ${style.symbols.bar}`)} ${piece}`.trimEnd();
    }),
  );
  return [style.colours.bold(oneLine(path)), ...numbered];
}

const HEAD_LINES = 8;
const TAIL_LINES = 22;

/** The first failure in full, its middle left out where it is long; nothing where all is green. */
export function tracebackPanel(checks: readonly Check[], style: Style): string[] {
  const text = firstFailure(checks);
  if (text === undefined) return [];
  const lines = harmless(text).trim().split('\n');
  const leftOut = lines.length - HEAD_LINES - TAIL_LINES;
  if (leftOut > 1) lines.splice(HEAD_LINES, leftOut, `${style.symbols.ellipsis} ${leftOut} lines left out`);
  const shown = lines.flatMap((line) => fitted(line, style.width - 2).map((piece) => `  ${piece}`.trimEnd()));
  return [style.colours.bold('first traceback'), ...shown];
}

/** A ruled line (`==== ERRORS ====`) loses its end, any other line goes on below. */
const fitted = (line: string, width: number) =>
  /^([=_!-])\1{2}.*\1{3}$/.test(line) ? [cut(line, width, '')] : breakWord(line, width);

/** `✓ 8/8 passed · 3:10 model, 0.5 s tests`. */
export function attemptStatus(checks: readonly Check[], modelMs: number, style: Style): string {
  const { colours, symbols } = style;
  const decisive = checks.find((check) => check.status !== 'pass') ?? checks[0];
  if (!decisive) return `${colours.yellow(symbols.unusable)} not judged`;
  const testsMs = checks.reduce((sum, check) => sum + check.durationMs, 0);
  const paint = { pass: colours.green, fail: colours.red, unusable: colours.yellow }[decisive.status];
  const time = ` ${symbols.dot} ${duration(modelMs)} model, ${duration(testsMs)} tests`;
  const text = `${mark(decisive.status, style)} ${colours.bold(paint(result(decisive)))}`;
  return displayWidth(text + time) <= style.width ? text + colours.dim(time) : text;
}

function result({ status, cause, tests }: Check): string {
  if (status !== 'unusable') return tests ? `${tests.passed}/${tests.total} passed` : `tests ${status}`;
  return cause === 'collection' ? 'does not load' : `could not run (${cause ?? 'crash'})`;
}

/** The last lines of `tdd run`. `outDir` is where the attempts lie, as it is shown. */
export function renderTddEnd(report: Report, style: Style, outDir: string): string {
  const { iterations, success } = report;
  const word = FACE_WORDS[report.outcome].tdd;
  const attempt = success ? `at attempt ${iterations.length}: ` : '';
  return [
    '',
    ...outcomeRow(word, { ...report, reason: attempt + report.reason }, style),
    ...trustRow(report, style),
    ...usageRow(report, style),
    ...warningRows(report, style),
    ...pathRow('attempts', outDir),
  ].join('\n');
}
