import { type History, type Iteration, roundOf } from './history.ts';
import { gotBetter } from './no-progress.ts';

/**
 * Whether the latest iteration left the best state so far: judged, with work in it, and
 * better than the baseline and every earlier iteration.
 */
export function isBest({ baseline, iterations, changed }: History): boolean {
  const last = iterations.at(-1);
  const now = last && roundOf(last);
  if (!now?.verdict || now.verdict.status === 'unusable' || changed.length === 0) return false;
  const others: Round[] = iterations.slice(0, -1).map(roundOf);
  if (baseline) others.push(baseline);
  return others.filter((other) => other.verdict).every((other) => gotBetter(other, now));
}

type Round = Pick<Iteration, 'checks' | 'verdict'>;
