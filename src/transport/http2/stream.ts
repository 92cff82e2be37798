import type { Headers } from "./hpack";

/** What is sent in answer to a request: blocks of headers, and between them a body. */
export interface Answer {
  readonly headers: Buffer;
  readonly body?: Buffer;
  /** Left out where the headers say all. */
  readonly trailers?: Buffer;
}

/** Takes the body of a request. */
export interface Receiver {
  data(piece: Buffer): void;
  /** The request is whole. */
  end(): void;
}

/** Looks at the headers of a request, and answers it by its stream, then or later. */
export type OnRequest = (headers: Headers, stream: Stream) => Receiver;

export const NOTHING: Buffer = Buffer.alloc(0);

/** One request, and its answer as far as it is not sent yet. */
export class Stream {
  readonly id: number;
  /** How many bytes of a body the other end takes. */
  window: number;
  receiver: Receiver | undefined;
  isRequestWhole = false;
  body = NOTHING;
  trailers = NOTHING;
  readonly #send: (stream: Stream, answer: Answer) => void;

  constructor(id: number, window: number, send: (stream: Stream, answer: Answer) => void) {
    this.id = id;
    this.window = window;
    this.#send = send;
  }

  /** Once only. An answer that nobody waits for any more goes nowhere. */
  answer(answer: Answer): void {
    this.#send(this, answer);
  }
}
