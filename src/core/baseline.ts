import type { Check, UnusableCause } from './check.ts';
import { judge } from './criteria.ts';
import type { Face } from './event.ts';
import type { Criteria } from './spec.ts';

/**
 * Why nothing can be judged, if so: a check that could not run, and without
 * which the criteria cannot be met. In `run` and `tdd` a suite that does not load
 * is red (its test was written first); in `fix` it is no evidence of anything.
 */
export function unrunnableBecause(
  criteria: Criteria,
  checks: readonly Check[],
  face: Face,
): string | undefined {
  const dead = checks.filter((check) => check.status === 'unusable' && isFatal(check.cause, face));
  if (dead.length === 0) return undefined;
  const atBest = checks.map((check): Check => (dead.includes(check) ? check : { ...check, status: 'pass' }));
  if (judge(criteria, atBest).status !== 'unusable') return undefined;
  return dead.map((check) => `"${check.name}" ${check.cause}: ${firstLines(check.feedback)}`).join('; ');
}

const ALWAYS: readonly UnusableCause[] = ['not-found', 'timeout', 'aborted'];

function isFatal(cause: UnusableCause | undefined, face: Face): boolean {
  return face === 'fix' || (cause !== undefined && ALWAYS.includes(cause));
}

function firstLines(text: string): string {
  return text.trim().split('\n').slice(0, 6).join('\n').slice(0, 600);
}
