import { once } from "node:events";
import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { type Fault, framed, STATUS } from "./message";

interface CallContext {
  /**
   * A signal that aborts when the response is no longer needed: the client cancels or disconnects, or the deadline
   * passes.
   */
  readonly signal: AbortSignal;
}

/** A procedure with one request and one response, both in bytes. A thrown error becomes an internal error. */
export interface Unary {
  readonly kind: "unary";
  readonly answer: (request: Buffer, context: CallContext) => Uint8Array | Promise<Uint8Array>;
}

/**
 * A procedure with one request and any number of responses. The server requests the next response when the client
 * has capacity, so that a slow client does not exhaust the memory. On cancellation, the server calls `return` of the
 * iterator. A procedure that waits for anything other than the client must watch the signal. A thrown error ends the
 * stream with an internal error, after the earlier responses.
 */
export interface ServerStreaming {
  readonly kind: "server-streaming";
  readonly answer: (request: Buffer, context: CallContext) => AsyncIterable<Uint8Array>;
}

/**
 * The handler of a path. An idle stream stays open and silent until the client ends it. The server discards the data
 * that it receives on an idle stream.
 */
export type Procedure = Unary | ServerStreaming | { readonly kind: "idle" };

/** Procedures by their paths, such as `/package.Service/Method`. */
export type Procedures = ReadonlyMap<string, Procedure>;

export const CONTENT_TYPE = "application/grpc";
const HEADERS: OutgoingHttpHeaders = { ":status": 200, "content-type": CONTENT_TYPE };
const OK: OutgoingHttpHeaders = { "grpc-status": String(STATUS.OK) };
const WITH_TRAILERS = { waitForTrailers: true };
const WITHOUT_BODY = { endStream: true };

/** One call of a procedure and its response stream. Responses after the end of the call are dropped. */
export class Call implements CallContext {
  readonly #stream: ServerHttp2Stream;
  #abort: AbortController | undefined;
  #trailers = OK;
  #isAnswered = false;

  /** @param onClose called when the stream is closed, whether or not the call has a response */
  constructor(stream: ServerHttp2Stream, onClose: (call: Call) => void) {
    this.#stream = stream;
    stream.on("close", () => {
      if (!this.#isAnswered) this.#abort?.abort();
      onClose(this);
    });
  }

  get signal(): AbortSignal {
    // The controller is created on demand, because most procedures never use it.
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.isOver) this.#abort.abort();
    }
    return this.#abort.signal;
  }

  /** Whether the call has its last response or a fault. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Whether the call has its last response, or the client is gone. */
  get isOver(): boolean {
    return this.#isAnswered || this.#stream.closed || this.#stream.destroyed;
  }

  /** Sends one message as the response, and ends the call. */
  answer(message: Uint8Array): void {
    if (this.isOver) return;
    const whole = framed(message);
    this.#isAnswered = true;
    this.#begin();
    this.#stream.end(whole);
  }

  /**
   * Sends several messages as the response. Each message waits until the client has capacity. Ends the call after the
   * last message.
   */
  async answerAll(messages: AsyncIterable<Uint8Array>): Promise<void> {
    for await (const message of messages) {
      if (!this.isOver) await this.#send(message);
      if (this.isOver) break;
    }
    if (this.isOver) return;
    if (!this.#stream.headersSent) this.#begin();
    this.#isAnswered = true;
    this.#stream.end();
  }

  /** Ends the call with an error status, after the messages that were sent. */
  fail({ status, message }: Fault): void {
    if (this.isOver) return;
    this.#isAnswered = true;
    this.#trailers = {
      "grpc-status": String(status),
      "grpc-message": message.replace(/[^ -$&-~]/g, encodeURIComponent),
      ...(status === STATUS.UNIMPLEMENTED && { "grpc-accept-encoding": "identity" }),
    };
    if (this.#stream.headersSent) this.#stream.end();
    else this.#stream.respond({ ...HEADERS, ...this.#trailers }, WITHOUT_BODY);
    this.#abort?.abort();
    // The rest of an incomplete request is not needed. An immediate reset could arrive before the response.
    if (!this.#stream.readableEnded) setImmediate(() => this.#stream.close(constants.NGHTTP2_NO_ERROR));
  }

  /** Ends the call without a response, if the call has no response yet. */
  cancel(): void {
    if (!this.isOver) this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  #begin(): void {
    this.#stream.on("wantTrailers", () => this.#stream.sendTrailers(this.#trailers));
    this.#stream.respond(HEADERS, WITH_TRAILERS);
  }

  /** Sends a message. Waits until the client has capacity, or until the call is over. */
  async #send(message: Uint8Array): Promise<void> {
    const whole = framed(message);
    if (!this.#stream.headersSent) this.#begin();
    if (this.#stream.write(whole)) return;
    await once(this.#stream, "drain", { signal: this.signal }).catch(() => undefined);
  }
}

/** The units of a deadline, each in milliseconds. */
const UNITS: Readonly<Record<string, number>> = {
  H: 3_600_000,
  M: 60_000,
  S: 1000,
  m: 1,
  u: 1e-3,
  n: 1e-6,
};
/** The longest timer in Node, about 25 days. */
const LONGEST = 2 ** 31 - 1;

/**
 * Returns the client's deadline in milliseconds, from `grpc-timeout`. Undefined if the header is absent or malformed,
 * or if the deadline is longer than the longest timer.
 */
export function timeoutOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const [, count, unit] = /^(\d{1,8})([HMSmun])$/.exec(header) ?? [];
  const milliseconds = Number(count) * (UNITS[unit ?? ""] ?? Number.NaN);
  return milliseconds <= LONGEST ? milliseconds : undefined;
}
