import { type Clock, systemClock } from "./clock";

const MINUTE = 60_000;

interface Waiting {
  readonly open: () => void;
  readonly paused: (milliseconds: number) => void;
}

/**
 * The maximum number of requests per minute, for all clients that share this object. A request counts from its start
 * until one minute after its end. So the service never receives more than this number in one minute, even if the
 * network delays some requests.
 */
export class RequestPace {
  #inFlight = 0;
  /** The times at which requests ended, in order. The times from index `#first` on are within the last minute. */
  #ended: number[] = [];
  #first = 0;
  readonly #waiting = new Set<Waiting>();
  #cancelWakeUp: (() => void) | undefined;

  /** @param perMinute a whole number above 0 */
  constructor(
    private readonly perMinute: number,
    private readonly clock: Clock = systemClock,
  ) {}

  get isOpen(): boolean {
    this.#forgetOld();
    return this.#inFlight + this.#ended.length - this.#first < this.perMinute;
  }

  /** Records the start of a request. The caller has checked that the limit allows another request. */
  start(): void {
    this.#inFlight += 1;
  }

  end(): void {
    this.#inFlight -= 1;
    this.#ended.push(this.clock.now());
    this.#wakeUp();
  }

  /**
   * Calls `open` once, when a request may start. Before `open`, the method calls `paused` with the remaining
   * milliseconds, once requests in flight can't change this time. The returned function cancels the calls of `open`
   * and `paused`.
   */
  whenOpen(waiting: Waiting): () => void {
    this.#waiting.add(waiting);
    if (this.#cancelWakeUp === undefined) this.#wakeUp();
    else waiting.paused(this.#pause);
    return () => {
      this.#waiting.delete(waiting);
      if (this.#waiting.size === 0) this.#stopTimer();
    };
  }

  #forgetOld(): void {
    const now = this.clock.now();
    // An end in the future counts as old, because such an end means that the clock was set back.
    const isOld = (end: number) => end > now || now - end >= MINUTE;
    while (this.#first < this.#ended.length && isOld(this.#ended[this.#first]!)) this.#first += 1;
    if (this.#first < this.#ended.length / 2) return;
    this.#ended = this.#ended.slice(this.#first);
    this.#first = 0;
  }

  /** The milliseconds until the oldest request of the last minute no longer counts towards the limit. */
  get #pause(): number {
    this.#forgetOld();
    const first = this.#ended[this.#first];
    return first === undefined ? 0 : first + MINUTE - this.clock.now();
  }

  #wakeUp(): void {
    if (this.#waiting.size === 0 || this.#cancelWakeUp !== undefined) return;
    if (!this.isOpen && this.#first === this.#ended.length) return;
    const pause = this.isOpen ? 0 : this.#pause;
    this.#cancelWakeUp = this.clock.after(pause, () => {
      this.#cancelWakeUp = undefined;
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      for (const { open } of waiting) open();
    });
    for (const { paused } of this.#waiting) paused(pause);
  }

  /** Stops the timer when no request waits, because a running timer keeps the process alive. */
  #stopTimer(): void {
    this.#cancelWakeUp?.();
    this.#cancelWakeUp = undefined;
  }
}

/** The number of requests that may be in flight at the same time. */
export interface ConcurrencyLimit {
  readonly current: number;
  /** Records a response: its operation, its latency, and whether requests were queued at that time. */
  recordResponse(operation: string, milliseconds: number, isSaturated: boolean): void;
  /** Halves the concurrency limit, because the service reports overload. */
  halve(): void;
}

export const fixedLimit = (limit: number): ConcurrencyLimit => ({
  current: limit,
  recordResponse() {},
  halve() {},
});

/** The number of concurrent requests at the start of an adaptive limit. */
export const INITIAL_LIMIT = 10;
/** The maximum number of concurrent requests of an adaptive limit. */
export const MAX_LIMIT = 50;

interface Latency {
  /** The lowest observed latency in milliseconds, which is near the latency of an idle service. */
  best: number;
  recent: number;
}

/**
 * A concurrency limit that adapts to the service. While requests are queued, each response that is not much slower
 * than the fastest response increases the limit by one. The limit decreases slowly when latency grows, and halves
 * when the service refuses requests. Each response is compared with responses of the same operation, because a page
 * takes longer than a single record.
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
    // The stored best latency grows slowly, so that the limit adapts to a service that has become slower
    // permanently.
    latency.best = Math.min(milliseconds, latency.best + (milliseconds - latency.best) * 0.01);
    return latency;
  }
}
