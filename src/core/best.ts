import type { History, Iteration } from './history.ts';
import { gotBetter } from './no-progress.ts';

/**
 * Whether the latest iteration left the best state so far: judged, changed, and
 * better than the baseline and every iteration that stood before.
 */
export function isBest({ baseline, iterations }: History): boolean {
  const now = iterations.at(-1);
  if (!now?.verdict || now.verdict.status === 'unusable') return false;
  const others: Round[] = iterations.slice(0, -1).filter((iteration) => iteration.verdict);
  if (baseline?.verdict) others.push(baseline);
  return others.every((other) => gotBetter(other, now));
}

type Round = Pick<Iteration, 'checks' | 'verdict'>;
