import type { Check, UnusableCause } from './check.ts';
import { canBeMet } from './criteria.ts';
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
  const dead = checks.filter((check) => isFatal(check, face));
  const names = checks.map((check) => check.name);
  if (canBeMet(criteria, names, new Set(dead.map((check) => check.name)))) return undefined;
  return dead.map((check) => `"${check.name}" ${check.cause}: ${firstLines(check.feedback)}`).join('; ');
}

const ALWAYS: readonly UnusableCause[] = ['not-found', 'timeout'];

/** A script of the workspace that is missing may be the agent's work; a check that was cut short says nothing. */
function isFatal({ status, cause, missingScript }: Check, face: Face): boolean {
  if (status !== 'unusable' || missingScript || cause === 'aborted') return false;
  return face === 'fix' || (cause !== undefined && ALWAYS.includes(cause));
}

/** Without empty lines, and without a heading whose text is cut off. */
function firstLines(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const first = lines.slice(0, 6);
  if (first.length > 1 && first.at(-1)?.endsWith(':')) first.pop();
  return first.join('\n').slice(0, 600);
}
