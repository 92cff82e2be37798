import type { IncomingHttpHeaders } from "node:http";

/** What a service says of its rate limit: requests left until a moment of our own clock, in milliseconds. */
export interface RateLimitState {
  readonly remaining: number;
  readonly resetsAt: number;
}

/**
 * Reads `RateLimit-Remaining` and `RateLimit-Reset`. A reset is a Unix time with some services and seconds from
 * now with others; a Unix time is compared with the answer's own `Date`, because clocks differ.
 */
export function readRateLimit(headers: IncomingHttpHeaders, now: number): RateLimitState | undefined {
  const remaining = readNumber(headers["ratelimit-remaining"]);
  const reset = readNumber(headers["ratelimit-reset"]);
  if (remaining === undefined || reset === undefined) return undefined;
  const milliseconds = millisecondsUntilReset(reset, headers.date, now);
  return milliseconds > LONGEST_PAUSE ? undefined : { remaining, resetsAt: now + milliseconds };
}

/** A limit that has no end in sight is not waited out: milliseconds. */
export const LONGEST_PAUSE = 3_600_000;

// No window is this long, and no Unix time of a running service is this small.
const SMALLEST_UNIX_TIME = 1_000_000_000;

function millisecondsUntilReset(reset: number, date: string | undefined, now: number): number {
  if (reset < SMALLEST_UNIX_TIME) return reset * 1000;
  const theirs = Date.parse(date ?? "");
  return Math.max(0, reset * 1000 - (Number.isNaN(theirs) ? now : theirs));
}

/** Milliseconds that `Retry-After` asks for, given in seconds or as a date. */
export function readRetryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const text = headers["retry-after"];
  if (text === undefined) return undefined;
  const seconds = readNumber(text);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function readNumber(text: string | string[] | undefined): number | undefined {
  return typeof text === "string" && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : undefined;
}

/**
 * How much of a service's limit is left, as far as its answers tell. Requests that are under way are taken as
 * not yet counted by the service: near the end that lets fewer go at the same time, which is the slowing down.
 */
export class RateWindow {
  #known: RateLimitState | undefined;

  /** Takes in what an answer says. */
  update(state: RateLimitState): void {
    const isSameWindow = this.#known !== undefined && Math.abs(state.resetsAt - this.#known.resetsAt) < 1500;
    // Answers overtake each other: within one window the smallest number is the latest.
    this.#known = isSameWindow
      ? { ...this.#known!, remaining: Math.min(state.remaining, this.#known!.remaining) }
      : state;
  }

  /** The moment before which nothing more may be sent, where the answers give one. */
  closedUntil(now: number, underWay: number): number | undefined {
    if (!this.#known) return undefined;
    if (now >= this.#known.resetsAt) {
      this.#known = undefined;
      return undefined;
    }
    return this.#known.remaining > underWay ? undefined : this.#known.resetsAt;
  }
}
