import { type Diagnostic, warning } from "../../diagnostics";
import type { UnprovenAnswer } from "../protocol/failures";

/**
 * The pauses before a repeated read of a result that contradicts an accepted write, in milliseconds: 15 seconds in
 * all.
 */
const PAUSES = [500, 1000, 2000, 4000, 7500];
const LONGEST_LAG = PAUSES.reduce((sum, pause) => sum + pause, 0);

/**
 * Whether reads may still be behind a change of another run. True if its time is not known.
 *
 * @param begunAt when it began, in milliseconds since 1970
 */
export const mayLag = (begunAt = Number.NaN): boolean => !(Date.now() - begunAt > LONGEST_LAG);

/**
 * The pauses of one run before a read that contradicts an accepted write is believed. All objects of the run share
 * them, so a service whose replicas lag costs 15 seconds, for any number of objects.
 */
export class SecondLooks {
  #used = 0;
  #current: Promise<number | undefined> | undefined;

  /** @param wait waits for a number of milliseconds; returns false if the run ends meanwhile */
  constructor(private readonly wait: ((milliseconds: number) => Promise<boolean>) | undefined) {}

  /**
   * Waits for the end of the pause in progress, or of the next one.
   *
   * @returns its end, of `performance.now()`, the same for all who waited; undefined if no pause is left
   */
  pause(): Promise<number | undefined> {
    const next = PAUSES[this.#used];
    if (this.#current === undefined && (next === undefined || this.wait === undefined))
      return Promise.resolve(undefined);
    this.#current ??= this.#pause(next!);
    return this.#current;
  }

  /**
   * Reads until the result is settled. Once no pause is left, it reads a last time.
   *
   * @param look reads the live object; requests from before the given moment of `performance.now()` do not count
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

/** The operations of a run whose changes are done although their responses proved nothing. */
export class ProvenByReading {
  readonly #reported = new Set<string>();

  /** One warning for each operation in a run: a proxy that rewrites responses does so with all of them. */
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
