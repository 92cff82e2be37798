/** The number of requests that may be in flight at the same time. */
export interface ConcurrencyLimit {
  readonly current: number;
  /** Records a response: its latency, its operation, and whether requests were queued meanwhile. */
  recordResponse(operation: string, milliseconds: number, isSaturated: boolean): void;
  /** Halves the limit: the service reports overload. */
  halve(): void;
}

export const fixedLimit = (limit: number): ConcurrencyLimit => ({
  current: limit,
  recordResponse() {},
  halve() {},
});

/** Concurrent requests at the start of an adaptive limit. */
export const INITIAL_LIMIT = 10;
/** Upper bound of an adaptive limit. */
export const MAX_LIMIT = 50;

interface Latency {
  /** The latency of an idle service, as far as observed. */
  best: number;
  recent: number;
}

/**
 * Increases by one with each response as fast as the best one while requests are queued, decreases slowly
 * when latency grows, and halves when the service refuses. Latency is compared per operation: a page of a
 * hundred records takes longer than a single record.
 */
export class AdaptiveLimit implements ConcurrencyLimit {
  #limit = INITIAL_LIMIT;
  readonly #latencies = new Map<string, Latency>();

  get current(): number {
    return Math.floor(this.#limit);
  }

  recordResponse(operation: string, milliseconds: number, isSaturated: boolean): void {
    const { best, recent } = this.#recordLatency(operation, milliseconds);
    if (recent <= 2 * best + 25) {
      if (isSaturated) this.#limit = Math.min(MAX_LIMIT, this.#limit + 1);
    } else if (recent > 4 * best + 100) {
      this.#limit = Math.max(INITIAL_LIMIT / 2, this.#limit - 1 / this.#limit);
    }
  }

  halve(): void {
    this.#limit = Math.max(1, this.#limit / 2);
  }

  #recordLatency(operation: string, milliseconds: number): Latency {
    const latency = this.#latencies.get(operation);
    if (!latency) {
      const first = { best: milliseconds, recent: milliseconds };
      this.#latencies.set(operation, first);
      return first;
    }
    latency.recent += (milliseconds - latency.recent) * 0.2;
    // The best latency decays, so that a service that became slower for good is not compared with its past.
    latency.best = Math.min(milliseconds, latency.best + (milliseconds - latency.best) * 0.01);
    return latency;
  }
}
