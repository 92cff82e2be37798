import type { Clock, EventListener } from "../http";

/**
 * How a client reaches and treats the service. Every option is optional when the environment gives what is needed;
 * `CLIENT_DEFAULTS` says what counts where one is left out.
 */
export interface ClientOptions {
  /** The service's address, with or without `/api/v4`. Else STEWARD_BASE_URL, else CI_API_V4_URL. */
  readonly baseUrl?: string | undefined;
  /** The access token. Else `tokenFile`, else STEWARD_TOKEN, else the file that STEWARD_TOKEN_FILE names. */
  readonly token?: string | undefined;
  /** A file that holds the token and nothing else. */
  readonly tokenFile?: string | undefined;
  /** Sends no token: lists of projects and templates can be read without one. */
  readonly anonymous?: boolean | undefined;
  /** `PRIVATE-TOKEN: <token>` or `Authorization: Bearer <token>` (section "Authentication"). */
  readonly authScheme?: "private-token" | "bearer" | undefined;
  /** PEM file of certificate authorities to trust on top of the public ones. */
  readonly caFile?: string | undefined;
  /** PEM files of a client certificate and its key. */
  readonly clientCertFile?: string | undefined;
  readonly clientKeyFile?: string | undefined;
  /** Allows plain http: to the host of this name, or to any with `true`. Loopback needs no permission. */
  readonly allowPlainHttp?: boolean | string | undefined;
  /** Seconds for one try, from connecting to the last byte of the answer. */
  readonly requestTimeout?: number | undefined;
  /** Seconds for one call with all its tries and pauses; those that the service's rate limit announces don't count. */
  readonly totalTimeout?: number | undefined;
  /** Tries for one request, the first included. */
  readonly maxAttempts?: number | undefined;
  /**
   * Whether a change that is the same when sent twice (a DELETE, the PUT of an invitation) is repeated after a lost
   * answer; it is by default. Without it the caller looks what became of it, and reads alone are repeated.
   */
  readonly repeatWrites?: boolean | undefined;
  /** Upper end, in seconds, of the random pause before the first repetition; it doubles each time. */
  readonly retryDelay?: number | undefined;
  /** Requests at the same time. Left out, it adapts to the service. */
  readonly maxConcurrency?: number | undefined;
  /** Bytes of one answer at the most. */
  readonly maxAnswerBytes?: number | undefined;
  /** The service's word for CI/CD templates in their path. */
  readonly templatesPath?: string | undefined;
  /** Cancels every call of this client. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Winds the client down: no change is sent any more, and calls that wait for a turn, a pause or a rate limit end with
   * `cancelled`. Changes that were sent are awaited; what is read goes on for `requestTimeout` at the most.
   */
  readonly stop?: AbortSignal | undefined;
  /** Told of each request, answer, retry and wait; never told the token. */
  readonly onEvent?: EventListener | undefined;
  /** What pauses are measured by; the system's clock by default. */
  readonly clock?: Clock | undefined;
  /** The environment to read; the process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}
