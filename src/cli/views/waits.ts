import type { RequestEvent } from "../../engine";

/** A pause in which the run sends no requests, in the form that people read. */
export interface Wait {
  readonly seconds: number;
  readonly reason: string;
}

/** The shortest pause that is reported, in milliseconds. Shorter pauses end before people can read about them. */
const MIN_MS = 900;

/**
 * Selects the pauses that are reported. Leaves out short pauses, and selects only one pause if many requests wait for the
 * same moment.
 */
export class Waits {
  #reportedUntil = 0;

  constructor(private readonly now: () => number = Date.now) {}

  toReport(event: RequestEvent): Wait | undefined {
    if (!("reason" in event) || event.milliseconds < MIN_MS) return undefined;
    const until = this.now() + event.milliseconds;
    if (until < this.#reportedUntil + MIN_MS) return undefined;
    this.#reportedUntil = until;
    return { seconds: Math.round(event.milliseconds / 1000), reason: event.reason };
  }
}
