import type { HttpError } from "./errors";
import { announcedPause, MAX_PAUSE } from "./rate-limit";
import type { HttpResponse, TransportFailure } from "./transport";

/** The outcome of one attempt. */
export type AttemptOutcome =
  | { readonly answer: HttpResponse; readonly failure?: undefined }
  | { readonly failure: TransportFailure; readonly answer?: undefined };

export interface RetryRules {
  /** The maximum number of attempts, including the first attempt. */
  readonly maxAttempts: number;
  /** Upper bound of the first pause, in milliseconds. */
  readonly retryDelay: number;
}

const MAX_DELAY = 30_000;

/**
 * Returns a random time below a bound that doubles with each attempt (full jitter). Because of the random times,
 * clients do not all retry at the same moment.
 */
export const fullJitter = (first: number, attempt: number, random: () => number = Math.random): number =>
  random() * maxDelay(first, attempt);

const maxDelay = (first: number, attempt: number): number =>
  Math.min(MAX_DELAY, first * 2 ** Math.min(attempt - 1, 30));

/**
 * Returns the milliseconds to wait before the client reads the outcome of a change with a lost response. The pause
 * is longer if the service may still be executing the change. Returns undefined if the service announces a pause
 * that is too long.
 */
export function pauseBeforeVerify(
  { mayBeDoneLater, retryAfter = 0 }: Pick<HttpError, "mayBeDoneLater" | "retryAfter">,
  attempt: number,
  { retryDelay }: Pick<RetryRules, "retryDelay">,
): number | undefined {
  if (retryAfter > MAX_PAUSE) return undefined;
  return retryAfter + fullJitter(retryDelay, attempt) + (mayBeDoneLater ? maxDelay(retryDelay, attempt) : 0);
}

/** A function that returns the milliseconds to wait before the next attempt; undefined if there is no next attempt. */
export type RetryPolicy = (
  outcome: AttemptOutcome,
  attempt: number,
  isRepeatable: boolean,
) => number | undefined;

/**
 * Returns a policy with random pauses (full jitter) that grow with each attempt.
 *
 * The policy repeats repeatable requests after a lost connection and after 502, 503 or 504. All other requests are
 * repeated only after a 429 or without a connection: the service certainly did not execute them. After a 429, the
 * policy returns a pause of 0, because the limiter already pauses all requests.
 */
export const jitteredRetries =
  ({ maxAttempts, retryDelay }: RetryRules): RetryPolicy =>
  (outcome, attempt, isRepeatable) => {
    if (attempt >= maxAttempts || !isRetryable(outcome, isRepeatable)) return undefined;
    const announced = outcome.answer && announcedPause(outcome.answer, Date.now());
    if (announced !== undefined && announced > MAX_PAUSE) return undefined;
    if (outcome.answer?.status === 429) return 0;
    const jitter = fullJitter(retryDelay, attempt);
    return announced === undefined ? jitter : announced + jitter;
  };

export interface DoublingRules {
  /** The maximum number of attempts after the first attempt. */
  readonly maxRetries: number;
  /** The first pause, in milliseconds. Each next pause is twice as long, up to `maxPause`. */
  readonly firstPause: number;
  readonly maxPause: number;
}

/**
 * Returns a policy with pauses that double, as in Terraform's backends. A pause that the service announces
 * has priority. Every server error except 501 is retried.
 */
export const doublingRetries =
  ({ maxRetries, firstPause, maxPause }: DoublingRules): RetryPolicy =>
  (outcome, attempt, isRepeatable) => {
    if (attempt > maxRetries || !isRetryable(outcome, isRepeatable, isTransientStatus)) return undefined;
    const announced = outcome.answer && announcedPause(outcome.answer, Date.now());
    return announced ?? Math.min(firstPause * 2 ** (attempt - 1), maxPause);
  };

/** Returns whether a later attempt can get a different status. */
export const isTransientStatus = (status: number): boolean =>
  status === 429 || (status >= 500 && status !== 501);

const isGatewayError = (status: number): boolean => [502, 503, 504].includes(status);

function isRetryable(
  { answer, failure }: AttemptOutcome,
  isRepeatable: boolean,
  isTransient: (status: number) => boolean = isGatewayError,
): boolean {
  if (answer) return answer.status === 429 || (isRepeatable && isTransient(answer.status));
  if (
    failure.reason === "cancelled" ||
    failure.reason === "rate_limited" ||
    failure.reason === "too_large" ||
    isCertificateError(failure.cause)
  ) {
    return false;
  }
  return isRepeatable || !failure.isSent;
}

// Errors about certificates are not retried, because the server would send the same certificate again.
const isCertificateError = (cause: Error | undefined): boolean =>
  /CERT|SELF_SIGNED|UNABLE_TO|ERR_(TLS|SSL|OSSL)/.test(
    (cause as NodeJS.ErrnoException | undefined)?.code ?? "",
  );
