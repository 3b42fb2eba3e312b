import type { Check } from '../core/check.ts';
import type { ChosenRoom, Event, RunStarted } from '../core/event.ts';
import { emptyHistory, type History, record } from '../core/history.ts';
import type { RoomKind } from '../core/room.ts';
import {
  agentParts,
  COLUMN,
  changes,
  checkCounts,
  duration,
  failingTest,
  labelled,
  mark,
  redWithoutFailure,
  verdictWord,
} from './phrases.ts';
import type { Style } from './style.ts';
import { cut, harmless, oneLine } from './text-width.ts';

/** Failing tests shown under a check. */
const MOST_TESTS = 3;
/** Lines of what an agent says of its turn. */
const MOST_SUMMARY_LINES = 3;

/** The lines that each event of one run leads to. Keeps what it needs between the events. */
export function createTranscript(style: Style): (event: Event) => string[] {
  let history: History = emptyHistory;
  return (event) => {
    const before = history;
    history = record(history, event);
    return linesOf(event, before, style, history);
  };
}

function linesOf(event: Event, before: History, style: Style, now: History): string[] {
  switch (event.type) {
    case 'run.started':
      return start(event, style);
    case 'baseline.started':
      return ['', style.colours.bold('baseline')];
    case 'driver.escalated':
      return escalationLines(event, style);
    case 'iteration.started':
      return ['', iterationHead(event.iteration, event.driver, now.run, style)];
    case 'agent.finished':
      return agentLines(event, style);
    case 'edit.refused':
      return refusedLines(event, style);
    case 'tree.changed':
      return labelled('changed', changes(event.changed, event.stat, style), style);
    case 'check.finished':
      return event.phase === 'confirm' && event.check.status === 'pass' ? [] : checkLines(event.check, style);
    case 'baseline.judged':
      return [...verdictLines(event, style), ...roomLines(event.room, style)];
    case 'iteration.judged':
      return [...keptOutLines(event, before, style), ...verdictLines(event, style)];
    case 'confirmation.judged':
      return confirmationLines(event, style);
    case 'workspace.reverted':
      return labelled('undone', UNDONE[event.because], style);
    case 'warned':
      return before.warnings.includes(event.message) ? [] : warning(event.message, style);
    case 'run.aborted':
      return ['', style.colours.yellow('stopping; what still runs is ended')];
    case 'run.failed':
      return labelled('error', oneLine(event.message), style);
    default:
      return [];
  }
}

const UNDONE = {
  unusable: 'after it the checks could not run',
  regression: 'after it fewer tests passed than before',
} as const;

function start(run: RunStarted, { colours, symbols, width }: Style): string[] {
  const where = run.origin === undefined ? `in ${run.workdir}` : `on a copy at ${run.workdir}`;
  const who = [run.driver, ...(run.ladder ?? []).map(({ driver }) => driver)].map(oneLine).join(', then ');
  const rest = `${who} ${symbols.dot} ${oneLine(where)}`;
  const name = cut(oneLine(run.spec), width, symbols.ellipsis);
  return [colours.bold(name), ...labelled('with', rest, { colours, symbols, width })];
}

function escalationLines(
  { from, to, reason }: Extract<Event, { type: 'driver.escalated' }>,
  style: Style,
): string[] {
  const text = `${oneLine(to)} takes over from ${oneLine(from)}: ${oneLine(reason)}`;
  return ['', ...labelled('escalated', text, style).map(style.colours.yellow)];
}

/** `iteration 2 of 5 · claude`. */
export function iterationHead(
  iteration: number,
  driver: string,
  run: RunStarted | undefined,
  style: Style,
): string {
  const of = run ? ` of ${run.limits.maxIterations}` : '';
  return `${style.colours.bold(`iteration ${iteration + 1}${of}`)} ${style.symbols.dot} ${oneLine(driver)}`;
}

function agentLines(
  { result, durationMs }: Extract<Event, { type: 'agent.finished' }>,
  style: Style,
): string[] {
  const dot = ` ${style.symbols.dot} `;
  const head = labelled('agent', agentParts(result, durationMs).join(dot), style);
  const said = oneLine(result.summary);
  const all = said === '' ? [] : labelled('', said, style);
  const shown = all.slice(0, MOST_SUMMARY_LINES);
  if (all.length > shown.length) shown.push(`${' '.repeat(COLUMN)}${style.symbols.ellipsis}`);
  const problem = result.problem === undefined ? [] : labelled('problem', oneLine(result.problem), style);
  return [...head, ...shown.map(style.colours.dim), ...problem.map(style.colours.yellow)];
}

function refusedLines(event: Extract<Event, { type: 'edit.refused' }>, style: Style): string[] {
  const { path, rule, because } = event.violation;
  const after = event.putBack ? 'put back' : 'left as it is';
  const text = `${oneLine(path)} (${rule}): ${oneLine(because)}; ${after}`;
  return labelled('refused', text, style).map(style.colours.yellow);
}

/** A check with its counts, its time, and the first of its failing tests. */
export function checkLines(check: Check, style: Style): string[] {
  const { symbols, width } = style;
  const time = duration(check.durationMs);
  const text = cut(
    `${oneLine(check.name)}  ${checkCounts(check)} ${symbols.dot} ${time}`,
    width - 4,
    symbols.ellipsis,
  );
  const head = `  ${mark(check.status, style)} ${text}`;
  if (check.status === 'pass') return [head];
  const failing = check.tests?.failing ?? [];
  if (failing.length === 0) return [head, ...(reasonLines(check, style) ?? lastWords(check, style))];
  const shown = failing.slice(0, MOST_TESTS).map((test) => `      ${failingTest(test, width - 6, style)}`);
  const more = failing.length - shown.length;
  return [head, ...shown, ...(more > 0 ? [`      ${symbols.ellipsis} ${more} more`] : [])];
}

function reasonLines(check: Check, { symbols, width, colours }: Style): string[] | undefined {
  const reasons = redWithoutFailure(check).slice(0, MOST_TESTS);
  if (reasons.length === 0) return undefined;
  return reasons.map((line) => colours.dim(`      ${cut(line, width - 6, symbols.ellipsis)}`));
}

/** Without ids, the end of what the check said; of one that could not run also the beginning, and its error. */
function lastWords({ feedback, status }: Check, { symbols, width, colours }: Style): string[] {
  const lines = harmless(feedback)
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  const head = status === 'unusable' ? lines.slice(0, 1) : [];
  const tail = lines.slice(head.length).slice(head.length - MOST_TESTS);
  const error = status === 'unusable' ? errorIn(lines.slice(head.length, lines.length - tail.length)) : [];
  const left = lines.length - head.length - error.length - tail.length;
  const more = left > 0 ? [`${symbols.ellipsis} ${left} more ${left === 1 ? 'line' : 'lines'}`] : [];
  return [...head, ...error, ...more, ...tail].map((line) =>
    colours.dim(`      ${cut(line, width - 6, symbols.ellipsis)}`),
  );
}

const ERROR = /^(?:E\s+|\s*)(?=[A-Z])((?:\w+\.)*\w*(?:Error|Exception)\b.*)$/;
const ERROR_PLACE = /File "([^"]+)", line (\d+)|^(?:file:\/\/)?(\/\S+?):(\d+)(?::\d+)?$/;
/** Lines above an error in which its place may stand. */
const PLACE_ABOVE = 6;

/** The first error, with the last place above it: `SyntaxError: invalid syntax: /w/calc.py:3`. */
function errorIn(lines: readonly string[]): string[] {
  const at = lines.findIndex((line) => ERROR.test(line));
  const text = ERROR.exec(lines[at] ?? '')?.[1];
  if (text === undefined) return [];
  const above = lines.slice(Math.max(0, at - PLACE_ABOVE), at);
  const [, python, pythonLine, other, otherLine] =
    ERROR_PLACE.exec(above.findLast((line) => ERROR_PLACE.test(line)) ?? '') ?? [];
  const file = python ?? other;
  return [file === undefined ? text : `${text}: ${file}:${pythonLine ?? otherLine}`];
}

function verdictLines(
  { verdict }: Extract<Event, { type: 'baseline.judged' | 'iteration.judged' }>,
  style: Style,
): string[] {
  const { green, red, yellow } = style.colours;
  const paint = { pass: green, fail: red, unusable: yellow }[verdict.status];
  return labelled(verdictWord(verdict.status), oneLine(verdict.reason), style).map(paint);
}

const ROOMS: Readonly<Record<RoomKind, string>> = {
  bound: 'a tree of their own, at the path of the workspace',
  folder: 'a folder of their own',
  workspace: 'the workspace itself',
};

/** Where the checks run from now on, and why not in a better place. */
function roomLines(room: ChosenRoom | undefined, style: Style): string[] {
  if (!room) return [];
  const because = room.because === undefined ? '' : `: ${oneLine(room.because)}`;
  const lines = labelled('room', `checks run in ${ROOMS[room.kind]}${because}`, style);
  return room.kind === 'workspace' ? lines.map(style.colours.yellow) : lines.map(style.colours.dim);
}

/** What the checks did not see of the agent's work; once a path, as long as it stays so. */
function keptOutLines(
  { keptOut = [] }: Extract<Event, { type: 'iteration.judged' }>,
  { iterations }: History,
  style: Style,
): string[] {
  const known = new Set(iterations.at(-2)?.keptOut.map(({ path }) => path));
  return keptOut
    .filter(({ path }) => !known.has(path))
    .flatMap(({ path, because, allow }) => {
      const how = allow === undefined ? '' : `; to accept it, ${allow}`;
      return labelled('kept out', oneLine(`${path}: ${because}${how}`), style);
    })
    .map(style.colours.yellow);
}

function confirmationLines(event: Extract<Event, { type: 'confirmation.judged' }>, style: Style): string[] {
  const where = event.how === 'room' ? 'in a fresh room' : 'in a rerun';
  if (event.verdict.status === 'pass')
    return labelled('confirmed', `green again ${where}`, style).map(style.colours.green);
  const text = `not confirmed ${where}: ${oneLine(event.verdict.reason)}`;
  return labelled(verdictWord(event.verdict.status), text, style).map(style.colours.yellow);
}

function warning(message: string, style: Style): string[] {
  return labelled('warning', oneLine(message), style).map(style.colours.yellow);
}
