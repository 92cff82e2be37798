import type { Socket } from "node:net";
import { FrameReader, PRIORITY_LENGTH, SETTING_LENGTH, uint32, unpadded, WITHOUT_FIRST_BIT } from "./frames";
import { HeaderDecoder } from "./hpack";
import { Output } from "./output";
import {
  ConnectionError,
  DEFAULT_WINDOW,
  ERROR,
  type ErrorCode,
  FLAG,
  FRAME,
  LARGEST_WINDOW,
  SETTING,
  violation,
} from "./protocol";
import { type Answer, NOTHING, type OnRequest, Stream } from "./stream";

export interface Http2Options {
  readonly onRequest: OnRequest;
  /** Told why the connection ends where the other end breaks the rules. */
  readonly onBroken: (problem: ConnectionError) => void;
}

/** Nobody has reason to send as many headers; without a limit they could fill the memory (RFC 9113, section 10.5.1). */
const MOST_HEADERS = 2 ** 20;
/** Windows that no message fills: none of them has to wait for leave. */
const SETTINGS = Buffer.concat([Buffer.of(0, SETTING.INITIAL_WINDOW_SIZE), uint32(LARGEST_WINDOW)]);
/** How many bytes come in until the other end is told again that it may send more. */
const RENEWED_AFTER = 2 ** 30;

/**
 * The server's end of one HTTP/2 connection (RFC 9113) with a client that is trusted: it may send as much as it likes, in
 * as many streams at once. Any breach of the rules ends the connection, as section 5.4 allows.
 */
export class Http2Connection {
  readonly #options: Http2Options;
  readonly #output: Output;
  readonly #decoder = new HeaderDecoder();
  readonly #streams = new Map<number, Stream>();
  readonly #answer = (stream: Stream, answer: Answer): void => {
    if (this.#streams.has(stream.id)) this.#output.answer(stream, answer);
  };
  #lastStream = 0;
  /** Headers of which more has to come. */
  #begun: { readonly stream: number; readonly flags: number; bytes: Buffer } | undefined;
  #received = 0;
  #isEnded = false;

  constructor(socket: Socket, options: Http2Options) {
    this.#options = options;
    this.#output = new Output(socket, (stream) => this.#onSent(stream));
    const frames = new FrameReader((...frame) => this.#onFrame(...frame));
    socket.on("data", (piece: Buffer) => this.#read(frames, piece));
    this.#output.frame(FRAME.SETTINGS, 0, 0, SETTINGS);
    this.#output.frame(FRAME.WINDOW_UPDATE, 0, 0, uint32(LARGEST_WINDOW - DEFAULT_WINDOW));
  }

  /** Hangs up once everything that was answered is sent. */
  end(): void {
    this.#goAway(ERROR.NO_ERROR);
  }

  #read(frames: FrameReader, piece: Buffer): void {
    // What comes after the end was announced is not looked at.
    if (this.#isEnded) return;
    try {
      frames.read(piece);
    } catch (problem) {
      if (!(problem instanceof ConnectionError)) throw problem;
      this.#goAway(problem.code);
      this.#options.onBroken(problem);
    }
  }

  #goAway(code: ErrorCode): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#output.frame(FRAME.GOAWAY, 0, 0, Buffer.concat([uint32(this.#lastStream), uint32(code)]));
    this.#output.end();
  }

  #onFrame(kind: number, flags: number, stream: number, payload: Buffer): void {
    if (this.#begun !== undefined && kind !== FRAME.CONTINUATION)
      throw violation("another frame stands between headers");
    switch (kind) {
      case FRAME.DATA:
        this.#onData(flags, stream, payload);
        break;
      case FRAME.HEADERS:
        this.#onHeaders(flags, stream, payload);
        break;
      case FRAME.CONTINUATION:
        this.#onContinuation(flags, stream, payload);
        break;
      case FRAME.RST_STREAM:
        this.#forget(this.#find(stream));
        break;
      case FRAME.SETTINGS:
        this.#onSettings(flags, payload);
        break;
      case FRAME.PING:
        if ((flags & FLAG.ACK) === 0) this.#output.frame(FRAME.PING, FLAG.ACK, 0, payload);
        break;
      case FRAME.WINDOW_UPDATE:
        this.#onWindowUpdate(stream, payload.readUInt32BE() & WITHOUT_FIRST_BIT);
        break;
      case FRAME.PUSH_PROMISE:
        throw violation("a client can't push");
      // Nothing follows from others: priorities, that the client will open no more streams, and what RFC 9113 doesn't know.
    }
  }

  /** The stream of that number, which must have begun; nothing where it is over. */
  #find(id: number): Stream | undefined {
    if (id > this.#lastStream) throw violation("a stream that was never begun");
    return this.#streams.get(id);
  }

  #onHeaders(flags: number, stream: number, payload: Buffer): void {
    const content = unpadded(flags, payload);
    const skipped = (flags & FLAG.PRIORITY) === 0 ? 0 : PRIORITY_LENGTH;
    if (content.length < skipped)
      throw new ConnectionError(ERROR.FRAME_SIZE_ERROR, "headers without the priority that they announce");
    const bytes = content.subarray(skipped);
    this.#begun = { stream, flags, bytes };
    if ((flags & FLAG.END_HEADERS) !== 0) this.#onWholeHeaders(stream, flags, bytes);
  }

  #onContinuation(flags: number, stream: number, payload: Buffer): void {
    const begun = this.#begun;
    if (begun?.stream !== stream) throw violation("headers go on that were never begun");
    begun.bytes = Buffer.concat([begun.bytes, payload]);
    if (begun.bytes.length > MOST_HEADERS)
      throw new ConnectionError(ERROR.ENHANCE_YOUR_CALM, "too many headers");
    if ((flags & FLAG.END_HEADERS) !== 0) this.#onWholeHeaders(stream, begun.flags, begun.bytes);
  }

  #onWholeHeaders(id: number, flags: number, block: Buffer): void {
    this.#begun = undefined;
    // Also where nobody needs them: later ones may refer to them.
    const headers = this.#decoder.decode(block);
    const isLast = (flags & FLAG.END_STREAM) !== 0;
    if (id <= this.#lastStream) {
      if (!isLast) throw violation("headers within a body");
      this.#onWhole(this.#find(id));
      return;
    }
    if (id % 2 === 0) throw violation("a stream with an even number, which are a server's");
    this.#lastStream = id;
    const stream = new Stream(id, this.#output.initialWindow, this.#answer);
    this.#streams.set(id, stream);
    stream.isRequestWhole = isLast;
    stream.receiver = this.#options.onRequest(headers, stream);
    if (isLast) stream.receiver.end();
  }

  #onData(flags: number, id: number, payload: Buffer): void {
    const stream = this.#find(id);
    this.#received += payload.length;
    if (this.#received >= RENEWED_AFTER) {
      this.#output.frame(FRAME.WINDOW_UPDATE, 0, 0, uint32(this.#received));
      this.#received = 0;
    }
    const content = unpadded(flags, payload);
    if (stream?.isRequestWhole)
      throw new ConnectionError(ERROR.STREAM_CLOSED, "more of a request that was whole");
    if (content.length > 0) stream?.receiver?.data(content);
    if ((flags & FLAG.END_STREAM) !== 0) this.#onWhole(stream);
  }

  #onWhole(stream: Stream | undefined): void {
    if (stream === undefined) return;
    stream.isRequestWhole = true;
    stream.receiver?.end();
  }

  #onSettings(flags: number, payload: Buffer): void {
    if ((flags & FLAG.ACK) !== 0) return;
    for (let at = 0; at < payload.length; at += SETTING_LENGTH)
      this.#output.set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2), this.#streams.values());
    this.#output.frame(FRAME.SETTINGS, FLAG.ACK, 0, NOTHING);
  }

  #onWindowUpdate(id: number, by: number): void {
    if (by === 0) throw violation("a window that grows by nothing");
    const stream = id === 0 ? undefined : this.#find(id);
    if (id === 0) this.#output.enlarge(by);
    else if (stream !== undefined) this.#output.enlargeStream(stream, by);
  }

  /** The answer is out. Of a request that isn't whole, the rest is not wanted any more (section 8.1). */
  #onSent(stream: Stream): void {
    if (!stream.isRequestWhole) this.#output.frame(FRAME.RST_STREAM, 0, stream.id, uint32(ERROR.NO_ERROR));
    this.#streams.delete(stream.id);
  }

  #forget(stream: Stream | undefined): void {
    if (stream === undefined) return;
    this.#output.forget(stream);
    this.#streams.delete(stream.id);
  }
}
