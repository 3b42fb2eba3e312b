import type { Check } from './check.ts';
import { judge } from './criteria.ts';
import { type Signature, signatureOf } from './signature.ts';
import type { Criteria } from './spec.ts';

/** The engine's ruling on all checks of one round against `success`. */
export interface Verdict {
  readonly status: 'pass' | 'fail' | 'unusable';
  /** One sentence. */
  readonly reason: string;
  /** Names this failure, so that two rounds of it compare equal. Absent on a pass. */
  readonly signature?: Signature;
  readonly tally: Tally;
}

/** Counts for comparing two rounds: more passes, fewer failures. */
export interface Tally {
  readonly passedTests: number;
  readonly failedTests: number;
  readonly passedChecks: number;
}

/**
 * The ruling of one round. Criteria met → `pass`. Else `fail`, where something
 * failed that the agent can work on; else nothing was learnt: `unusable`.
 */
export function verdictOf(criteria: Criteria, checks: readonly Check[]): Verdict {
  const ruling = judge(criteria, checks);
  const tally = tallyOf(checks);
  if (ruling.status === 'pass') return { status: 'pass', reason: ruling.reason, tally };
  const failed = ruling.status === 'fail' || checks.some((check) => check.status === 'fail');
  return {
    status: failed ? 'fail' : 'unusable',
    reason: ruling.reason,
    signature: signatureOf(checks),
    tally,
  };
}

/** Counts over all checks; a check without tests counts as a check only. */
export function tallyOf(checks: readonly Check[]): Tally {
  let passedTests = 0;
  let failedTests = 0;
  for (const { tests } of checks) {
    passedTests += tests?.passed ?? 0;
    failedTests += tests?.failing.length ?? 0;
  }
  return { passedTests, failedTests, passedChecks: checks.filter((check) => check.status === 'pass').length };
}
