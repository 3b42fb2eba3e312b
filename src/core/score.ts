/** A check's number, and which way is better. */
export interface Score {
  readonly value: number;
  /** Default: `up`, larger is better. */
  readonly better: 'up' | 'down';
}

/** True when `now` is strictly better than `before`. */
export function isBetter(now: Score, before: Score): boolean {
  return now.better === 'up' ? now.value > before.value : now.value < before.value;
}
