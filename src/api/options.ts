import { type Clock, type EventListener, INITIAL_LIMIT, MAX_LIMIT, type RequestPace } from "../http";
import type { KnownTokens } from "./calls/token-check";

/**
 * Options of a client. All options are optional if the environment provides the address and the token;
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
  /** The path of a file that contains only the token. */
  readonly tokenFile?: string | undefined;
  /**
   * If true, the client sends no token. The service allows requests without a token for lists of projects and
   * templates.
   */
  readonly anonymous?: boolean | undefined;
  /**
   * The header for the token: `PRIVATE-TOKEN: <token>` or `Authorization: Bearer <token>`. The default is
   * `private-token`.
   */
  readonly authScheme?: "private-token" | "bearer" | undefined;
  /** The path of a PEM file with certificate authorities to trust, in addition to the public authorities. */
  readonly caFile?: string | undefined;
  /**
   * The path of a PEM file with a client certificate. `clientKeyFile` is the path of the file with the key of this
   * certificate.
   */
  readonly clientCertFile?: string | undefined;
  readonly clientKeyFile?: string | undefined;
  /**
   * The host to which the client may use plain HTTP; `true` means any host. Plain HTTP to this machine is always
   * allowed.
   */
  readonly allowPlainHttp?: boolean | string | undefined;
  /** The time limit of one attempt in seconds, from connecting to the last byte of the response. */
  readonly requestTimeout?: number | undefined;
  /**
   * The time limit of one call in seconds, with all attempts and pauses. Announced pauses of a rate limit do
   * not count.
   */
  readonly totalTimeout?: number | undefined;
  /** The maximum number of attempts of one request. The first attempt counts. */
  readonly maxAttempts?: number | undefined;
  /**
   * Whether the client repeats idempotent changes (DELETE, the PUT of an invitation) after a lost response. The
   * default is true. If false, the client repeats only reads. The caller must then read whether a change with a
   * lost response was executed.
   */
  readonly repeatWrites?: boolean | undefined;
  /** The upper bound of the random pause before the first retry, in seconds. The bound doubles with each retry. */
  readonly retryDelay?: number | undefined;
  /** The maximum number of requests in flight. By default, the number adapts to the service. */
  readonly maxConcurrency?: number | undefined;
  /**
   * The maximum number of requests per minute, retries included. The maximum applies to all clients with the same
   * `RequestPace` object together.
   */
  readonly pace?: RequestPace | undefined;
  /**
   * The record of tokens that were already checked. Clients with the same `KnownTokens` object check each token only
   * once.
   */
  readonly knownTokens?: KnownTokens | undefined;
  /** The maximum size of a response in bytes. */
  readonly maxAnswerBytes?: number | undefined;
  /** The path segment of CI/CD templates in request URLs. */
  readonly templatesPath?: string | undefined;
  /** A signal that cancels every call of this client. */
  readonly signal?: AbortSignal | undefined;
  /**
   * A signal that shuts the client down. After this signal, the client sends no more changes. Calls that wait for a
   * permit, a pause or a rate limit fail with `cancelled`. The client waits for changes in flight. Reads may continue
   * for `requestTimeout`.
   */
  readonly stop?: AbortSignal | undefined;
  /**
   * A function that receives an event for each request, response, retry and wait. Events never contain the
   * token.
   */
  readonly onEvent?: EventListener | undefined;
  /** The clock for pauses; by default, the clock of the system. */
  readonly clock?: Clock | undefined;
  /** The environment variables; by default, the variables of the process. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The defaults of the client's options; times are in seconds. */
export const CLIENT_DEFAULTS = {
  authScheme: "private-token",
  allowPlainHttp: false,
  requestTimeout: 60,
  totalTimeout: 300,
  maxAttempts: 5,
  retryDelay: 0.5,
  maxAnswerBytes: 32 * 1024 * 1024,
  templatesPath: "platform_ci_ymls",
  /** The concurrency limit adapts to the service: it starts at `first`, and is at most `most`. */
  concurrency: { first: INITIAL_LIMIT, most: MAX_LIMIT },
} as const;
