import { API_CODES } from "../diagnostics";
import { oneLine } from "../text";

/** A stable code for each kind of failure; the registry is `src/diagnostics/api-codes.ts`. */
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
  /** The problem as a sentence without a full stop. */
  readonly what: string;
  readonly request?: RequestInfo;
  readonly status?: number;
  readonly serviceMessage?: string;
  /**
   * The last part of the message if the outcome of a change is unknown. `what` does not contain this part, because a
   * read may still show the outcome.
   */
  readonly unknown?: string;
  /** Whether the response is an HTML page. An HTML page shows that another server responded instead of the service. */
  readonly isPage?: boolean;
  readonly mayHaveBeenDone?: boolean;
  readonly mayBeDoneLater?: boolean;
  readonly retryAfter?: number;
  readonly cause?: Error;
}

/**
 * A failure of the client. The message names the problem and a way to fix it. Programs should check the stable `code`.
 * An error never contains the token, a header or a query.
 */
export class HttpError extends Error {
  override readonly name: string = "HttpError";
  readonly code: HttpErrorCode;
  readonly operation: string | undefined;
  readonly method: string | undefined;
  readonly path: string | undefined;
  /** The HTTP status, if a response arrived. */
  readonly status: number | undefined;
  /** The service's own message as readable text. */
  readonly serviceMessage: string | undefined;
  /** Whether a change was sent and its outcome is unknown. */
  readonly mayHaveBeenDone: boolean;
  /** Whether the client stopped waiting while the service may still be executing the change. */
  readonly mayBeDoneLater: boolean;
  /** The time that the service asks the client to wait, in milliseconds. */
  readonly retryAfter: number | undefined;
  /** Whether another server responded with an HTML page. */
  readonly isPage: boolean;
  /** The message without the part about the unknown outcome of a change. */
  readonly known: string;

  constructor(details: HttpErrorDetails) {
    const { code, what, request, cause, unknown } = details;
    const [, remedy] = API_CODES[code];
    const where = request ? `${request.method} ${request.path}: ` : "";
    const text = (whole: string) => oneLine(`${where}${whole}. ${remedy}`);
    super(text(unknown === undefined ? what : `${what}; ${unknown}`), cause && { cause });
    this.known = text(what);
    this.isPage = details.isPage ?? false;
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

  /** The kind of the error in a few words, without names, so that equal problems have equal summaries. */
  get summary(): string {
    const [, , summary] = API_CODES[this.code];
    return summary;
  }
}

/**
 * The error of unusable client options: `missing_base_url`, `missing_token`, `invalid_option`, `unreadable_file`,
 * `token_file_permissions`, `plain_http_refused`.
 */
export class ConfigurationError extends HttpError {
  override readonly name = "ConfigurationError";
}

/**
 * The error of an invalid call, for which no request was sent: `invalid_argument`, or `uri_too_long` without a
 * status.
 */
export class ArgumentError extends HttpError {
  override readonly name = "ArgumentError";
}

/** The error of a response with an error status. `status` is set. */
export class StatusError extends HttpError {
  override readonly name = "StatusError";
}

/**
 * The error of a response that the specification doesn't describe: `unexpected_answer`, `list_changing`,
 * `redirect_refused`.
 */
export class UnexpectedAnswerError extends HttpError {
  override readonly name = "UnexpectedAnswerError";
}

/** The error of a request without a response: `unreachable`, `connection_lost`, `lost_answer`, `timeout`. */
export class ConnectionError extends HttpError {
  override readonly name = "ConnectionError";
}

/** The error after the caller's AbortSignal fired: `cancelled`. */
export class CancelledError extends HttpError {
  override readonly name = "CancelledError";
}
