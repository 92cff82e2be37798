import { type Clock, type EventListener, INITIAL_LIMIT, MAX_LIMIT, type RequestPace } from "../http";
import type { KnownTokens } from "./calls/token-check";

/**
 * Options of a client. All are optional if the environment provides the address and the token;
 * `CLIENT_DEFAULTS` holds the defaults.
 */
export interface ClientOptions {
  /** The service's address, with or without `/api/v4`. Defaults to STEWARD_BASE_URL, then CI_API_V4_URL. */
  readonly baseUrl?: string | undefined;
  /**
   * The access token. Defaults to `tokenFile`, then STEWARD_TOKEN, then the file that STEWARD_TOKEN_FILE
   * names.
   */
  readonly token?: string | undefined;
  /** A file that contains only the token. */
  readonly tokenFile?: string | undefined;
  /** Sends no token: lists of projects and templates are readable without one. */
  readonly anonymous?: boolean | undefined;
  /** `PRIVATE-TOKEN: <token>` or `Authorization: Bearer <token>` (section "Authentication"). */
  readonly authScheme?: "private-token" | "bearer" | undefined;
  /** PEM file of certificate authorities to trust in addition to the public ones. */
  readonly caFile?: string | undefined;
  /** PEM files of a client certificate and its key. */
  readonly clientCertFile?: string | undefined;
  readonly clientKeyFile?: string | undefined;
  /** Allows plain HTTP to this host, or to any with `true`. Loopback is always allowed. */
  readonly allowPlainHttp?: boolean | string | undefined;
  /** Timeout of one attempt in seconds, from connecting to the last byte of the response. */
  readonly requestTimeout?: number | undefined;
  /**
   * Timeout of one call in seconds, with all attempts and pauses; announced pauses of a rate limit don't
   * count.
   */
  readonly totalTimeout?: number | undefined;
  /** Maximum number of attempts, the first included. */
  readonly maxAttempts?: number | undefined;
  /**
   * Whether idempotent changes (DELETE, the PUT of an invitation) are retried after a lost response; true by
   * default. With false the caller verifies the outcome, and only reads are retried.
   */
  readonly repeatWrites?: boolean | undefined;
  /** Upper bound, in seconds, of the random pause before the first retry; it doubles each time. */
  readonly retryDelay?: number | undefined;
  /** Concurrent requests. Adaptive by default. */
  readonly maxConcurrency?: number | undefined;
  /** The maximum number of requests per minute, retries included, for all clients that share it. */
  readonly pace?: RequestPace | undefined;
  /** Records of tokens that several clients share; by default each client has a separate record. */
  readonly knownTokens?: KnownTokens | undefined;
  /** Maximum size of a response in bytes. */
  readonly maxAnswerBytes?: number | undefined;
  /** The path segment of CI/CD templates. */
  readonly templatesPath?: string | undefined;
  /** Cancels every call of this client. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Shuts the client down: no more changes are sent, and calls that wait for a permit, a pause or a rate
   * limit fail with `cancelled`. Changes in flight are awaited; reads may continue for `requestTimeout`.
   */
  readonly stop?: AbortSignal | undefined;
  /** Receives an event for each request, response, retry and wait, never with the token. */
  readonly onEvent?: EventListener | undefined;
  /** The clock for pauses; the system's by default. */
  readonly clock?: Clock | undefined;
  /** The environment; the process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Defaults of the client's options; times in seconds. */
export const CLIENT_DEFAULTS = {
  authScheme: "private-token",
  allowPlainHttp: false,
  requestTimeout: 60,
  totalTimeout: 300,
  maxAttempts: 5,
  retryDelay: 0.5,
  maxAnswerBytes: 32 * 1024 * 1024,
  templatesPath: "platform_ci_ymls",
  /** Bounds of the adaptive concurrency limit. */
  concurrency: { first: INITIAL_LIMIT, most: MAX_LIMIT },
} as const;
