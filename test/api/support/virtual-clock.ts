import type { Clock } from "../../../src/http/clock";

interface Call {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that jumps to the next timer. Pauses have their full length on this clock, but take no real time. */
export class VirtualClock implements Clock {
  #now = Date.parse("2026-01-01T00:00:00Z");
  readonly #calls = new Set<Call>();

  now(): number {
    return this.#now;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const call = { at: this.#now + milliseconds, callback };
    this.#calls.add(call);
    // The clock jumps only after all work that does not wait for a timer has run.
    setImmediate(() => this.#jump());
    return () => this.#calls.delete(call);
  }

  #jump(): void {
    const [next] = [...this.#calls].sort((one, other) => one.at - other.at);
    if (next === undefined) return;
    this.#calls.delete(next);
    this.#now = Math.max(this.#now, next.at);
    next.callback();
  }
}
