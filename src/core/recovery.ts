import type { History } from './history.ts';
import type { RevertPolicy } from './spec.ts';
import type { Verdict } from './verdict.ts';

/**
 * Whether the latest iteration is to be undone, and why. A driver that
 * does not remember what it did starts better from what stood than from its own damage.
 */
export function reasonToRevert(
  history: History,
  policy: RevertPolicy,
): 'unusable' | 'regression' | undefined {
  if (policy === 'never') return undefined;
  const current = history.iterations.at(-1);
  const before = standing(history);
  if (!current?.verdict || !before || before.status === 'unusable' || current.changed.length === 0)
    return undefined;
  // Checks that were cut short by the run's clock say nothing against the work.
  if (current.checks.some((check) => check.cause === 'aborted')) return undefined;
  if (current.verdict.status === 'unusable') return 'unusable';
  return policy === 'regression' && isWorse(current.verdict, before) ? 'regression' : undefined;
}

/** The verdict on what stood before the latest turn. */
function standing({ baseline, iterations }: History): Verdict | undefined {
  const kept = iterations.slice(0, -1).findLast((iteration) => iteration.verdict && !iteration.reverted);
  return kept?.verdict ?? baseline?.verdict;
}

/** Fewer tests pass, or, where no tests are known, fewer checks. */
function isWorse(now: Verdict, before: Verdict): boolean {
  if (now.status === 'pass') return false;
  if (before.tally.passedTests > 0 || now.tally.passedTests > 0)
    return now.tally.passedTests < before.tally.passedTests;
  return now.tally.passedChecks < before.tally.passedChecks;
}
