import { onAnyAbort } from "./cancellation";
import type { Clock } from "./clock";
import { announcedPause, describePause, LONGEST_PAUSE, RateWindow, readRateLimit } from "./rate-limit";
import { fullJitter } from "./retry";
import { TransportFailure } from "./transport";
import type { Turn, TurnResult, Turns } from "./turns";
import { UnannouncedPauses } from "./unannounced-pauses";
import type { Width } from "./width";

export interface PauseNotice {
  readonly milliseconds: number;
  readonly reason: string;
}

interface Waiter {
  readonly start: (turn: Turn) => void;
  readonly giveUp: (failure: TransportFailure) => void;
  /** What the clock of unannounced pauses showed when it came. */
  readonly since: number;
  /** Milliseconds of such pauses for which it may wait. */
  readonly patience: number;
}

const FIRST_PAUSE_WITHOUT_WORD = 1000;

/**
 * Decides when each request of a client goes: no more at once than the width says, none while the service's
 * rate limit is used up, and after such a pause a single one first, to see what the service says now. Then
 * requests that were refused go before all others. Whoever would have to wait too long is told so at once.
 */
export class Limiter implements Turns {
  readonly #width: Width;
  readonly #onPause: (notice: PauseNotice) => void;
  readonly #window = new RateWindow();
  readonly #refused = new Set<Waiter>();
  readonly #waiting = new Set<Waiter>();
  #underWay = 0;
  #pausedUntil = 0;
  readonly #unannounced = new UnannouncedPauses();
  /** The end of a pause that is too long to be waited out. */
  #closedUntil = 0;
  #isProbing = false;
  #refusalsInARow = 0;
  /** Counts halvings: refusals of requests that were sent before one belong to it. */
  #generation = 0;
  readonly #clock: Clock;
  /** Takes back the call at the end of a pause. */
  #forgetWakeUp: (() => void) | undefined;

  constructor(width: Width, clock: Clock, onPause: (notice: PauseNotice) => void) {
    this.#width = width;
    this.#clock = clock;
    this.#onPause = onPause;
  }

  acquire(signals: readonly AbortSignal[], wasRefused: boolean, patience: number): Promise<Turn> {
    return new Promise((resolve, reject) => {
      const queue = wasRefused ? this.#refused : this.#waiting;
      const giveUp = (failure: TransportFailure) => {
        stopListening();
        queue.delete(waiter);
        this.#sleepOn();
        reject(failure);
      };
      const waiter: Waiter = {
        start: (turn) => {
          stopListening();
          resolve(turn);
        },
        giveUp,
        since: this.#unannounced.at(this.#clock.now()),
        patience,
      };
      const cancel = () => giveUp(new TransportFailure("cancelled", false));
      const stopListening = onAnyAbort(signals, cancel);
      if (signals.some((signal) => signal.aborted)) {
        cancel();
        return;
      }
      queue.add(waiter);
      this.#dismissIfTooLong(waiter);
      this.#startNext();
    });
  }

  get isPaused(): boolean {
    const now = this.#clock.now();
    return (
      now < Math.max(this.#pausedUntil, this.#closedUntil) ||
      this.#window.closedUntil(now, this.#underWay) !== undefined
    );
  }

  #startNext(): void {
    while (this.#refused.size + this.#waiting.size > 0 && this.#isOpen()) {
      // Nobody is refused twice as long as there is somebody else to find out.
      const queues = this.#isProbing ? [this.#waiting, this.#refused] : [this.#refused, this.#waiting];
      const queue = queues.find(({ size }) => size > 0)!;
      const [waiter] = queue as Iterable<Waiter>;
      queue.delete(waiter!);
      this.#underWay += 1;
      waiter!.start(this.#turn(this.#unannounced.at(this.#clock.now()) - waiter!.since));
    }
  }

  #isOpen(): boolean {
    const now = this.#clock.now();
    const closedUntil = this.#window.closedUntil(now, this.#underWay);
    // As long as answers are to come they may say more than the window does now.
    if (closedUntil !== undefined && this.#underWay === 0) {
      this.#heed(closedUntil - now, "the limit is used up");
    }
    if (now < this.#closedUntil) return false;
    if (now < this.#pausedUntil) {
      this.#wakeUp(this.#pausedUntil - now);
      return false;
    }
    if (closedUntil !== undefined) return false;
    return this.#underWay < (this.#isProbing ? 1 : this.#width.current);
  }

  #turn(waited: number): Turn {
    const generation = this.#generation;
    let isOver = false;
    return {
      waited,
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
    const now = this.#clock.now();
    const state = readRateLimit(headers, now);
    if (state) this.#window.update(state);
    if (status === 429) {
      this.#refuse(announcedPause({ status, headers }, now), generation);
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
    const reason = "the service refused a request";
    if (told !== undefined) {
      // A little more than what was told: a service may count in whole seconds.
      this.#heed(told, reason);
      return;
    }
    const now = this.#clock.now();
    const until = now + FIRST_PAUSE_WITHOUT_WORD + fullJitter(FIRST_PAUSE_WITHOUT_WORD, this.#refusalsInARow);
    if (until > this.#pausedUntil) this.#unannounced.add(now, until);
    this.#pause(until, reason);
    this.#dismiss();
  }

  /** Keeps to a pause that the service announced; nobody waits for one that is too long. */
  #heed(milliseconds: number, reason: string): void {
    const until = this.#clock.now() + milliseconds;
    if (milliseconds <= LONGEST_PAUSE) {
      // A little more than what was told: a service may count in whole seconds.
      this.#pause(until + Math.random() * 100, reason);
      return;
    }
    this.#closedUntil = until;
    this.#dismiss();
  }

  #dismiss(): void {
    for (const waiter of [...this.#refused, ...this.#waiting]) this.#dismissIfTooLong(waiter);
  }

  /** Sends somebody away who would have to wait too long. */
  #dismissIfTooLong({ since, patience, giveUp }: Waiter): void {
    const now = this.#clock.now();
    const isImpatient = this.#unannounced.end - since >= patience;
    if (now >= this.#closedUntil && !isImpatient) return;
    const why = isImpatient
      ? "the service refuses requests for its rate limit, and total_timeout is over"
      : `the service asks to wait ${describePause(this.#closedUntil - now, now)}`;
    giveUp(new TransportFailure("rate_limited", false, new Error(why)));
  }

  #pause(until: number, reason: string): void {
    this.#isProbing = true;
    if (until <= this.#pausedUntil) return;
    const now = this.#clock.now();
    // A burst is refused one by one; that is a single pause to tell of.
    const isNews = now >= this.#pausedUntil || until - this.#pausedUntil > 1000;
    this.#pausedUntil = until;
    if (isNews) this.#onPause({ milliseconds: until - now, reason });
  }

  /** Nobody waits any more: the timer of a long pause must not keep the process alive. */
  #sleepOn(): void {
    if (this.#refused.size + this.#waiting.size > 0) return;
    this.#forgetWakeUp?.();
    this.#forgetWakeUp = undefined;
  }

  #wakeUp(milliseconds: number): void {
    this.#forgetWakeUp ??= this.#clock.after(milliseconds + 1, () => {
      this.#forgetWakeUp = undefined;
      this.#startNext();
    });
  }
}
