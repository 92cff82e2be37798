import type { IncomingHttpHeaders } from "node:http";

/** The service's rate limit: requests that remain until a moment of the local clock, in milliseconds. */
export interface RateLimitState {
  readonly remaining: number;
  readonly resetsAt: number;
}

/**
 * Reads `RateLimit-Remaining` and `RateLimit-Reset`. Some services send the reset as a Unix time, others as
 * seconds from now. A Unix time is compared with the response's `Date`, because clocks differ.
 */
export function readRateLimit(headers: IncomingHttpHeaders, now: number): RateLimitState | undefined {
  const remaining = readNumber(headers["ratelimit-remaining"]);
  const reset = readNumber(headers["ratelimit-reset"]);
  if (remaining === undefined || reset === undefined) return undefined;
  const milliseconds =
    reset < SMALLEST_UNIX_TIME ? reset * 1000 : Math.max(0, reset * 1000 - serviceClock(headers.date, now));
  return milliseconds > MAX_PLAUSIBLE_PAUSE ? undefined : { remaining, resetsAt: now + milliseconds };
}

/** The longest announced pause that a client waits for, in milliseconds. */
export const MAX_PAUSE = 300_000;

/** A longer pause than a year is ignored as invalid, in milliseconds. */
const MAX_PLAUSIBLE_PAUSE = 365 * 86_400_000;

// Smaller numbers are seconds from now: no window is this long, and every Unix time of a running service is
// larger.
const SMALLEST_UNIX_TIME = 1_000_000_000;

/** The time of a response by the service's own clock, which may differ from the local one. */
const serviceClock = (date: string | undefined, now: number): number => readDate(date) ?? now;

/**
 * Milliseconds of `Retry-After`, given in seconds or as a date (RFC 9110, section 10.2.3). Invalid values and
 * pauses of more than a year count as absent.
 */
export function readRetryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const text = headers["retry-after"];
  const seconds = readNumber(text);
  const date = readDate(text);
  const milliseconds =
    seconds !== undefined ? seconds * 1000 : date && Math.max(0, date - serviceClock(headers.date, now));
  return milliseconds === undefined || milliseconds > MAX_PLAUSIBLE_PAUSE ? undefined : milliseconds;
}

/** Milliseconds that the service asks to wait after a refusal or failure, if any. */
export function announcedPause(
  { status, headers }: { readonly status: number; readonly headers: IncomingHttpHeaders },
  now: number,
): number | undefined {
  const announced = readRetryAfter(headers, now);
  if (announced !== undefined || status !== 429) return announced;
  const state = readRateLimit(headers, now);
  return state && state.resetsAt - now;
}

/** A pause in error messages: `10 minutes, until 2026-01-01 00:10:00 UTC`. */
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

/** A duration in the largest unit that it contains at least twice. */
function duration(milliseconds: number): string {
  const [name, length] = UNITS.find(([, unit]) => milliseconds >= 2 * unit) ?? UNITS.at(-1)!;
  const count = Math.ceil(milliseconds / length);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

// The formats of RFC 9110, section 5.6.7. Without them, Date.parse reads "-5" or "in 5 minutes" as days of the year
// 2001.
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
 * The remaining requests of the service's limit, if its responses contain them. Requests in flight count as
 * not yet counted by the service, which reduces concurrency near the end of a window.
 */
export class RateWindow {
  #known: RateLimitState | undefined;

  /** Updates the window from a response. */
  update(state: RateLimitState): void {
    const isSameWindow = this.#known !== undefined && Math.abs(state.resetsAt - this.#known.resetsAt) < 1500;
    // Responses arrive out of order: within one window the smallest number is the latest.
    this.#known = isSameWindow
      ? { ...this.#known!, remaining: Math.min(state.remaining, this.#known!.remaining) }
      : state;
  }

  /** The moment before which no request may be sent, if known. */
  closedUntil(now: number, underWay: number): number | undefined {
    if (!this.#known) return undefined;
    if (now >= this.#known.resetsAt) {
      this.#known = undefined;
      return undefined;
    }
    return this.#known.remaining > underWay ? undefined : this.#known.resetsAt;
  }
}
