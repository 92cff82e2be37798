import { type Clock, UnannouncedPauses } from "./clock";
import { describePause, MAX_PAUSE, type RateLimitState, RateWindow } from "./rate-limit";
import type { ConcurrencyLimit, RequestPace } from "./request-limits";
import { fullJitter } from "./retry";
import { isAnyAborted, onAnyAbort } from "./shutdown";
import { TransportFailure } from "./transport";

/** The permission to send one request. After the request, the caller calls `release` with the result. */
interface Permit {
  /** The duration of unannounced pauses while the request was queued, in milliseconds. */
  readonly waited: number;
  release(result?: RequestResult): void;
}

interface RequestResult {
  readonly operation: string;
  readonly status: number;
  /** The service's rate limit, if the response contains it. */
  readonly rateLimit: RateLimitState | undefined;
  /** The pause that the response announces, in milliseconds. */
  readonly pause: number | undefined;
  readonly milliseconds: number;
}

/**
 * The queue of a request. The limiter first sends requests from `refused`, which the service has refused before, then
 * from `urgent`, then from `usual`.
 */
export type Turn = "refused" | "urgent" | "usual";

/** An object that grants permits to requests. */
export interface Permits {
  /** Whether requests must wait because of a pause or an exhausted limit. */
  readonly isPaused: boolean;
  /**
   * Waits for a permit. Unannounced pauses during the wait may last at most `maxPause` milliseconds in total.
   * Rejects with TransportFailure: `cancelled` when a signal fires, `rate_limited` when the wait would take too
   * long.
   */
  acquire(signals: readonly AbortSignal[], turn: Turn, maxPause: number): Promise<Permit>;
}

/** Grants every permit at once. */
export const UNLIMITED: Permits = {
  isPaused: false,
  acquire: () => Promise.resolve({ waited: 0, release() {} }),
};

interface QueuedRequest {
  readonly start: (permit: Permit) => void;
  readonly reject: (failure: TransportFailure) => void;
  /** The time at which the request was queued, by the `UnannouncedPauses` clock in milliseconds. */
  readonly queuedAt: number;
  /** The maximum duration of the request's unannounced pauses, in milliseconds. */
  readonly maxPause: number;
}

const FIRST_UNANNOUNCED_PAUSE = 1000;
/**
 * The shortest wait that the client reports, in milliseconds. A client with a limit of requests per minute must wait
 * when it has reached this limit.
 */
const MIN_REPORTED = 1000;
const PACE_REASON = "this run has used its requests of a minute";

/**
 * Decides when each request of a client is sent. The limiter keeps the concurrency limit, and sends nothing while the
 * service's rate limit is exhausted. After a pause, the limiter first sends only one request as a probe. If the service
 * accepts the probe, the limiter sends refused requests, then urgent requests, then all other requests. A request that
 * would have to wait too long fails at once.
 */
export class RequestLimiter implements Permits {
  readonly #window = new RateWindow();
  readonly #queues: Readonly<Record<Turn, Set<QueuedRequest>>> = {
    refused: new Set(),
    urgent: new Set(),
    usual: new Set(),
  };
  #inFlight = 0;
  #pausedUntil = 0;
  readonly #unannounced = new UnannouncedPauses();
  /** The time until which requests fail, in milliseconds: the end of a pause that is too long to wait for. */
  #closedUntil = 0;
  #isProbing = false;
  #consecutiveRefusals = 0;
  /**
   * The number of times that the limiter halved the concurrency limit. If the service refuses a request that was sent
   * before the last halving, the limit is not halved again.
   */
  #generation = 0;
  /** Cancels the timer of the current pause. */
  #cancelWakeUp: (() => void) | undefined;
  /** Cancels the wait for the limit of requests per minute (`pace`). */
  #cancelWait: (() => void) | undefined;

  /** @param pace the maximum number of requests per minute. Several clients may share one pace object */
  constructor(
    private readonly limit: ConcurrencyLimit,
    private readonly clock: Clock,
    private readonly onPause: (notice: { readonly milliseconds: number; readonly reason: string }) => void,
    private readonly pace?: RequestPace,
  ) {}

  acquire(signals: readonly AbortSignal[], turn: Turn, maxPause: number): Promise<Permit> {
    return new Promise((resolve, reject) => {
      const queue = this.#queues[turn];
      const fail = (failure: TransportFailure) => {
        stopListening();
        queue.delete(queued);
        this.#cancelTimerIfIdle();
        reject(failure);
      };
      const queued: QueuedRequest = {
        start: (permit) => {
          stopListening();
          resolve(permit);
        },
        reject: fail,
        queuedAt: this.#unannounced.at(this.clock.now()),
        maxPause,
      };
      const cancel = () => fail(new TransportFailure("cancelled", false));
      const stopListening = onAnyAbort(signals, cancel);
      if (isAnyAborted(signals)) {
        cancel();
        return;
      }
      queue.add(queued);
      this.#rejectIfTooLong(queued);
      this.#startNext();
    });
  }

  get isPaused(): boolean {
    const now = this.clock.now();
    return (
      now < Math.max(this.#pausedUntil, this.#closedUntil) ||
      this.#window.closedUntil(now, this.#inFlight) !== undefined ||
      this.pace?.isOpen === false
    );
  }

  #startNext(): void {
    while (this.#isAnyQueued && this.#isOpen()) {
      const queue = this.#nextQueue;
      const queued = queue.values().next().value!;
      queue.delete(queued);
      this.#inFlight += 1;
      this.pace?.start();
      queued.start(this.#permit(this.#unannounced.at(this.clock.now()) - queued.queuedAt));
    }
  }

  get #isAnyQueued(): boolean {
    return this.#isAnyNew || this.#queues.refused.size > 0;
  }

  /** Whether the queue contains a request that the service has not refused yet. */
  get #isAnyNew(): boolean {
    return this.#queues.urgent.size + this.#queues.usual.size > 0;
  }

  get #nextQueue(): Set<QueuedRequest> {
    const { refused, urgent, usual } = this.#queues;
    // While the queues contain other requests, no refused request is sent as a probe, because probes would use up its
    // attempts.
    if (refused.size > 0 && !(this.#isProbing && this.#isAnyNew)) return refused;
    return urgent.size > 0 ? urgent : usual;
  }

  #isOpen(): boolean {
    const now = this.clock.now();
    const closedUntil = this.#window.closedUntil(now, this.#inFlight);
    // While requests are in flight, no pause begins, because their responses may still update the window.
    if (closedUntil !== undefined && this.#inFlight === 0) {
      this.#pauseAnnounced(closedUntil - now, "the rate limit is exhausted");
    }
    if (now < this.#closedUntil) return false;
    if (now < this.#pausedUntil) {
      this.#wakeUp(this.#pausedUntil - now);
      return false;
    }
    if (closedUntil !== undefined) return false;
    return this.#inFlight < (this.#isProbing ? 1 : this.limit.current) && this.#isWithinPace();
  }

  #isWithinPace(): boolean {
    if (this.pace === undefined || this.pace.isOpen) return true;
    if (this.#cancelWait !== undefined) return false;
    this.#cancelWait = this.pace.whenOpen({
      open: () => {
        this.#cancelWait = undefined;
        this.#startNext();
      },
      paused: (milliseconds) => {
        if (milliseconds >= MIN_REPORTED) this.onPause({ milliseconds, reason: PACE_REASON });
      },
    });
    return false;
  }

  #permit(waited: number): Permit {
    const generation = this.#generation;
    let isOver = false;
    return {
      waited,
      release: (result) => {
        if (isOver) return;
        isOver = true;
        this.#inFlight -= 1;
        this.pace?.end();
        if (result) this.#record(result, generation);
        this.#startNext();
      },
    };
  }

  #record({ operation, status, rateLimit, pause, milliseconds }: RequestResult, generation: number): void {
    if (rateLimit) this.#window.update(rateLimit);
    if (status === 429) {
      this.#recordRefusal(pause, generation);
      return;
    }
    this.#isProbing = false;
    this.#consecutiveRefusals = 0;
    this.limit.recordResponse(operation, milliseconds, this.#isAnyNew);
  }

  #recordRefusal(announced: number | undefined, generation: number): void {
    if (generation === this.#generation) {
      this.#generation += 1;
      this.#consecutiveRefusals += 1;
      this.limit.halve();
    }
    const reason = "the service refused a request";
    if (announced !== undefined) {
      this.#pauseAnnounced(announced, reason);
      return;
    }
    const now = this.clock.now();
    const until =
      now + FIRST_UNANNOUNCED_PAUSE + fullJitter(FIRST_UNANNOUNCED_PAUSE, this.#consecutiveRefusals);
    if (until > this.#pausedUntil) this.#unannounced.add(now, until);
    this.#pause(until, reason);
    this.#rejectLongWaits();
  }

  /**
   * Starts a pause of the length that the service announced. If the pause is too long to wait for, all queued
   * requests fail at once.
   */
  #pauseAnnounced(milliseconds: number, reason: string): void {
    const until = this.clock.now() + milliseconds;
    if (milliseconds <= MAX_PAUSE) {
      // The pause is slightly longer than announced, because the service may have rounded the pause to whole seconds.
      this.#pause(until + Math.random() * 100, reason);
      return;
    }
    this.#closedUntil = until;
    this.#rejectLongWaits();
  }

  #rejectLongWaits(): void {
    for (const queue of Object.values(this.#queues))
      for (const queued of [...queue]) this.#rejectIfTooLong(queued);
  }

  /** Rejects a request that would have to wait too long. */
  #rejectIfTooLong({ queuedAt, maxPause, reject }: QueuedRequest): void {
    const now = this.clock.now();
    const isTimedOut = this.#unannounced.end - queuedAt >= maxPause;
    if (now >= this.#closedUntil && !isTimedOut) return;
    const why = isTimedOut
      ? "the service keeps refusing requests because of its rate limit, and total_timeout is over"
      : `the service asks to wait ${describePause(this.#closedUntil - now, now)}`;
    reject(new TransportFailure("rate_limited", false, new Error(why)));
  }

  #pause(until: number, reason: string): void {
    this.#isProbing = true;
    if (until <= this.#pausedUntil) return;
    const now = this.clock.now();
    // If many requests are in flight, the service refuses each of them, and each refusal extends the pause a
    // little. Only one pause is reported.
    const isNewPause = now >= this.#pausedUntil || until - this.#pausedUntil > 1000;
    this.#pausedUntil = until;
    if (isNewPause) this.onPause({ milliseconds: until - now, reason });
  }

  /**
   * Cancels the timers if no request is queued, so that the timer of a long pause does not keep the process alive.
   */
  #cancelTimerIfIdle(): void {
    if (this.#isAnyQueued) return;
    this.#cancelWakeUp?.();
    this.#cancelWakeUp = undefined;
    this.#cancelWait?.();
    this.#cancelWait = undefined;
  }

  #wakeUp(milliseconds: number): void {
    this.#cancelWakeUp ??= this.clock.after(milliseconds + 1, () => {
      this.#cancelWakeUp = undefined;
      this.#startNext();
    });
  }
}
