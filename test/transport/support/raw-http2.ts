import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Frame {
  readonly kind: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** A frame as RFC 9113, section 4.1 lays it out. */
export function frame(
  kind: number,
  flags: number,
  stream: number,
  payload: Uint8Array = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(kind, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

export const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

export const setting = (name: number, value: number): Buffer =>
  Buffer.concat([Buffer.of(0, name), uint32(value)]);

export const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** A client that sends whatever bytes it is given, and tells the frames that come back. */
export class RawClient {
  readonly #socket: Socket;
  readonly #frames: Frame[] = [];
  #rest = Buffer.alloc(0);
  /** When the server has hung up. */
  readonly closed: Promise<unknown>;

  constructor(path: string) {
    this.#socket = connect(path);
    this.#socket.on("error", () => undefined);
    this.closed = once(this.#socket, "close");
    this.#socket.on("data", (piece: Buffer) => {
      this.#rest = Buffer.concat([this.#rest, piece]);
      while (this.#rest.length >= 9 && this.#rest.length >= 9 + this.#rest.readUIntBE(0, 3)) this.#take();
    });
  }

  #take(): void {
    const end = 9 + this.#rest.readUIntBE(0, 3);
    this.#frames.push({
      kind: this.#rest.readUInt8(3),
      flags: this.#rest.readUInt8(4),
      stream: this.#rest.readUInt32BE(5),
      payload: this.#rest.subarray(9, end),
    });
    this.#rest = this.#rest.subarray(end);
  }

  send(...bytes: readonly Buffer[]): void {
    this.#socket.write(Buffer.concat(bytes));
  }

  /** The next frame. @throws Error where the server hangs up instead */
  async next(): Promise<Frame> {
    while (this.#frames.length === 0) {
      if (this.#socket.closed) throw new Error("The server has hung up.");
      await Promise.race([once(this.#socket, "data"), this.closed]);
    }
    return this.#frames.shift()!;
  }

  /** The next frame of a kind; those before it are left out. */
  async nextOf(kind: number): Promise<Frame> {
    const found = await this.next();
    return found.kind === kind ? found : this.nextOf(kind);
  }

  /** All that comes until the answer to a ping, which is sent now: what the server had to say by then. */
  async untilPing(): Promise<Frame[]> {
    this.send(frame(6, 0, 0, Buffer.from("told all")));
    const found: Frame[] = [];
    for (;;) {
      const one = await this.next();
      if (one.kind === 6) return found;
      found.push(one);
    }
  }

  hangUp(): void {
    this.#socket.destroy();
  }
}
