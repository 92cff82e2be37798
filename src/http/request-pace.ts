import { type Clock, systemClock } from "./clock";

const MINUTE = 60_000;

interface Waiting {
  readonly open: () => void;
  readonly paused: (milliseconds: number) => void;
}

/**
 * The maximum number of requests per minute, for all clients that share it. A request counts from its start
 * until a minute after its end: in no minute does the service receive more, however long requests are on
 * their way.
 */
export class RequestPace {
  readonly #perMinute: number;
  readonly #clock: Clock;
  #inFlight = 0;
  /** When requests ended, in order; those from `#first` on within the last minute. */
  #ended: number[] = [];
  #first = 0;
  readonly #waiting = new Set<Waiting>();
  #cancelWakeUp: (() => void) | undefined;

  /** @param perMinute a whole number above 0 */
  constructor(perMinute: number, clock: Clock = systemClock) {
    this.#perMinute = perMinute;
    this.#clock = clock;
  }

  get isOpen(): boolean {
    this.#forgetOld();
    return this.#inFlight + this.#ended.length - this.#first < this.#perMinute;
  }

  /** A request starts; the pace is open. */
  start(): void {
    this.#inFlight += 1;
  }

  end(): void {
    this.#inFlight -= 1;
    this.#ended.push(this.#clock.now());
    this.#wakeUp();
  }

  /**
   * Calls back once when a request may start, and before that once with the milliseconds that remain, as soon
   * as they don't depend on requests in flight. The returned function cancels both.
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
    const now = this.#clock.now();
    // An end in the future: the clock was set back.
    const isOld = (end: number) => end > now || now - end >= MINUTE;
    while (this.#first < this.#ended.length && isOld(this.#ended[this.#first]!)) this.#first += 1;
    if (this.#first < this.#ended.length / 2) return;
    this.#ended = this.#ended.slice(this.#first);
    this.#first = 0;
  }

  /** Milliseconds until the first of the last minute's requests counts no more. */
  get #pause(): number {
    this.#forgetOld();
    const first = this.#ended[this.#first];
    return first === undefined ? 0 : first + MINUTE - this.#clock.now();
  }

  #wakeUp(): void {
    if (this.#waiting.size === 0 || this.#cancelWakeUp !== undefined) return;
    if (!this.isOpen && this.#first === this.#ended.length) return;
    const pause = this.isOpen ? 0 : this.#pause;
    this.#cancelWakeUp = this.#clock.after(pause, () => {
      this.#cancelWakeUp = undefined;
      const waiting = [...this.#waiting];
      this.#waiting.clear();
      for (const { open } of waiting) open();
    });
    for (const { paused } of this.#waiting) paused(pause);
  }

  /** Without waiting requests the timer must not keep the process alive. */
  #stopTimer(): void {
    this.#cancelWakeUp?.();
    this.#cancelWakeUp = undefined;
  }
}
