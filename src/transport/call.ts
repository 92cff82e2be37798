import { once } from "node:events";
import { constants, type OutgoingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { type Fault, framed, STATUS } from "./message";
import type { CallContext } from "./procedure";

export const CONTENT_TYPE = "application/grpc";
const HEADERS: OutgoingHttpHeaders = { ":status": 200, "content-type": CONTENT_TYPE };
const OK: OutgoingHttpHeaders = { "grpc-status": String(STATUS.OK) };
const WITH_TRAILERS = { waitForTrailers: true };
const WITHOUT_BODY = { endStream: true };

/** One call of a procedure, and the stream that its answers go out by. What is answered once the call is over goes nowhere. */
export class Call implements CallContext {
  readonly #stream: ServerHttp2Stream;
  #abort: AbortController | undefined;
  #trailers = OK;
  #isAnswered = false;

  /** @param onClose runs once the stream is closed, whether the call was answered or not */
  constructor(stream: ServerHttp2Stream, onClose: (call: Call) => void) {
    this.#stream = stream;
    stream.on("close", () => {
      if (!this.#isAnswered) this.#abort?.abort();
      onClose(this);
    });
  }

  get signal(): AbortSignal {
    // Most procedures never ask for it.
    if (this.#abort === undefined) {
      this.#abort = new AbortController();
      if (this.isOver) this.#abort.abort();
    }
    return this.#abort.signal;
  }

  /** Whether the last answer is given, or a fault in its place. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  /** Whether the last answer is given, or nobody waits for it. */
  get isOver(): boolean {
    return this.#isAnswered || this.#stream.closed || this.#stream.destroyed;
  }

  /** Answers with one message, and ends. */
  answer(message: Uint8Array): void {
    if (this.isOver) return;
    const whole = framed(message);
    this.#isAnswered = true;
    this.#begin();
    this.#stream.end(whole);
  }

  /** Answers with messages one after the other, each when the client takes it, and ends. */
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

  /** Ends with a status that says what is wrong, after the messages that were sent. */
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
    // Of a request that is not whole the rest is not wanted. A reset at once could overtake the answer.
    if (!this.#stream.readableEnded) setImmediate(() => this.#stream.close(constants.NGHTTP2_NO_ERROR));
  }

  /** Ends without an answer, unless there is one. */
  cancel(): void {
    if (!this.isOver) this.#stream.close(constants.NGHTTP2_CANCEL);
  }

  #begin(): void {
    this.#stream.on("wantTrailers", () => this.#stream.sendTrailers(this.#trailers));
    this.#stream.respond(HEADERS, WITH_TRAILERS);
  }

  /** Waits until the client takes more, or the call is over. */
  async #send(message: Uint8Array): Promise<void> {
    const whole = framed(message);
    if (!this.#stream.headersSent) this.#begin();
    if (this.#stream.write(whole)) return;
    await once(this.#stream, "drain", { signal: this.signal }).catch(() => undefined);
  }
}
