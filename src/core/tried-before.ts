import type { Check } from './check.ts';
import { fenced } from './feedback.ts';
import { type History, type Iteration, roundOf } from './history.ts';
import { count } from './outcome.ts';
import { excerpt, headAndTail, shortList } from './shorten.ts';

/** Most of the whole, of one line of it, and of what an agent said. */
const WHOLE_CHARS = 6_000;
const REASON_CHARS = 300;
const SAID_CHARS = 400;
const NAMED_FILES = 6;

/**
 * What the drivers before the one in turn tried and how each turn ended, for one that was not there. Empty where
 * nobody else was at work. `fence` is a random token, see `renderFeedback`.
 */
export function triedBefore(history: History, fence: string): string {
  const { escalations } = history;
  if (escalations.length === 0) return '';
  const parts = escalations.map(({ from, iteration, reason }, index) => {
    const first = escalations[index - 1]?.iteration ?? 0;
    const turns = history.iterations.slice(first, iteration);
    return [
      `${from}, ${count(turns.length, 'iteration')}; stopped: ${excerpt(reason, REASON_CHARS)}`,
      ...turns.map((turn, at) => `- iteration ${first + at + 1}: ${told(turn)}`),
    ].join('\n');
  });
  return `${HEADING}\n${fenced(headAndTail(parts.join('\n'), WHOLE_CHARS), fence, 'what was tried before')}`;
}

const HEADING =
  'Others worked on this before you, and did not get it done. What they left stands in the workspace, right or wrong. Do not repeat what did not help: find out why it did not. What they tried:';

function told(turn: Iteration): string {
  const { verdict, checks } = roundOf(turn);
  const said = turn.agent?.summary.trim().replace(/\s+/g, ' ') ?? '';
  const parts = [
    turn.changed.length === 0 ? 'changed nothing' : `changed ${changedIn(turn)}`,
    verdict ? excerpt(verdict.reason, REASON_CHARS) : 'not judged',
    failingIn(checks),
    turn.reverted ? 'undone' : '',
    said === '' ? '' : `it said: ${excerpt(said, SAID_CHARS)}`,
  ];
  return parts.filter(Boolean).join('; ');
}

function changedIn({ changed }: Iteration): string {
  return shortList(
    changed.map(({ path }) => path),
    NAMED_FILES,
  );
}

function failingIn(checks: readonly Check[]): string {
  const ids = checks.flatMap(({ tests }) => tests?.failing.map(({ id }) => id) ?? []);
  return ids.length === 0 ? '' : `failing: ${shortList(ids)}`;
}
