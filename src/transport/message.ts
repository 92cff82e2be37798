import type { Settings } from "node:http2";

const MIB = 2 ** 20;

/** Maximum size of a request in bytes, the same as for providers in Go. */
const MAX_MESSAGE_SIZE = 256 * MIB;

/** The limits announced to the client. */
export const SETTINGS: Settings = {
  /**
   * Maximum number of calls in progress. The client queues further calls. The server disconnects a client that sends
   * more than this number of calls at the same time.
   */
  maxConcurrentStreams: 250,
  /** Maximum size of a request's headers in bytes. */
  maxHeaderListSize: 16_384,
  /** The flow control window of a request in bytes. With the default of 64 KiB, large requests wait for window updates. */
  initialWindowSize: MIB,
};

/** The flow control window of a connection in bytes, for all its requests together. */
export const CONNECTION_WINDOW = 16 * MIB;

/**
 * Megabytes of unread responses before the server refuses new calls. Node's default of 10 is less than one
 * large response.
 */
export const MAX_SESSION_MEMORY = 1024;

/**
 * Maximum surplus of cancelled calls over completed calls. The limit of concurrent streams does not count calls that
 * the client resets at once, although each call causes work.
 */
export const MAX_CANCELLED = 500;

/** The number of bytes before a message: a compression flag and the length. */
const PREFIX = 5;

/** The gRPC statuses that the server itself sends. */
export const STATUS = {
  OK: 0,
  DEADLINE_EXCEEDED: 4,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
} as const;
export type Status = (typeof STATUS)[keyof typeof STATUS];

/** The reason for a failed call. */
export interface Fault {
  readonly status: Status;
  readonly message: string;
}

/** Returns a message with its prefix. */
export function framed(message: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafe(PREFIX + message.length);
  whole[0] = 0;
  whole.writeUInt32BE(message.length, 1);
  whole.set(message, PREFIX);
  return whole;
}

/**
 * Collects the body of a request. The body must be a single message. The buffer of the body has at most twice the size
 * of the received bytes, however small the chunks are.
 */
export class RequestBody {
  /** The received bytes, up to `#length`. */
  #bytes: Buffer = Buffer.alloc(0);
  #length = 0;
  /** Length of the message with its prefix; unknown until the prefix is complete. */
  #expected: number | undefined;

  /**
   * Adds a chunk.
   *
   * @returns a fault as soon as the received bytes show a fault
   */
  add(piece: Buffer): Fault | undefined {
    this.#append(piece);
    if (this.#expected === undefined && this.#length >= PREFIX) {
      if (this.#bytes[0] !== 0)
        return { status: STATUS.UNIMPLEMENTED, message: "compressed messages are not supported" };
      const length = this.#bytes.readUInt32BE(1);
      if (length > MAX_MESSAGE_SIZE) {
        const message = `the message has ${length} bytes, and the limit is ${MAX_MESSAGE_SIZE}`;
        return { status: STATUS.RESOURCE_EXHAUSTED, message };
      }
      this.#expected = PREFIX + length;
    }
    return this.#length > (this.#expected ?? this.#length) ? NOT_ONE_MESSAGE : undefined;
  }

  /** @returns the message, or a fault if the body ends early */
  end(): Buffer | Fault {
    return this.#length === this.#expected ? this.#bytes.subarray(PREFIX, this.#length) : NOT_ONE_MESSAGE;
  }

  #append(piece: Buffer): void {
    const length = this.#length + piece.length;
    // Most bodies arrive as one chunk, which needs no copy.
    if (this.#length === 0) this.#bytes = piece;
    else {
      if (length > this.#bytes.length) this.#enlarge(Math.max(length, 2 * this.#bytes.length));
      piece.copy(this.#bytes, this.#length);
    }
    this.#length = length;
  }

  #enlarge(size: number): void {
    const bytes = Buffer.allocUnsafe(size);
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }
}

const NOT_ONE_MESSAGE: Fault = {
  status: STATUS.INTERNAL,
  message: "the body of the request is not exactly one message",
};
