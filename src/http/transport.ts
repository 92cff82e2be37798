import type { IncomingHttpHeaders } from "node:http";
import type { Dispatcher } from "undici";
import { onAnyAbort } from "./cancellation";

export interface HttpRequest {
  readonly origin: string;
  readonly method: string;
  /** Path and query as they go over the wire. */
  readonly target: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
  readonly body: string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** The body of an answer as text; what is no UTF-8 becomes replacement characters. */
export const textOf = ({ body }: HttpAnswer): string => body.toString("utf8");

/**
 * How the body of an answer is packed, against the request, which asks for none of that. It is never unpacked: a few
 * bytes can become gigabytes.
 */
export function encodingOf({ headers }: HttpAnswer): string | undefined {
  const encoding = String(headers["content-encoding"] ?? "").trim();
  return encoding === "" || encoding.toLowerCase() === "identity" ? undefined : encoding;
}

export interface ExchangeLimits {
  /** Milliseconds from the first try to connect to the last byte of the answer. */
  readonly timeout: number;
  /** For an answer of success that is read whole; of all others the first `MAX_EXCERPT_BYTES` are kept. */
  readonly maxAnswerBytes: number;
  /** False where the status of a success says all: its body is an excerpt then. */
  readonly isBodyRead: boolean;
  readonly signals: readonly AbortSignal[];
}

/** What is kept of an answer that is no success, or whose body nobody reads: the rest is not even received. */
const MAX_EXCERPT_BYTES = 1024 * 1024;

export const isSuccess = (status: number): boolean => status >= 200 && status < 300;

/** `rate_limited`: it was not sent, since the service's rate limit is not over within the time there is. */
export type FailureReason = "connection" | "timeout" | "cancelled" | "too_large" | "rate_limited";

/** Why an exchange has no answer, and whether the service can have seen the request. */
export class TransportFailure extends Error {
  override readonly name = "TransportFailure";

  constructor(
    readonly reason: FailureReason,
    /** False as long as no byte of the request was written: the service knows nothing of it. */
    readonly wasSent: boolean,
    override readonly cause?: Error,
  ) {
    super(reason);
  }
}

/** Without it a server may answer in any encoding (RFC 9110, section 12.5.3). */
const UNPACKED = ["accept-encoding", "identity"];

/** Sends one request and reads the whole answer; one try, no judgement of the status. Rejects with TransportFailure. */
export function exchange(
  dispatcher: Dispatcher,
  request: HttpRequest,
  limits: ExchangeLimits,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const handler = new ExchangeHandler(limits, resolve, reject);
    if (handler.settled) return;
    dispatcher.dispatch(
      {
        origin: request.origin,
        method: request.method as Dispatcher.HttpMethod,
        path: request.target,
        headers: [...request.headers, ...UNPACKED],
        body: request.body ?? null,
      },
      handler,
    );
  });
}

/** undici's codes of a connection on which nothing came for too long. */
const IDLE = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);

/**
 * undici's request() would hand out a stream and lose what matters here: onRequestStart comes right before the
 * first byte is written to a connection that stands, which tells a request never made from a lost answer.
 */
class ExchangeHandler implements Dispatcher.DispatchHandler {
  settled = false;
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
    private readonly resolve: (answer: HttpAnswer) => void,
    private readonly reject: (failure: TransportFailure) => void,
  ) {
    this.#timer = setTimeout(() => this.#stop("timeout"), limits.timeout);
    this.#stopListening = onAnyAbort(limits.signals, () => this.#stop("cancelled"));
    if (limits.signals.some((signal) => signal.aborted)) this.#stop("cancelled");
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.settled) controller.abort(new Error("The request was given up before a connection stood."));
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
    if (this.settled) return false;
    this.settled = true;
    clearTimeout(this.#timer);
    this.#stopListening?.();
    return true;
  }
}
