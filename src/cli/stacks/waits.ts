import type { RequestEvent } from "../../engine";

/** A pause in which nothing is sent, for a person to know of. */
export interface Wait {
  readonly seconds: number;
  readonly reason: string;
}

/** Shorter pauses, below a second or so, are over before they are read. */
const SHORTEST_MS = 900;

/** Tells which pauses are worth telling: long ones, and one where many requests wait for the same moment. */
export class Waits {
  readonly #now: () => number;
  #toldUntil = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  worthTelling(event: RequestEvent): Wait | undefined {
    if (event.kind !== "waiting" || event.milliseconds < SHORTEST_MS) return undefined;
    const until = this.#now() + event.milliseconds;
    if (until < this.#toldUntil + SHORTEST_MS) return undefined;
    this.#toldUntil = until;
    return { seconds: Math.round(event.milliseconds / 1000), reason: event.reason };
  }
}
