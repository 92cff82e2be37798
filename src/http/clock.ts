/** The source of time for pauses and limits; tests replace it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after the delay; the returned function cancels it. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** A clock that runs only during pauses that the service did not announce, in milliseconds. */
export class UnannouncedPauses {
  #total = 0;
  #until = 0;

  at(now: number): number {
    return this.#total - Math.max(0, this.#until - now);
  }

  /** The time of the clock at the end of the pauses known so far. */
  get end(): number {
    return this.#total;
  }

  add(now: number, until: number): void {
    this.#total += Math.max(0, until - Math.max(now, this.#until));
    this.#until = Math.max(until, this.#until);
  }
}
