import { API_CODES } from "../diagnostics";
import { oneLine } from "../text";

/** A stable code for each kind of failure; the registry is `src/diagnostics/codes/api.ts`. */
export type HttpErrorCode = keyof typeof API_CODES;

/** The request that an error is about. `path` is relative to the API root and has no query. */
export interface RequestInfo {
  /** The operation, such as `things.get`. */
  readonly operation: string;
  readonly method: string;
  readonly path: string;
}

export interface HttpErrorDetails {
  readonly code: HttpErrorCode;
  /** What happened: a sentence without a full stop. */
  readonly what: string;
  readonly request?: RequestInfo;
  readonly status?: number;
  readonly serviceMessage?: string;
  readonly mayHaveBeenDone?: boolean;
  readonly mayBeDoneLater?: boolean;
  readonly retryAfter?: number;
  readonly cause?: Error;
}

/**
 * Any failure of the client. The message says what happened and how to fix it; programs should check the
 * stable `code`. No error holds the token, a header or a query.
 */
export class HttpError extends Error {
  override readonly name: string = "HttpError";
  readonly code: HttpErrorCode;
  readonly operation: string | undefined;
  readonly method: string | undefined;
  readonly path: string | undefined;
  /** The HTTP status, if there was a response. */
  readonly status: number | undefined;
  /** The service's own message as readable text. */
  readonly serviceMessage: string | undefined;
  /** True when a change was sent and its outcome is unknown. */
  readonly mayHaveBeenDone: boolean;
  /** True when the service may still be executing the change: the client stopped waiting for the response. */
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

  /** What this kind of error means, without names, so that equal problems have equal summaries. */
  get summary(): string {
    return API_CODES[this.code].meaning;
  }
}

/**
 * The client's options are unusable: `missing_base_url`, `missing_token`, `invalid_option`,
 * `unreadable_file`, `plain_http_refused`.
 */
export class ConfigurationError extends HttpError {
  override readonly name = "ConfigurationError";
}

/**
 * The call itself is invalid and nothing was sent: `invalid_argument`, or `uri_too_long` without a status.
 */
export class ArgumentError extends HttpError {
  override readonly name = "ArgumentError";
}

/** The service responded with an error; `status` is set. */
export class StatusError extends HttpError {
  override readonly name = "StatusError";
}

/**
 * The service responded with something that the specification doesn't describe: `unexpected_answer`,
 * `redirect_refused`.
 */
export class UnexpectedAnswerError extends HttpError {
  override readonly name = "UnexpectedAnswerError";
}

/** No response: `unreachable`, `connection_lost`, `lost_answer`, `timeout`. */
export class ConnectionError extends HttpError {
  override readonly name = "ConnectionError";
}

/** The caller's AbortSignal fired: `cancelled`. */
export class CancelledError extends HttpError {
  override readonly name = "CancelledError";
}
