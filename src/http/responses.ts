import { parseJson } from "../json";
import { oneLine } from "../text";
import {
  CancelledError,
  ConnectionError,
  type HttpError,
  type HttpErrorCode,
  type RequestInfo,
  StatusError,
  UnexpectedAnswerError,
} from "./errors";
import { type ApiRoot, whyOutside } from "./pages";
import { announcedPause, describePause } from "./rate-limit";
import { encodingOf, type HttpResponse, isPage, type TransportFailure, textOf } from "./transport";

const LONGEST = 500;

/**
 * Returns the service's message from the body of an error, as one line. The body is `{message: "…"}`, `{message:
 * {field: ["…"]}}`, `{error: "…"}` with or without `error_description`, or plain text. Returns undefined without a
 * message. The function decodes the text before it redacts the text, because JSON can escape the characters of a token
 * in several ways.
 */
function readServiceMessage(answer: HttpResponse, redact: (text: string) => string): string | undefined {
  if (encodingOf(answer) !== undefined) return undefined;
  const type = String(answer.headers["content-type"] ?? "");
  if (/\bjson\b/i.test(type)) return shorten(fromJson(textOf(answer)), redact);
  // Only plain text is used as a message. An HTML page of a proxy has no message that fits in one line.
  return /^text\/plain\b/i.test(type) ? shorten(textOf(answer), redact) : undefined;
}

/** Returns the object in a JSON body; undefined for any other body. */
export function jsonObject(answer: HttpResponse): Readonly<Record<string, unknown>> | undefined {
  if (!/\bjson\b/i.test(String(answer.headers["content-type"] ?? ""))) return undefined;
  const parsed = parsedOrNothing(textOf(answer));
  return typeof parsed === "object" && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
}

/** Parses a JSON text. Returns undefined for invalid JSON, because the status already describes the problem. */
function parsedOrNothing(body: string): unknown {
  try {
    return parseJson(body);
  } catch {
    return undefined;
  }
}

function fromJson(body: string): string | undefined {
  const parsed = parsedOrNothing(body);
  if (typeof parsed !== "object" || parsed === null) return describe(parsed);
  const { message, error, error_description: description } = parsed as Record<string, unknown>;
  if (message !== undefined) return describe(message);
  return [describe(error), describe(description)].filter(Boolean).join(": ") || undefined;
}

function describe(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (Array.isArray(value)) return value.map(describe).filter(Boolean).join(", ");
  if (typeof value !== "object") return String(value);
  return Object.entries(value)
    .map(([field, reasons]) => {
      const text = describe(reasons) ?? "";
      // The service uses the key "base" for messages about the whole record, so this key is not a field.
      return field === "base" ? text : `${field} ${text}`;
    })
    .join("; ");
}

function shorten(text: string | undefined, redact: (text: string) => string): string | undefined {
  if (!text) return undefined;
  const line = oneLine(redact(text).replace(/\s+/g, " ").trim());
  if (line === "") return undefined;
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

const CODES: Readonly<Record<number, HttpErrorCode>> = {
  400: "bad_request",
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  409: "conflict",
  414: "uri_too_long",
  422: "unprocessable",
  429: "rate_limited",
  500: "service_failed",
  502: "service_unavailable",
  503: "service_unavailable",
  504: "service_unavailable",
};

/** A function that returns the code of a refusal; undefined if the HTTP status determines the code. */
export type RefusalCode = (answer: HttpResponse, serviceMessage: string) => HttpErrorCode | undefined;

export interface StatusErrorRules {
  readonly refusalCode: RefusalCode;
  /** Removes the credentials from a text that the service sent. */
  readonly redact: (text: string) => string;
}

/** Creates the error of an unsuccessful response. `isLost` is true if an earlier attempt got no response. */
export function statusError(
  answer: HttpResponse,
  request: RequestInfo,
  isLost: boolean,
  { refusalCode, redact }: StatusErrorRules,
): StatusError {
  const { status } = answer;
  const isChange = request.method !== "GET";
  const serviceMessage = readServiceMessage(answer, redact);
  // After 502 or 504, the service may have executed the change: perhaps only its response to the gateway was lost.
  const isLostBehind = isChange && (status === 502 || status === 504);
  const own = status >= 300 && status < 400 ? "redirect_refused" : CODES[status];
  const code = isLostBehind ? "lost_answer" : (refusalCode(answer, serviceMessage ?? "") ?? own);
  const now = Date.now();
  const retryAfter = announcedPause(answer, now);
  const quoted = serviceMessage === undefined ? "" : ` ("${serviceMessage}")`;
  const what = `the service responded with ${status}${quoted}${retryAfter ? `, and asks to wait ${describePause(retryAfter, now)}` : ""}`;
  return new StatusError({
    code: code ?? "unexpected_status",
    request,
    what,
    status,
    ...(serviceMessage !== undefined && { serviceMessage }),
    ...(retryAfter !== undefined && { retryAfter }),
    isPage: isPage(answer),
    // After a server error, a change may be partly executed. A proxy also responds 503 to a broken connection. A
    // response that came from another server does not prove that nothing was done.
    mayHaveBeenDone: isChange && (isLost || status >= 500 || status < 400 || code === "unexpected_answer"),
    mayBeDoneLater: isChange && status === 504,
  });
}

const FOLLOWED_STATUSES = [301, 302, 307, 308];
export const isRedirect = (status: number): boolean => FOLLOWED_STATUSES.includes(status);

/**
 * Returns the new path and query of a moved endpoint. The endpoint must be on the same origin and within the API,
 * because the token must not be sent elsewhere. The endpoint must not be a sign-in page, which is not a response of the
 * API (specification, "Common rules", last point).
 *
 * @throws UnexpectedAnswerError `redirect_refused`
 */
export function redirectTarget(
  answer: HttpResponse,
  from: string,
  home: ApiRoot,
  request: RequestInfo,
  redact: (text: string) => string,
): string {
  const refuse = (why: string) =>
    refusedRedirect(answer, request, `the service responded with a redirect (${answer.status}), and ${why}`);
  const { location } = answer.headers;
  const base = `${home.origin}${from}`;
  if (!location || !URL.canParse(location, base)) throw refuse("there is no usable Location");
  const url = new URL(location, base);
  const why = whyOutside(url, home, redact);
  if (why !== undefined) throw refuse(`it ${why}`);
  const target = asWritten(location, home) ?? `${url.pathname}${url.search}`;
  if (target === from) throw refuse("it points to itself");
  return target;
}

/**
 * Returns the path and query of a redirect exactly as the service wrote them; undefined for an unsafe path. The class
 * `URL` would resolve an encoded `..`, which may be part of a name.
 */
function asWritten(location: string, { origin, prefix }: ApiRoot): string | undefined {
  const path = location.startsWith(`${origin}/`) ? location.slice(origin.length) : location;
  const isPlain = /^[\w\-.~!$&'()*+,;=:@%/?]*$/.test(path) && !/(?:^|\/)\.{1,2}(?:[/?]|$)/.test(path);
  return isPlain && path.startsWith(`${prefix}/`) ? path : undefined;
}

export const refusedRedirect = (
  { status }: HttpResponse,
  request: RequestInfo,
  what: string,
): UnexpectedAnswerError =>
  new UnexpectedAnswerError({
    code: "redirect_refused",
    request,
    status,
    what,
    // The proxy that sent the redirect may already have passed the change on to the service.
    mayHaveBeenDone: request.method !== "GET",
  });

/**
 * Creates the error of an exchange without a response; `isLost` is true if an earlier attempt was sent and got no
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

/** Returns in a few words why a request got no response. */
export function describeCause({ reason, cause }: TransportFailure): string {
  if (reason === "timeout") return "no complete response in time";
  if (reason === "too_large") return "the response is larger than max_answer_bytes";
  // Node.js tries every IP address of a host name, and reports all failures in one error with an empty message.
  const [first] = cause instanceof AggregateError ? (cause.errors as Error[]) : [];
  return cause?.message || first?.message || (cause as NodeJS.ErrnoException | undefined)?.code || reason;
}

// An error of undici may contain a socket, and the request with its headers. Only the message and the code of the error
// are kept.
function plainCause(cause: Error): Error {
  const { code } = cause as NodeJS.ErrnoException;
  const plain = new Error(cause.message || code);
  return code === undefined ? plain : Object.assign(plain, { code });
}
