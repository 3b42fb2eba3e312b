/** Text of which the head (a quarter) and the tail are kept. */
export class BoundedText {
  readonly #limit: number;
  #head = '';
  #tail = '';
  #dropped = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(text: string): void {
    const room = Math.max(0, Math.floor(this.#limit / 4) - this.#head.length);
    // Once something is in the tail, the head is closed.
    const taken = this.#tail === '' ? text.slice(0, room) : '';
    this.#head += taken;
    this.#tail += text.slice(taken.length);
    // Cut seldom, so that a flood of small pieces costs no more than its length.
    if (this.#tail.length > this.#limit * 2) this.#cut();
  }

  text(): string {
    if (this.#head.length + this.#tail.length > this.#limit) this.#cut();
    const left = this.#dropped > 0 ? `\n… ${this.#dropped} characters left out …\n` : '';
    return `${this.#head}${left}${this.#tail}`;
  }

  #cut(): void {
    const keep = this.#limit - Math.floor(this.#limit / 4);
    if (this.#tail.length <= keep) return;
    this.#dropped += this.#tail.length - keep;
    this.#tail = this.#tail.slice(-keep);
  }
}
