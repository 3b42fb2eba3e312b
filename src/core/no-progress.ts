import type { Check } from './check.ts';
import { type History, type Iteration, roundOf } from './history.ts';
import type { NoProgressCause } from './outcome.ts';
import { isBetter } from './score.ts';
import type { Verdict } from './verdict.ts';

/** A run of iterations that led nowhere. */
export interface Span {
  readonly cause: NoProgressCause;
  readonly times: number;
}

/**
 * Whether the last `patience` iterations led nowhere: the same failure each
 * time, or a tree that stood before and fails as it did then. Turns in which the
 * agent could not be run (`ignored`) are no evidence and are left out.
 */
export function stuck(
  history: History,
  patience: number,
  ignored: (iteration: Iteration) => boolean,
): Span | undefined {
  const iterations = history.iterations.filter((iteration) => !ignored(iteration));
  if (iterations.at(-1) !== history.iterations.at(-1) || !iterations.at(-1)?.verdict) return undefined;
  return sameTree(history, iterations, patience) ?? sameFailure(iterations, patience);
}

/** The tree of the last iteration stood before, and the way from there led back. */
function sameTree(history: History, iterations: readonly Iteration[], patience: number): Span | undefined {
  const now = iterations.at(-1);
  if (!now?.tree) return undefined;
  const atStart = history.run?.tree === now.tree;
  const first = atStart ? -1 : iterations.findIndex((iteration) => iteration.tree === now.tree);
  // After an undone turn the engine, not the agent, led back to what stood: such turns are no return of its own.
  const unchanged = now.changed.length === 0;
  /** The turns since that tree stood. */
  const since = iterations.slice(first + 1).filter((turn) => !(unchanged && turn.reverted));
  if (since.length === 0) return undefined;
  const then = atStart ? history.baseline : iterations[first] && roundOf(iterations[first]);
  if (then && progressedWithoutFiles(then, roundOf(now))) return undefined;
  const cause = causeOf(since);
  // A detour that led back also wasted the turn that first made the tree.
  const times = since.length + (cause === 'tree-seen-before' && !atStart ? 1 : 0);
  return times >= patience ? { cause, times } : undefined;
}

function causeOf(turns: readonly Iteration[]): NoProgressCause {
  if (turns.some((iteration) => iteration.changed.length > 0)) return 'tree-seen-before';
  return turns.every((iteration) => iteration.refused.some((r) => r.putBack))
    ? 'only-refused-edits'
    : 'nothing-changed';
}

interface Round {
  readonly checks: readonly Check[];
  readonly verdict?: Verdict;
}

/** The files are the same, yet the checks got on: the work is outside of them. */
function progressedWithoutFiles(then: Round, now: Round): boolean {
  if (!then.verdict || !now.verdict) return false;
  const a = then.verdict.signature;
  const b = now.verdict.signature;
  const otherTests = Boolean(a?.byTests && b?.byTests && a.text !== b.text);
  return otherTests || gotBetter(then, now);
}

/** A better score, fewer failing tests, or more passing tests or checks. */
export function gotBetter(then: Round, now: Round): boolean {
  const a = then.verdict?.tally;
  const b = now.verdict?.tally;
  if (a && b) {
    if (b.passedChecks > a.passedChecks || b.passedTests > a.passedTests) return true;
    if (b.failedTests < a.failedTests && b.passedTests >= a.passedTests && b.passedChecks >= a.passedChecks)
      return then.verdict?.status !== 'unusable' && now.verdict?.status !== 'unusable';
  }
  return now.checks.some((check) => {
    const before = then.checks.find((other) => other.name === check.name);
    return check.score !== undefined && before?.score !== undefined && isBetter(check.score, before.score);
  });
}

/** The last `patience` iterations share one failure that says something, and no score got better. */
function sameFailure(iterations: readonly Iteration[], patience: number): Span | undefined {
  const times = repeatsOf(iterations);
  return times >= patience ? { cause: 'same-failure', times } : undefined;
}

/** How many iterations running ended in the very failure of the last one; 0 where that says nothing or there is none. */
export function repeatsOf(iterations: readonly Iteration[]): number {
  const rounds = iterations.map(roundOf);
  const now = rounds.at(-1)?.verdict?.signature;
  if (!now?.informative) return 0;
  let times = 1;
  for (let i = rounds.length - 1; i > 0; i--) {
    const [before, after] = [rounds[i - 1], rounds[i]];
    if (!before || !after || before.verdict?.signature?.text !== now.text || gotBetter(before, after)) break;
    times++;
  }
  return times;
}
