/** Turns sums into what was added to them. A sum that falls has begun anew. */
export class Counter {
  #last: number | undefined;

  /** `start` undefined: nobody knows what was there before, so that the first sum tells nothing. */
  constructor(start: number | undefined) {
    this.#last = start;
  }

  added(sum: number): number | undefined {
    const last = this.#last;
    this.#last = sum;
    if (last === undefined) return undefined;
    return sum < last ? sum : sum - last;
  }
}
