import type { HttpError } from "./errors";
import { announcedPause, LONGEST_PAUSE } from "./rate-limit";
import type { HttpAnswer, TransportFailure } from "./transport";

/** What came of one try. */
export type Outcome =
  | { readonly answer: HttpAnswer; readonly failure?: undefined }
  | { readonly failure: TransportFailure; readonly answer?: undefined };

export interface RetryRules {
  /** Tries in all. */
  readonly maxAttempts: number;
  /** Milliseconds: upper end of the first pause. */
  readonly retryDelay: number;
}

const LONGEST_DELAY = 30_000;

/** A random time between nothing and a bound that doubles with each attempt, so that many clients don't come back at once. */
export const fullJitter = (first: number, attempt: number, random: () => number = Math.random): number =>
  random() * longestDelay(first, attempt);

const longestDelay = (first: number, attempt: number): number =>
  Math.min(LONGEST_DELAY, first * 2 ** Math.min(attempt - 1, 30));

/**
 * Milliseconds to wait before somebody looks whether a change was done whose answer was lost; longer where the service
 * may still be at it, and undefined where it asks for a pause that nobody waits out.
 */
export function pauseBeforeLook(
  { mayBeDoneLater, retryAfter = 0 }: Pick<HttpError, "mayBeDoneLater" | "retryAfter">,
  attempt: number,
  { retryDelay }: Pick<RetryRules, "retryDelay">,
): number | undefined {
  if (retryAfter > LONGEST_PAUSE) return undefined;
  return (
    retryAfter + fullJitter(retryDelay, attempt) + (mayBeDoneLater ? longestDelay(retryDelay, attempt) : 0)
  );
}

/** Milliseconds to wait before the next try; undefined when there shall be none. */
export type RetryPolicy = (outcome: Outcome, attempt: number, isRepeatable: boolean) => number | undefined;

/**
 * Random pauses that get longer, so that many clients don't come back at once.
 *
 * What can be repeated without harm is tried again after lost connections and 502, 503, 504. What would be done
 * twice is tried again only when it was surely not done: after 429, or when no connection was made. The pause
 * after a 429 is the limiter's, for every call together.
 */
export const jitteredRetries =
  ({ maxAttempts, retryDelay }: RetryRules): RetryPolicy =>
  (outcome, attempt, isRepeatable) => {
    if (attempt >= maxAttempts || !isWorthATry(outcome, isRepeatable)) return undefined;
    const told = outcome.answer && announcedPause(outcome.answer, Date.now());
    if (told !== undefined && told > LONGEST_PAUSE) return undefined;
    if (outcome.answer?.status === 429) return 0;
    const jitter = fullJitter(retryDelay, attempt);
    return told === undefined ? jitter : told + jitter;
  };

export interface DoublingRules {
  /** Tries after the first. */
  readonly maxRetries: number;
  /** Milliseconds: the first pause, which doubles each time, and the longest. */
  readonly firstPause: number;
  readonly longestPause: number;
}

/**
 * Pauses that double, as Terraform's backends make them; one that the service announces takes their place. Every failure
 * of the service is worth another try, but for 501: it will never be able to.
 */
export const doublingRetries =
  ({ maxRetries, firstPause, longestPause }: DoublingRules): RetryPolicy =>
  (outcome, attempt, isRepeatable) => {
    if (attempt > maxRetries || !isWorthATry(outcome, isRepeatable, isPassing)) return undefined;
    const told = outcome.answer && announcedPause(outcome.answer, Date.now());
    return told ?? Math.min(firstPause * 2 ** (attempt - 1), longestPause);
  };

/** Whether a status may be another one the next time. */
export const isPassing = (status: number): boolean => status === 429 || (status >= 500 && status !== 501);

const isGatewayTrouble = (status: number): boolean => [502, 503, 504].includes(status);

function isWorthATry(
  { answer, failure }: Outcome,
  isRepeatable: boolean,
  mayPass: (status: number) => boolean = isGatewayTrouble,
): boolean {
  if (answer) return answer.status === 429 || (isRepeatable && mayPass(answer.status));
  if (
    failure.reason === "cancelled" ||
    failure.reason === "rate_limited" ||
    failure.reason === "too_large" ||
    isCertificateTrouble(failure.cause)
  ) {
    return false;
  }
  return isRepeatable || !failure.wasSent;
}

// The same certificate will be wrong again.
const isCertificateTrouble = (cause: Error | undefined): boolean =>
  /CERT|SELF_SIGNED|UNABLE_TO|ERR_(TLS|SSL|OSSL)/.test(
    (cause as NodeJS.ErrnoException | undefined)?.code ?? "",
  );
