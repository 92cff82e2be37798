import type { Socket } from "node:net";
import { frameHead } from "./frames";
import {
  ConnectionError,
  DEFAULT_FRAME_SIZE,
  DEFAULT_WINDOW,
  ERROR,
  FLAG,
  FRAME,
  LARGEST_FRAME_SIZE,
  LARGEST_WINDOW,
  SETTING,
  violation,
} from "./protocol";
import { type Answer, NOTHING, type Stream } from "./stream";

/** Sends what one connection has to say, and of the bodies only as much as the other end takes (RFC 9113, section 5.2). */
export class Output {
  readonly #socket: Socket;
  readonly #onSent: (stream: Stream) => void;
  readonly #blocked = new Set<Stream>();
  /** Goes out as one when the process comes out of its work: each write on its own costs more than most answers. */
  #unwritten: Buffer[] = [];
  #window = DEFAULT_WINDOW;
  /** What each new stream may send. */
  initialWindow = DEFAULT_WINDOW;
  #frameSize = DEFAULT_FRAME_SIZE;

  constructor(socket: Socket, onSent: (stream: Stream) => void) {
    this.#socket = socket;
    this.#onSent = onSent;
  }

  frame(kind: number, flags: number, stream: number, payload: Buffer): void {
    if (this.#unwritten.length === 0) process.nextTick(() => this.#write());
    this.#unwritten.push(frameHead(kind, flags, stream, payload.length), payload);
  }

  answer(stream: Stream, { headers, body = NOTHING, trailers }: Answer): void {
    if (trailers === undefined) {
      this.#last(stream, headers);
      return;
    }
    this.frame(FRAME.HEADERS, FLAG.END_HEADERS, stream.id, headers);
    stream.body = body;
    stream.trailers = trailers;
    this.#continue(stream);
  }

  /** Takes over what the other end has set (section 6.5.2), which holds for the streams that are open, too. */
  set(name: number, value: number, open: Iterable<Stream>): void {
    if (name === SETTING.MAX_FRAME_SIZE) {
      if (value < DEFAULT_FRAME_SIZE || value > LARGEST_FRAME_SIZE)
        throw violation("frames of a size that there is not");
      this.#frameSize = value;
    } else if (name === SETTING.INITIAL_WINDOW_SIZE) {
      const by = enlarged(0, value) - this.initialWindow;
      for (const stream of open) stream.window = enlarged(stream.window, by);
      this.initialWindow = value;
      this.#continueAll();
    }
  }

  /** The other end takes more of all streams together. */
  enlarge(by: number): void {
    this.#window = enlarged(this.#window, by);
    this.#continueAll();
  }

  /** The other end takes more of one stream. */
  enlargeStream(stream: Stream, by: number): void {
    stream.window = enlarged(stream.window, by);
    if (this.#blocked.has(stream)) this.#continue(stream);
  }

  /** Nobody waits any more for what a stream has to send. */
  forget(stream: Stream): void {
    this.#blocked.delete(stream);
  }

  /** Hangs up once everything is sent. */
  end(): void {
    this.#write();
    this.#socket.destroySoon();
  }

  #continueAll(): void {
    for (const stream of [...this.#blocked]) this.#continue(stream);
  }

  #continue(stream: Stream): void {
    while (stream.body.length > 0) {
      const length = Math.min(stream.body.length, this.#frameSize, this.#window, stream.window);
      if (length <= 0) {
        this.#blocked.add(stream);
        return;
      }
      this.frame(FRAME.DATA, 0, stream.id, stream.body.subarray(0, length));
      stream.body = stream.body.subarray(length);
      stream.window -= length;
      this.#window -= length;
    }
    this.#blocked.delete(stream);
    this.#last(stream, stream.trailers);
  }

  #last(stream: Stream, headers: Buffer): void {
    this.frame(FRAME.HEADERS, FLAG.END_HEADERS | FLAG.END_STREAM, stream.id, headers);
    this.#onSent(stream);
  }

  #write(): void {
    const all = this.#unwritten;
    this.#unwritten = [];
    if (all.length > 0 && this.#socket.writable) this.#socket.write(Buffer.concat(all));
  }
}

/** @throws ConnectionError where a window becomes larger than it may (section 6.9.1) */
function enlarged(window: number, by: number): number {
  if (window + by > LARGEST_WINDOW)
    throw new ConnectionError(ERROR.FLOW_CONTROL_ERROR, "a window becomes too large");
  return window + by;
}
