import type { IncomingHttpHeaders } from "node:http";
import { onAnyAbort } from "./cancellation";
import { LONGEST_PAUSE, RateWindow, readRateLimit, readRetryAfter } from "./rate-limit";
import { fullJitter } from "./retry";
import { TransportFailure } from "./transport";
import type { Width } from "./width";

/** The turn of one request, taken before it is sent and given back with what came of it. */
export interface Turn {
  release(result?: TurnResult): void;
}

export interface TurnResult {
  readonly operation: string;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly milliseconds: number;
}

export interface PauseNotice {
  readonly milliseconds: number;
  readonly reason: string;
}

interface Waiter {
  readonly start: (turn: Turn) => void;
}

const FIRST_PAUSE_WITHOUT_WORD = 1000;

/**
 * Decides when each request of a client goes: no more at once than the width says, none while the service's
 * rate limit is used up, and after such a pause a single one first, to see what the service says now. Then
 * requests that were refused go before all others.
 */
export class Limiter {
  readonly #width: Width;
  readonly #onPause: (notice: PauseNotice) => void;
  readonly #window = new RateWindow();
  readonly #refused = new Set<Waiter>();
  readonly #waiting = new Set<Waiter>();
  #underWay = 0;
  #pausedUntil = 0;
  #isProbing = false;
  #refusalsInARow = 0;
  /** Counts halvings: refusals of requests that were sent before one belong to it. */
  #generation = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(width: Width, onPause: (notice: PauseNotice) => void) {
    this.#width = width;
    this.#onPause = onPause;
  }

  /** Waits for a turn. Rejects with TransportFailure `cancelled` when a signal fires first. */
  acquire(signals: readonly AbortSignal[], wasRefused: boolean): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const queue = wasRefused ? this.#refused : this.#waiting;
      const waiter: Waiter = {
        start: (turn) => {
          stopListening();
          resolve(turn);
        },
      };
      const cancel = () => {
        queue.delete(waiter);
        this.#sleepOn();
        reject(new TransportFailure("cancelled", false));
      };
      const stopListening = onAnyAbort(signals, cancel);
      if (signals.some((signal) => signal.aborted)) {
        stopListening();
        cancel();
        return;
      }
      queue.add(waiter);
      this.#startNext();
    });
  }

  #startNext(): void {
    while (this.#refused.size + this.#waiting.size > 0 && this.#isOpen()) {
      // Nobody is refused twice as long as there is somebody else to find out.
      const queues = this.#isProbing ? [this.#waiting, this.#refused] : [this.#refused, this.#waiting];
      const queue = queues.find(({ size }) => size > 0)!;
      const [waiter] = queue as Iterable<Waiter>;
      queue.delete(waiter!);
      this.#underWay += 1;
      waiter!.start(this.#turn());
    }
  }

  #isOpen(): boolean {
    const now = Date.now();
    const closedUntil = this.#window.closedUntil(now, this.#underWay);
    // As long as answers are to come they may say more than the window does now.
    if (closedUntil !== undefined && this.#underWay === 0) this.#pause(closedUntil, "the limit is used up");
    if (now < this.#pausedUntil) {
      this.#wakeUp(this.#pausedUntil - now);
      return false;
    }
    if (closedUntil !== undefined) return false;
    return this.#underWay < (this.#isProbing ? 1 : this.#width.current);
  }

  #turn(): Turn {
    const generation = this.#generation;
    let isOver = false;
    return {
      release: (result) => {
        if (isOver) return;
        isOver = true;
        this.#underWay -= 1;
        if (result) this.#learn(result, generation);
        this.#startNext();
      },
    };
  }

  #learn({ operation, status, headers, milliseconds }: TurnResult, generation: number): void {
    const now = Date.now();
    const state = readRateLimit(headers, now);
    if (state) this.#window.update(state);
    if (status === 429) {
      this.#refuse(readRetryAfter(headers, now) ?? (state && state.resetsAt - now), generation);
      return;
    }
    this.#isProbing = false;
    this.#refusalsInARow = 0;
    this.#width.answered(operation, milliseconds, this.#waiting.size > 0);
  }

  #refuse(told: number | undefined, generation: number): void {
    if (generation === this.#generation) {
      this.#generation += 1;
      this.#refusalsInARow += 1;
      this.#width.halve();
    }
    // Never less than what was told, and a little more: a service may count in whole seconds.
    const milliseconds =
      told === undefined
        ? FIRST_PAUSE_WITHOUT_WORD + fullJitter(FIRST_PAUSE_WITHOUT_WORD, this.#refusalsInARow)
        : told + Math.random() * 100;
    if (milliseconds <= LONGEST_PAUSE)
      this.#pause(Date.now() + milliseconds, "the service refused a request");
  }

  #pause(until: number, reason: string): void {
    this.#isProbing = true;
    if (until <= this.#pausedUntil) return;
    const now = Date.now();
    // A burst is refused one by one; that is a single pause to tell of.
    const isNews = now >= this.#pausedUntil || until - this.#pausedUntil > 1000;
    this.#pausedUntil = until;
    if (isNews) this.#onPause({ milliseconds: until - now, reason });
  }

  /** Nobody waits any more: the timer of a long pause must not keep the process alive. */
  #sleepOn(): void {
    if (this.#refused.size + this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #wakeUp(milliseconds: number): void {
    if (this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#startNext();
    }, milliseconds + 1);
  }
}
