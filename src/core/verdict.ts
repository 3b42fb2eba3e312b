import type { Signature } from './signature.ts';

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
