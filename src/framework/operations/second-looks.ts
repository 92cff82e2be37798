import { type Diagnostic, warning } from "../../diagnostics";
import type { UnprovenAnswer } from "../protocol/failures";

/**
 * The pauses before a repeated read of a result that contradicts an accepted write, in milliseconds: 15 seconds in
 * all.
 */
const PAUSES = [500, 1000, 2000, 4000, 7500];
const LONGEST_LAG = PAUSES.reduce((sum, pause) => sum + pause, 0);

/**
 * Returns whether reads may still be behind a change of another run. Returns true if the time of the change
 * is not known.
 *
 * @param begunAt the start of the change, in milliseconds since 1970
 */
export const mayLag = (begunAt = Number.NaN): boolean => !(Date.now() - begunAt > LONGEST_LAG);

/**
 * Repeats reads that contradict an accepted write, with pauses, until the run believes them. All objects of
 * the run share the pauses. A service with slow replicas therefore costs 15 seconds for any number of
 * objects.
 */
export class SecondLooks {
  #used = 0;
  #current: Promise<number | undefined> | undefined;

  /** @param wait waits for a number of milliseconds; returns false if the run ends meanwhile */
  constructor(private readonly wait: ((milliseconds: number) => Promise<boolean>) | undefined) {}

  /**
   * Waits for the end of the current pause, or of a new pause if there is none.
   *
   * @returns the end as a time of `performance.now()`, the same for all callers; undefined if no pause is
   * left
   */
  pause(): Promise<number | undefined> {
    const next = PAUSES[this.#used];
    if (this.#current === undefined && (next === undefined || this.wait === undefined))
      return Promise.resolve(undefined);
    this.#current ??= this.#pause(next!);
    return this.#current;
  }

  /**
   * Reads until the result is settled. When no pause is left, it reads a last time.
   *
   * @param look reads the live object, and ignores requests from before the given time of `performance.now()`
   * @returns the last result
   */
  async until<T>(seen: T, isSettled: (seen: T) => boolean, look: (since: number) => Promise<T>): Promise<T> {
    let last = seen;
    while (!isSettled(last)) {
      const since = await this.pause();
      last = await look(since ?? performance.now());
      if (since === undefined) break;
    }
    return last;
  }

  async #pause(milliseconds: number): Promise<number | undefined> {
    const isWhole = await this.wait!(milliseconds);
    // A run that ends sends no more reads.
    this.#used = isWhole ? this.#used + 1 : PAUSES.length;
    this.#current = undefined;
    return isWhole ? performance.now() : undefined;
  }
}

/** The changes of a run that a read has proven, although their responses proved nothing. */
export class ProvenByReading {
  readonly #reported = new Set<string>();

  /**
   * Returns one warning for each kind of operation in a run, because a proxy that rewrites responses rewrites
   * all of them.
   */
  warnings(answers: readonly UnprovenAnswer[]): Diagnostic[] {
    const unreported = answers.filter(({ operation }) => {
      const isNew = !this.#reported.has(operation);
      this.#reported.add(operation);
      return isNew;
    });
    return unreported.map(({ operation, request }) =>
      warning({
        code: "proven_by_reading",
        summary: "Unexpected response, but the change is done",
        detail:
          `The response to ${request} does not have the documented format. Steward then read the object, and the change is done. ` +
          "Check for a proxy that changes responses. This warning appears once for each kind of request.",
        cause: operation,
      }),
    );
  }
}
