import type { Check } from './check.ts';
import { missingTests } from './comparison.ts';
import { decidingIn, judge } from './criteria.ts';
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
  /** Names of the checks that a pass rests on; absent where it is all of them. */
  readonly deciding?: readonly string[];
}

/** Counts for comparing two rounds: more passes, fewer failures. A test that vanished or is newly skipped is a failure. */
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
  if (ruling.status === 'pass') {
    const deciding = [...new Set(decidingIn(criteria, checks))];
    const all = checks.every((check) => deciding.includes(check.name));
    return { status: 'pass', reason: ruling.reason, tally, ...(!all && { deciding }) };
  }
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
  for (const { tests, ledger } of checks) {
    passedTests += tests?.passed ?? 0;
    failedTests += (tests?.failing.length ?? 0) + missingTests(ledger);
  }
  return { passedTests, failedTests, passedChecks: checks.filter((check) => check.status === 'pass').length };
}
