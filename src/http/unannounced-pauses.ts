/** A clock that runs only during pauses whose length the service did not announce. Milliseconds. */
export class UnannouncedPauses {
  #total = 0;
  #until = 0;

  /** What the clock shows at a moment. */
  at(now: number): number {
    return this.#total - Math.max(0, this.#until - now);
  }

  /** What it will show at the end of the pauses known so far. */
  get end(): number {
    return this.#total;
  }

  add(now: number, until: number): void {
    this.#total += Math.max(0, until - Math.max(now, this.#until));
    this.#until = Math.max(until, this.#until);
  }
}
