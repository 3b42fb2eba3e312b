import type { Check } from './check.ts';
import type { Violation } from './guard.ts';
import type { ChangedFile } from './tree.ts';

/** What the agent is told before a turn, as data. `renderFeedback` makes the text of it. */
export interface Feedback {
  /** 0-based number of the iteration it speaks of; absent where it is the baseline. */
  readonly iteration?: number;
  readonly reason: string;
  /** Failing checks first, then unusable ones. */
  readonly failing: readonly Check[];
  readonly passing: readonly string[];
  /** What the agent changed in its last turn. */
  readonly changed: readonly ChangedFile[];
  readonly stat: string;
  readonly diff: string;
  readonly refused: readonly Violation[];
  /** Its last turn was undone, and why. */
  readonly reverted?: 'unusable' | 'regression';
  /** The checks were green once, but not when they ran again. */
  readonly unconfirmed: boolean;
  /** What was wrong with its last reply. */
  readonly problem?: string;
  /** How many iterations running had this very failure. */
  readonly repeats: number;
}
