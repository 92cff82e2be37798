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
  return milliseconds > NONSENSE ? undefined : { remaining, resetsAt: now + milliseconds };
}

/** The longest announced pause that is waited out: milliseconds. */
export const LONGEST_PAUSE = 300_000;

/** Nobody announces a pause of more than a year: milliseconds. */
const NONSENSE = 365 * 86_400_000;

// No window is this long, and no Unix time of a running service is this small.
const SMALLEST_UNIX_TIME = 1_000_000_000;

const millisecondsUntilReset = (reset: number, date: string | undefined, now: number): number =>
  reset < SMALLEST_UNIX_TIME ? reset * 1000 : Math.max(0, reset * 1000 - theirClock(date, now));

/** The moment of an answer by the service's own clock, which may differ from ours. */
const theirClock = (date: string | undefined, now: number): number => readDate(date) ?? now;

/**
 * Milliseconds that `Retry-After` asks for, given in seconds or as a date (RFC 9110, section 10.2.3). What is neither
 * counts as absent, and so does a pause of more than a year.
 */
export function readRetryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const text = headers["retry-after"];
  const seconds = readNumber(text);
  const date = readDate(text);
  const milliseconds =
    seconds !== undefined ? seconds * 1000 : date && Math.max(0, date - theirClock(headers.date, now));
  return milliseconds === undefined || milliseconds > NONSENSE ? undefined : milliseconds;
}

/** Milliseconds that the service asks to wait after it refused or failed; nothing where it doesn't say. */
export function announcedPause(
  { status, headers }: { readonly status: number; readonly headers: IncomingHttpHeaders },
  now: number,
): number | undefined {
  const told = readRetryAfter(headers, now);
  if (told !== undefined || status !== 429) return told;
  const state = readRateLimit(headers, now);
  return state && state.resetsAt - now;
}

/** A pause as errors give it: `10 minutes, until 2026-01-01 00:10:00 UTC`. */
export function describePause(milliseconds: number, now: number): string {
  const end = new Date(now + milliseconds).toISOString();
  return `${duration(milliseconds)}, until ${end.slice(0, 10)} ${end.slice(11, 19)} UTC`;
}

const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** In the largest unit of which there are two. */
function duration(milliseconds: number): string {
  const [name, length] = UNITS.find(([, unit]) => milliseconds >= 2 * unit) ?? UNITS.at(-1)!;
  const count = Math.ceil(milliseconds / length);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

// The formats of RFC 9110, section 5.6.7. Date.parse alone takes "-5" or "in 5 minutes" for days of the year 2001.
const DATE =
  /^(?:[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT|[A-Z][a-z]+day, \d{2}-[A-Z][a-z]{2}-\d{2} [\d:]{8} GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/;

function readDate(text: string | undefined): number | undefined {
  if (text === undefined || !DATE.test(text)) return undefined;
  const date = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(date) ? undefined : date;
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
