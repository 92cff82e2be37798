import type { IncomingHttpHeaders } from "node:http";

/**
 * The service's rate limit: the number of requests that it still accepts, and the time at which the limit resets. The
 * reset time is in milliseconds of the local clock.
 */
export interface RateLimitState {
  readonly remaining: number;
  readonly resetsAt: number;
}

interface RateLimitHeaders {
  readonly remaining?: string | string[] | undefined;
  readonly reset?: string | string[] | undefined;
  readonly date?: string | undefined;
}

/**
 * Returns the rate limit in `RateLimit-Remaining` and `RateLimit-Reset`; undefined if a header is missing or invalid.
 * Some services send the reset as a Unix time, and other services as seconds from now. A Unix time is compared with the
 * response's `Date`, because the local clock may differ.
 */
export function readRateLimit(limit: RateLimitHeaders, now: number): RateLimitState | undefined {
  const remaining = readNumber(limit.remaining);
  const reset = readNumber(limit.reset);
  if (remaining === undefined || reset === undefined) return undefined;
  const milliseconds =
    reset < SMALLEST_UNIX_TIME ? reset * 1000 : Math.max(0, reset * 1000 - serviceClock(limit.date, now));
  return milliseconds > MAX_PLAUSIBLE_PAUSE ? undefined : { remaining, resetsAt: now + milliseconds };
}

/** The longest announced pause that a client waits for, in milliseconds. */
export const MAX_PAUSE = 300_000;

/**
 * The longest announced pause that the client accepts as valid, in milliseconds: one year. The client ignores longer
 * pauses.
 */
const MAX_PLAUSIBLE_PAUSE = 365 * 86_400_000;

// The smallest number that is read as a Unix time. A smaller number means seconds from now: no window lasts that
// long, and every current Unix time is larger.
const SMALLEST_UNIX_TIME = 1_000_000_000;

/** Returns the time of a response by the clock of the service, which may differ from the local clock. */
const serviceClock = (date: string | undefined, now: number): number => readDate(date) ?? now;

/**
 * Returns the pause in `Retry-After` in milliseconds. The header contains seconds or a date (RFC 9110, section 10.2.3).
 * For an invalid value, or a pause of more than a year, returns undefined.
 */
export function readRetryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const text = headers["retry-after"];
  const seconds = readNumber(text);
  const date = readDate(text);
  const milliseconds =
    seconds !== undefined ? seconds * 1000 : date && Math.max(0, date - serviceClock(headers.date, now));
  return milliseconds === undefined || milliseconds > MAX_PLAUSIBLE_PAUSE ? undefined : milliseconds;
}

/**
 * Returns the pause that the service requests after a refusal or failure, in milliseconds; undefined if it requests
 * none.
 */
export function announcedPause(
  { status, headers }: { readonly status: number; readonly headers: IncomingHttpHeaders },
  now: number,
): number | undefined {
  const announced = readRetryAfter(headers, now);
  if (announced !== undefined || status !== 429) return announced;
  const { "ratelimit-remaining": remaining, "ratelimit-reset": reset, date } = headers;
  const state = readRateLimit({ remaining, reset, date }, now);
  return state && state.resetsAt - now;
}

/** Formats a pause for error messages: `10 minutes, until 2026-01-01 00:10:00 UTC`. */
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

/** Formats a duration in the largest unit that the duration contains at least twice. */
function duration(milliseconds: number): string {
  const [name, length] = UNITS.find(([, unit]) => milliseconds >= 2 * unit) ?? UNITS.at(-1)!;
  const count = Math.ceil(milliseconds / length);
  return `${count} ${name}${count === 1 ? "" : "s"}`;
}

// Matches the date formats of RFC 9110, section 5.6.7. Without this check, Date.parse would read "-5" or "in 5
// minutes" as days of the year 2001.
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
 * Tracks the remaining requests of the service's rate limit, if the responses of the service contain this limit. The
 * class subtracts the requests in flight, because the service may not have counted these requests yet. Near the end of
 * a window, fewer requests are therefore in flight at the same time.
 */
export class RateWindow {
  #known: RateLimitState | undefined;

  /** Updates the window with the rate limit in a response. */
  update(state: RateLimitState): void {
    const isSameWindow = this.#known !== undefined && Math.abs(state.resetsAt - this.#known.resetsAt) < 1500;
    // Responses may arrive in another order than the service sent them. Within one window, the smallest number of
    // remaining requests is the latest one.
    this.#known = isSameWindow
      ? { ...this.#known!, remaining: Math.min(state.remaining, this.#known!.remaining) }
      : state;
  }

  /** Returns the time before which no request may be sent; undefined if requests may be sent now. */
  closedUntil(now: number, underWay: number): number | undefined {
    if (!this.#known) return undefined;
    if (now >= this.#known.resetsAt) {
      this.#known = undefined;
      return undefined;
    }
    return this.#known.remaining > underWay ? undefined : this.#known.resetsAt;
  }
}
