import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { JsonDepthError, parseJson } from "../json";
import { type RequestInfo, UnexpectedAnswerError } from "./errors";
import { isAnyAborted, onAnyAbort } from "./shutdown";

export interface HttpRequest {
  readonly origin: string;
  readonly method: string;
  /** The path and query, as they are sent. */
  readonly target: string;
  /** The headers as a flat list, in which names and values alternate. */
  readonly headers: readonly string[];
  readonly body: string | undefined;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Returns the body of a response as text; invalid UTF-8 becomes replacement characters. */
export const textOf = ({ body }: HttpResponse): string => body.toString("utf8");

/**
 * Returns the content encoding of a response; undefined for an unencoded body. Requests ask for no encoding. The client
 * never decompresses a body, because a few bytes can become gigabytes.
 */
export function encodingOf({ headers }: HttpResponse): string | undefined {
  const encoding = String(headers["content-encoding"] ?? "").trim();
  return encoding === "" || encoding.toLowerCase() === "identity" ? undefined : encoding;
}

/**
 * Parses the body of a successful response as JSON.
 *
 * @throws UnexpectedAnswerError `unexpected_answer`, which names the operation and shows the body
 */
export function readJson(
  answer: HttpResponse,
  request: RequestInfo,
  redact: (text: string) => string,
): unknown {
  const show = excerptOf(redact);
  const type = String(answer.headers["content-type"] ?? "no content type");
  if (!/\bjson\b/i.test(type)) {
    throw unreadableAnswer(answer, request, `the response is ${show(type)}, not JSON`);
  }
  const encoding = encodingOf(answer);
  if (encoding !== undefined) {
    throw unreadableAnswer(
      answer,
      request,
      `the response is compressed (${show(encoding)}), which was not requested`,
    );
  }
  const text = textOf(answer);
  try {
    return parseJson(text);
  } catch (problem) {
    if (problem instanceof JsonDepthError) {
      throw unreadableAnswer(answer, request, `the response can't be read: ${problem.message}`);
    }
    throw unreadableAnswer(answer, request, `the response is not valid JSON: ${show(text)}`);
  }
}

/**
 * Returns the error of a successful response that can't be read. The outcome of a change is then unknown: the service
 * executed the change, or another server responded instead.
 */
export function unreadableAnswer(
  answer: HttpResponse,
  request: RequestInfo,
  what: string,
): UnexpectedAnswerError {
  const mayHaveBeenDone = request.method !== "GET";
  return new UnexpectedAnswerError({
    code: "unexpected_answer",
    request,
    what,
    ...(mayHaveBeenDone && { unknown: "the change may have been executed" }),
    status: answer.status,
    isPage: isPage(answer),
    mayHaveBeenDone,
  });
}

/** Returns whether a response is an HTML page. */
export const isPage = ({ headers }: HttpResponse): boolean =>
  /\bhtml\b/i.test(String(headers["content-type"]));

/**
 * Returns a function that shortens a text of the service. The function redacts the text before it cuts the text:
 * redaction would not find a token that was cut in half.
 */
export const excerptOf =
  (redact: (text: string) => string) =>
  (text: string): string => {
    const redacted = redact(text);
    return redacted.length > 80 ? `${redacted.slice(0, 80)}…` : redacted;
  };

export interface ExchangeLimits {
  /** The time limit from the start of the connection to the last byte of the response, in milliseconds. */
  readonly timeout: number;
  /**
   * The size limit for a successful response, in bytes. The client keeps only the first `MAX_EXCERPT_BYTES` of a
   * response with an error status.
   */
  readonly maxAnswerBytes: number;
  /**
   * Whether the caller needs the body of a successful response. If the caller does not need the body, the client keeps
   * only an excerpt.
   */
  readonly isBodyRead: boolean;
  readonly signals: readonly AbortSignal[];
}

/**
 * The size limit for a body that the client reads only as an excerpt, in bytes. The client does not receive more bytes
 * than this limit.
 */
const MAX_EXCERPT_BYTES = 1024 * 1024;

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/**
 * The reason why a request has no response. `rate_limited`: the client did not send the request, because the pause of
 * the service's rate limit is longer than the time left.
 */
export type FailureReason = "connection" | "timeout" | "cancelled" | "too_large" | "rate_limited";

/**
 * The error of a request without a response. The error contains the reason, and whether the service may have received
 * the request.
 */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";

  constructor(
    readonly reason: FailureReason,
    /** Whether a byte of the request was written. If no byte was written, the service has not received the request. */
    readonly isSent: boolean,
    override readonly cause?: Error,
  ) {
    super(reason);
  }
}

/**
 * The header that asks for no compression. Without this header, a server may use any encoding (RFC 9110, section
 * 12.5.3).
 */
const NO_COMPRESSION = ["accept-encoding", "identity"];

/**
 * Sends one request once and reads the complete response of any status. Rejects with TransportFailure.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  limits: ExchangeLimits,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const handler = new ExchangeHandler(limits, resolve, reject);
    if (handler.isSettled) return;
    dispatcher.dispatch(
      {
        origin: request.origin,
        method: request.method as Dispatcher.HttpMethod,
        path: request.target,
        headers: [...request.headers, ...NO_COMPRESSION],
        body: request.body ?? null,
      },
      handler,
    );
  });
}

/** The error codes of undici for a connection that received no byte for too long. */
const IDLE = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

/**
 * Handles one exchange. The class uses dispatch() of undici, because request() hides the event onRequestStart. The
 * event onRequestStart comes right before the first byte is written to a connection, and so distinguishes an unsent
 * request from a lost response.
 */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  isSettled = false;
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #size = 0;
  #isReadWhole = true;
  readonly #stopListening: () => void;
  readonly #timer: NodeJS.Timeout;

  constructor(
    private readonly limits: ExchangeLimits,
    private readonly resolve: (answer: HttpResponse) => void,
    private readonly reject: (failure: TransportFailure) => void,
  ) {
    this.#timer = setTimeout(() => this.#stop("timeout"), limits.timeout);
    this.#stopListening = onAnyAbort(limits.signals, () => this.#stop("cancelled"));
    if (isAnyAborted(limits.signals)) this.#stop("cancelled");
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.isSettled)
      controller.abort(new Error("The request was cancelled before the connection was established."));
    else this.#controller = controller;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    this.#status = status;
    this.#headers = headers;
    this.#isReadWhole = this.limits.isBodyRead && isSuccess(status);
    const announced = Number(headers["content-length"]);
    if (this.#isReadWhole && announced > this.limits.maxAnswerBytes) this.#stop("too_large");
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#isReadWhole && this.#size > this.limits.maxAnswerBytes) {
      this.#stop("too_large");
      return;
    }
    this.#chunks.push(chunk);
    if (!this.#isReadWhole && this.#size > MAX_EXCERPT_BYTES) {
      this.#end();
      this.#controller?.abort(new Error("excerpt"));
    }
  }

  onResponseEnd(): void {
    this.#end();
  }

  #end(): void {
    if (!this.#settle()) return;
    const [first] = this.#chunks;
    const body = this.#chunks.length === 1 && first ? first : Buffer.concat(this.#chunks);
    this.resolve({ status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    const isIdle = IDLE.has((error as NodeJS.ErrnoException).code ?? "");
    this.#fail(isIdle ? "timeout" : "connection", error);
  }

  #stop(reason: FailureReason): void {
    const controller = this.#controller;
    this.#fail(reason);
    controller?.abort(new Error(reason));
  }

  #fail(reason: FailureReason, cause?: Error): void {
    if (!this.#settle()) return;
    this.reject(new TransportFailure(reason, this.#controller !== undefined, cause));
  }

  #settle(): boolean {
    if (this.isSettled) return false;
    this.isSettled = true;
    clearTimeout(this.#timer);
    this.#stopListening?.();
    return true;
  }
}
