import { API_CODES } from "../diagnostics";
import { oneLine } from "../text";
import type { TransportFailure } from "./transport";

/** A stable code for each kind of failure; the registry is `src/diagnostics/api-codes.ts`. */
export type HttpErrorCode = keyof typeof API_CODES;

/** The request behind an error. `path` is relative to the API root and has no query. */
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
  /** The end of the sentence if the outcome of a change is unknown. A read may show the outcome. */
  readonly unknown?: string;
  /** Whether the response is an HTML page, so that another server responded instead of the service. */
  readonly isPage?: boolean;
  readonly mayHaveBeenDone?: boolean;
  readonly mayBeDoneLater?: boolean;
  readonly retryAfter?: number;
  readonly cause?: Error;
}

/**
 * A failure of the client. The message says what happened and how to fix it. Programs should check the stable
 * `code`. An error never contains the token, a header or a query.
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
  /** Whether the service may still be executing the change, because the client stopped waiting. */
  readonly mayBeDoneLater: boolean;
  /** Milliseconds that the service asks to wait. */
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
 * The client's options are unusable: `missing_base_url`, `missing_token`, `invalid_option`,
 * `unreadable_file`, `token_file_permissions`, `plain_http_refused`.
 */
export class ConfigurationError extends HttpError {
  override readonly name = "ConfigurationError";
}

/** The call itself is invalid, so nothing was sent: `invalid_argument`, or `uri_too_long` without a status. */
export class ArgumentError extends HttpError {
  override readonly name = "ArgumentError";
}

/** The service responded with an error; `status` is set. */
export class StatusError extends HttpError {
  override readonly name = "StatusError";
}

/**
 * The service responded with something that the specification doesn't describe: `unexpected_answer`,
 * `list_changing`, `redirect_refused`.
 */
export class UnexpectedAnswerError extends HttpError {
  override readonly name = "UnexpectedAnswerError";
}

/** The error of a request without a response: `unreachable`, `connection_lost`, `lost_answer`, `timeout`. */
export class ConnectionError extends HttpError {
  override readonly name = "ConnectionError";
}

/** The caller's AbortSignal fired: `cancelled`. */
export class CancelledError extends HttpError {
  override readonly name = "CancelledError";
}

/**
 * Creates the error of an exchange without a response; `wasLost` means that an earlier attempt was sent and got no
 * response.
 */
export function connectionError(failure: TransportFailure, request: RequestInfo, isLost: boolean): HttpError {
  const isGet = request.method === "GET";
  const isSent = failure.isSent || isLost;
  const mayHaveBeenDone = isSent && !isGet;
  const mayBeDoneLater = mayHaveBeenDone && failure.reason === "timeout";
  const facts = {
    request,
    mayHaveBeenDone,
    mayBeDoneLater,
    ...(failure.cause && { cause: plainCause(failure.cause) }),
  };
  const why = describeCause(failure);
  const noResponse = (code: HttpErrorCode, what: string) => new ConnectionError({ ...facts, code, what });
  if (failure.reason === "cancelled") {
    return new CancelledError({ ...facts, code: "cancelled", what: "the operation was cancelled" });
  }
  if (failure.reason === "rate_limited") return noResponse("rate_limited", why);
  if (failure.reason === "too_large" && isGet) {
    return new UnexpectedAnswerError({ ...facts, code: "unexpected_answer", what: why });
  }
  if (isGet ? !failure.isSent : !isSent) return noResponse("unreachable", `no connection was made: ${why}`);
  if (!isGet) {
    const what = `the response to this change was lost (${why}), so the service may have executed it`;
    return noResponse("lost_answer", what);
  }
  return failure.reason === "timeout"
    ? noResponse("timeout", why)
    : noResponse("connection_lost", `the connection broke: ${why}`);
}

/** Describes in a few words why there was no response. */
export function describeCause({ reason, cause }: TransportFailure): string {
  if (reason === "timeout") return "no complete response in time";
  if (reason === "too_large") return "the response is larger than max_answer_bytes";
  // Node.js tries every address of a name. It reports all failures in one error with an empty message.
  const [first] = cause instanceof AggregateError ? (cause.errors as Error[]) : [];
  return cause?.message || first?.message || (cause as NodeJS.ErrnoException | undefined)?.code || reason;
}

// An error of undici may contain a socket, and the request with its headers. Only its message and code are
// kept.
function plainCause(cause: Error): Error {
  const { code } = cause as NodeJS.ErrnoException;
  const plain = new Error(cause.message || code);
  return code === undefined ? plain : Object.assign(plain, { code });
}
