import { MAX_MESSAGE_SIZE } from "./limits";

/** Before a message stands whether it is compressed, and its length. */
const PREFIX = 5;

/** The statuses of gRPC that a server gives by itself. */
export const STATUS = {
  OK: 0,
  DEADLINE_EXCEEDED: 4,
  RESOURCE_EXHAUSTED: 8,
  UNIMPLEMENTED: 12,
  INTERNAL: 13,
} as const;
export type Status = (typeof STATUS)[keyof typeof STATUS];

/** Why a call fails. */
export interface Fault {
  readonly status: Status;
  readonly message: string;
}

/** A message as it is sent. */
export function framed(message: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafe(PREFIX + message.length);
  whole[0] = 0;
  whole.writeUInt32BE(message.length, 1);
  whole.set(message, PREFIX);
  return whole;
}

/** Puts the body of a request together, which has to be one message. */
export class RequestBody {
  readonly #pieces: Buffer[] = [];
  #length = 0;
  /** With its prefix; unknown until that is there. */
  #expected: number | undefined;

  /** Takes the next piece, and answers with what is wrong as soon as that is known. */
  add(piece: Buffer): Fault | undefined {
    this.#pieces.push(piece);
    this.#length += piece.length;
    if (this.#expected === undefined && this.#length >= PREFIX) {
      const prefix = this.#joined();
      if (prefix[0] !== 0)
        return { status: STATUS.UNIMPLEMENTED, message: "compressed messages are not understood" };
      const length = prefix.readUInt32BE(1);
      if (length > MAX_MESSAGE_SIZE) {
        const message = `the message has ${length} bytes, and the limit is ${MAX_MESSAGE_SIZE}`;
        return { status: STATUS.RESOURCE_EXHAUSTED, message };
      }
      this.#expected = PREFIX + length;
    }
    return this.#length > (this.#expected ?? this.#length) ? NOT_ONE_MESSAGE : undefined;
  }

  /** The message; the fault where the body ends before it is whole. */
  end(): Buffer | Fault {
    if (this.#length !== this.#expected) return NOT_ONE_MESSAGE;
    return this.#joined().subarray(PREFIX);
  }

  #joined(): Buffer {
    const [first, ...rest] = this.#pieces;
    if (rest.length > 0) this.#pieces.splice(0, Infinity, Buffer.concat(this.#pieces));
    return rest.length > 0 ? this.#pieces[0]! : (first ?? Buffer.alloc(0));
  }
}

const NOT_ONE_MESSAGE: Fault = {
  status: STATUS.INTERNAL,
  message: "the body of the request is not one whole message",
};
