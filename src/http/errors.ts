import { API_CODES } from "../diagnostics";
import { oneLine } from "../text";

/** A stable word for each kind of failure; the registry is `src/diagnostics/codes/api.ts`. */
export type HttpErrorCode = keyof typeof API_CODES;

/** Which request an error is about. `path` is relative to the root of the interface and holds no query. */
export interface RequestFacts {
  /** The operation as a caller knows it, such as `projects.get`. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
}

export interface HttpErrorDetails {
  readonly code: HttpErrorCode;
  /** What happened, in a sentence without its full stop. */
  readonly what: string;
  readonly request?: RequestFacts;
  readonly status?: number;
  readonly serviceMessage?: string;
  readonly mayHaveBeenDone?: boolean;
  readonly mayBeDoneLater?: boolean;
  readonly retryAfter?: number;
  readonly cause?: Error;
}

/**
 * Whatever goes wrong in the client. Its message says what happened and how to mend it; `code` is stable and
 * is what programs should look at. No error holds the token, a header or a query.
 */
export class HttpError extends Error {
  override readonly name: string = "HttpError";
  readonly code: HttpErrorCode;
  readonly operation: string | undefined;
  readonly method: string | undefined;
  readonly path: string | undefined;
  /** The HTTP status, when there was an answer. */
  readonly status: number | undefined;
  /** What the service itself said, made readable. */
  readonly serviceMessage: string | undefined;
  /** True when a change was sent and nobody knows whether the service has done it. */
  readonly mayHaveBeenDone: boolean;
  /** True when the service may even be at it still: nobody waited for its answer any longer. */
  readonly mayBeDoneLater: boolean;
  /** Milliseconds that the service asks to wait. */
  readonly retryAfter: number | undefined;

  constructor(details: HttpErrorDetails) {
    const { code, what, request, cause } = details;
    const where = request ? `${request.operation} (${request.method} ${request.path}): ` : "";
    super(oneLine(`${where}${what}. ${API_CODES[code].remedy}`), cause && { cause });
    this.code = code;
    this.operation = request?.operation;
    this.method = request?.method;
    this.path = request?.path;
    this.status = details.status;
    this.serviceMessage = details.serviceMessage;
    this.mayHaveBeenDone = details.mayHaveBeenDone ?? false;
    this.mayBeDoneLater = details.mayBeDoneLater ?? false;
    this.retryAfter = details.retryAfter;
  }

  /** What this kind of error means, without names: equal problems read alike. */
  get summary(): string {
    return API_CODES[this.code].meaning;
  }
}

/** The client's options can't be used: `missing_base_url`, `missing_token`, `invalid_option`, `unreadable_file`, `plain_http_refused`. */
export class ConfigurationError extends HttpError {
  override readonly name = "ConfigurationError";
}

/** The call itself is wrong and nothing was sent: `invalid_argument`, or `uri_too_long` without a status. */
export class ArgumentError extends HttpError {
  override readonly name = "ArgumentError";
}

/** The service answered and refused, or failed; `status` is set. */
export class StatusError extends HttpError {
  override readonly name = "StatusError";
}

/** The service answered with something that the interface doesn't describe: `unexpected_answer`, `redirect_refused`. */
export class UnexpectedAnswerError extends HttpError {
  override readonly name = "UnexpectedAnswerError";
}

/** There was no answer: `unreachable`, `connection_lost`, `lost_answer`, `timeout`. */
export class ConnectionError extends HttpError {
  override readonly name = "ConnectionError";
}

/** The caller's AbortSignal fired: `cancelled`. */
export class CancelledError extends HttpError {
  override readonly name = "CancelledError";
}
