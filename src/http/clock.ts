/** The source of time for pauses and limits; tests replace it. */
export interface Clock {
  /** Returns the milliseconds since the epoch. */
  now(): number;
  /** Calls `callback` once after the delay. The returned function cancels the call. */
  after(milliseconds: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, callback) {
    const timer = setTimeout(callback, milliseconds);
    return () => clearTimeout(timer);
  },
};

/**
 * A clock in milliseconds that advances only during unannounced pauses. The client starts these pauses itself, without
 * an announcement of the service.
 */
export class UnannouncedPauses {
  #total = 0;
  #until = 0;

  at(now: number): number {
    return this.#total - Math.max(0, this.#until - now);
  }

  /** The time of this clock at the end of all known pauses. */
  get end(): number {
    return this.#total;
  }

  add(now: number, until: number): void {
    this.#total += Math.max(0, until - Math.max(now, this.#until));
    this.#until = Math.max(until, this.#until);
  }
}
