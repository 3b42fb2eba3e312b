import type { Check, TestResult } from '../core/check.ts';
import type { AgentResult } from '../core/event.ts';
import type { Failing } from '../core/ladder.ts';
import { count } from '../core/outcome.ts';
import type { ChangedFile } from '../core/tree.ts';
import { tokensOf, type Usage } from '../core/usage.ts';
import type { Verdict } from '../core/verdict.ts';
import type { Style } from './style.ts';
import { cut, harmless, oneLine, wrap } from './text-width.ts';

/** `0.4 s`, `42.0 s`, `3:05`, `1:02:03`. */
export function duration(ms: number): string {
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : clock(ms);
}

/** `0:42`, `1:02:03`: for a clock that runs. */
export function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (n: number) => String(n).padStart(2, '0');
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`;
}

/** `1,200 tokens in, 340 out`, `$0.02`; empty where nothing is known, or nothing was used. */
export function usageParts(usage: Usage | undefined): string[] {
  if (!usage) return [];
  const parts: string[] = [];
  const tokens = tokensOf(usage);
  if (!tokens && !usage.costUsd) return [];
  if (tokens !== undefined) {
    parts.push(`${thousands(usage.inputTokens)} tokens in, ${thousands(usage.outputTokens)} out`);
  }
  if (usage.costUsd !== undefined) parts.push(`$${usage.costUsd.toFixed(2)}`);
  return parts;
}

const thousands = (n: number | undefined) => (n === undefined ? 'unknown' : n.toLocaleString('en-US'));

/** `3 of 8 passed, 5 failed`; `could not run (timeout)`; a score; or the exit code. */
export function checkCounts(check: Check): string {
  if (check.status === 'unusable') return `could not run (${check.cause ?? 'crash'})`;
  const parts = [check.tests ? testCounts(check.tests) : '', check.score ? `score ${check.score.value}` : ''];
  if (!check.tests && check.status === 'fail' && check.exitCode !== undefined)
    parts.push(`exit ${check.exitCode}`);
  return parts.filter(Boolean).join(', ') || (check.status === 'pass' ? 'passed' : 'failed');
}

function testCounts({ total, passed, failing, skipped, excepted }: NonNullable<Check['tests']>): string {
  const failed = failing.length > 0 ? `, ${failing.length} failed` : '';
  const known = excepted ? `, ${count(excepted, 'known failure')} excepted` : '';
  return `${passed} of ${total} passed${failed}${skipped > 0 ? `, ${skipped} skipped` : ''}${known}`;
}

/** `green`, `red`, `unusable`: a verdict in one word. */
export const verdictWord = (status: Verdict['status']) =>
  ({ pass: 'green', fail: 'red', unusable: 'unusable' })[status];

/** ✓, ✗ or ?, in its colour. */
export function mark(status: Check['status'], { colours, symbols }: Style): string {
  switch (status) {
    case 'pass':
      return colours.green(symbols.pass);
    case 'fail':
      return colours.red(symbols.fail);
    case 'unusable':
      return colours.yellow(symbols.unusable);
  }
}

/** A failing test in one line: its id, then what it says, cut to `width`. */
export function failingTest(test: TestResult, width: number, style: Style): string {
  const said = [test.errorType, test.message].filter((part) => part !== undefined && part !== '');
  const message = test.errorType && test.message?.startsWith(test.errorType) ? test.message : said.join(': ');
  const text = [oneLine(test.id), oneLine(message)].filter(Boolean).join('  ');
  return cut(text, width, style.symbols.ellipsis);
}

/** `M src/a.py, A src/b.py  (+10 -1)`; `nothing`. At most `most` names. */
export function changes(changed: readonly ChangedFile[], stat: string, style: Style, most = 8): string {
  if (changed.length === 0) return 'nothing';
  const named = changed.slice(0, most).map(({ path, change }) => `${LETTERS[change]} ${oneLine(path)}`);
  const more = changed.length > most ? [`${changed.length - most} more`] : [];
  return [...named, ...more].join(', ') + lineCounts(stat, style);
}

const LETTERS = { added: 'A', modified: 'M', deleted: 'D' } as const;

/** The numbers of the last line of `git diff --stat`. */
export function lineCounts(stat: string, { colours }: Style): string {
  const plus = /(\d+) insertion/.exec(stat)?.[1];
  const minus = /(\d+) deletion/.exec(stat)?.[1];
  if (plus === undefined && minus === undefined) return '';
  return `  (${colours.green(`+${plus ?? 0}`)} ${colours.red(`-${minus ?? 0}`)})`;
}

/** `5 failing tests in 2 checks`, `1 red check`, `nothing red`. */
export function failingPhrase({ checks, tests }: Failing): string {
  if (checks === 0) return 'nothing red';
  return tests ? `${count(tests, 'failing test')} in ${count(checks, 'check')}` : count(checks, 'red check');
}

const STOPS: Readonly<Record<AgentResult['stopReason'], string>> = {
  completed: 'done',
  'max-turns': 'out of turns',
  'gave-up': 'gave up',
  'rate-limited': 'held back by a usage limit',
  truncated: 'reply cut short',
  refused: 'refused to answer',
  stalled: 'stalled',
  'timed-out': 'out of time',
  aborted: 'stopped',
  error: 'failed',
};

/** How a turn ended, how long it took, what it used. */
export function agentParts(agent: Pick<AgentResult, 'stopReason' | 'usage'>, durationMs: number): string[] {
  return [STOPS[agent.stopReason], duration(durationMs), ...usageParts(agent.usage)];
}

/** Columns before the text beside a label. */
export const COLUMN = 12;

/** `  changed   …`: a label of its own column, the text wrapped beside it. */
export function labelled(label: string, text: string, style: Style, column = COLUMN): string[] {
  const lines = wrap(text, style.width - column);
  return lines.map((line, i) => (i === 0 ? `  ${label}`.padEnd(column) : ' '.repeat(column)) + line);
}

/**
 * Why a suite is red though no test of it fails (too few tests, a runner that exited 1): what the check said before
 * the output of its command, without the counts that stand beside its name.
 */
export function redWithoutFailure({ status, tests, feedback }: Check): string[] {
  if (status !== 'fail' || !tests || tests.failing.length > 0) return [];
  const [said = ''] = harmless(feedback).split(/^output:$/m);
  return said
    .split('\n')
    .slice(1)
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
}
