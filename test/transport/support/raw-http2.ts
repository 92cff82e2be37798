import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface Frame {
  readonly kind: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
}

/** Returns the bytes of a frame (RFC 9113, section 4.1). */
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

/** The numbers of the kinds of frames, copied from the text of RFC 9113, section 6. */
export const KIND = {
  DATA: 0,
  HEADERS: 1,
  RST_STREAM: 3,
  SETTINGS: 4,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
};
export const FLAG = { ACK: 1, END_STREAM: 1, END_HEADERS: 4 };

/**
 * Returns a block of headers without compression (RFC 7541, section 6.2.2). Names and values must be shorter than 255 bytes.
 */
export const headerBlock = (headers: Readonly<Record<string, string>>): Buffer =>
  Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => [Buffer.of(0), ...text(name), ...text(value)]),
  );

const text = (content: string): Buffer[] => {
  const { length } = content;
  return [length < 127 ? Buffer.of(length) : Buffer.of(127, length - 127), Buffer.from(content)];
};

/** Returns the headers of a gRPC call. */
export const grpcBlock = (path: string): Buffer =>
  headerBlock({
    ":method": "POST",
    ":scheme": "http",
    ":path": path,
    ":authority": "localhost",
    "content-type": "application/grpc",
    te: "trailers",
  });

/** Returns the frame that begins a call. The message follows in another frame. */
export const begin = (stream: number, path: string): Buffer =>
  frame(KIND.HEADERS, FLAG.END_HEADERS, stream, grpcBlock(path));

/** Returns a message with the prefix that gRPC puts before it. */
export const message = (content: Uint8Array, announced = content.length): Buffer =>
  Buffer.concat([Buffer.of(0), uint32(announced), content]);

const PREFACE = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");

/** A client that can send any bytes, and that collects the frames of the server. */
export class RawClient {
  readonly #socket: Socket;
  readonly #frames: Frame[] = [];
  #rest = Buffer.alloc(0);
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<unknown>;

  constructor(path: string) {
    this.#socket = connect(path);
    this.#socket.on("error", () => undefined);
    // `once` of node:events is not used here, because its promise rejects after an error of the socket.
    this.closed = new Promise((resolve) => this.#socket.once("close", resolve));
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

  /** Sends bytes, and waits until the system has accepted them. Returns false after the server has closed the connection. */
  sent(bytes: Buffer): Promise<boolean> {
    return new Promise((resolve) => {
      if (this.#socket.destroyed) resolve(false);
      else this.#socket.write(bytes, (problem) => resolve(problem === null || problem === undefined));
      void this.closed.then(() => resolve(false));
    });
  }

  /** Stops reading from the server. */
  pause(): void {
    this.#socket.pause();
  }

  /** Sends the bytes that every client must send first, and acknowledges the settings of the server. */
  greet(...settings: readonly Buffer[]): void {
    this.send(
      PREFACE,
      frame(KIND.SETTINGS, 0, 0, Buffer.concat(settings)),
      frame(KIND.SETTINGS, FLAG.ACK, 0),
    );
  }

  /** Returns the next frame. @throws Error if the server closes the connection instead */
  async next(): Promise<Frame> {
    while (this.#frames.length === 0) {
      if (this.#socket.closed) throw new Error("The server has hung up.");
      await Promise.race([once(this.#socket, "data"), this.closed]);
    }
    return this.#frames.shift()!;
  }

  /** Returns the next frame of a kind, and drops the frames before it. */
  async nextOf(kind: number): Promise<Frame> {
    const found = await this.next();
    return found.kind === kind ? found : this.nextOf(kind);
  }

  /** Sends a ping, and returns all frames that arrive before its response. */
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
