import type { Socket } from "node:net";
import { Http2Connection } from "../../../src/transport/http2/connection";
import { encodeHeaders } from "../../../src/transport/http2/hpack";
import type { Stream } from "../../../src/transport/http2/stream";
import { listen } from "../../../src/transport/socket";
import { type Frame, frame, PREFACE, RawClient } from "./raw-http2";

/** RFC 9113, section 6: written from the text once more, so that a wrong number in the source shows. */
export const KIND = {
  DATA: 0,
  HEADERS: 1,
  PRIORITY: 2,
  RST_STREAM: 3,
  SETTINGS: 4,
  PUSH_PROMISE: 5,
  PING: 6,
  GOAWAY: 7,
  WINDOW_UPDATE: 8,
  CONTINUATION: 9,
};
export const FLAG = { ACK: 1, END_STREAM: 1, END_HEADERS: 4, PADDED: 8, PRIORITY: 0x20 };

/** Answers a request to `/N` with N bytes, any other when it is told to. */
export class Http2Server {
  readonly #endings: (() => void)[] = [];
  readonly asked: { readonly path: string; readonly stream: Stream; body: string; isWhole: boolean }[] = [];
  readonly broken: string[] = [];
  connection!: Http2Connection;

  /** A client that has not said anything yet. */
  async client(): Promise<RawClient> {
    const socket = await listen((connected) => this.#serve(connected));
    const client = new RawClient(socket.path);
    this.#endings.push(() => {
      client.hangUp();
      socket.close();
    });
    return client;
  }

  #serve(socket: Socket): void {
    this.connection = new Http2Connection(socket, {
      onRequest: (headers, stream) => {
        const request = { path: headers.get(":path") ?? "", stream, body: "", isWhole: false };
        this.asked.push(request);
        const length = Number(request.path.slice(1));
        if (Number.isInteger(length)) answer(stream, Buffer.alloc(length, "x"));
        return {
          data: (piece) => {
            request.body += piece;
          },
          end: () => {
            request.isWhole = true;
          },
        };
      },
      onBroken: ({ message }) => this.broken.push(message),
    });
  }

  /** A client that has heard all that the server says at first. */
  async greeted(...settings: readonly Buffer[]): Promise<RawClient> {
    const client = await this.client();
    client.send(PREFACE, frame(KIND.SETTINGS, 0, 0, Buffer.concat(settings)));
    await client.untilPing();
    return client;
  }

  end(): void {
    for (const end of this.#endings.splice(0)) end();
  }
}

export const RESPONSE = encodeHeaders({ ":status": "200" });
export const TRAILERS = encodeHeaders({ done: "yes" });
export const answer = (stream: Stream, body: Buffer) =>
  stream.answer({ headers: RESPONSE, body, trailers: TRAILERS });

export const block = (path: string): Buffer => encodeHeaders({ ":method": "POST", ":path": path });
export const request = (stream: number, path: string, flags = FLAG.END_HEADERS | FLAG.END_STREAM): Buffer =>
  frame(KIND.HEADERS, flags, stream, block(path));

/** What frames say, in short. */
const NAMES = [
  "data",
  "headers",
  "priority",
  "reset",
  "settings",
  "push",
  "ping",
  "go away",
  "window",
  "continuation",
];
export const told = (frames: readonly Frame[]): string[] =>
  frames.map(({ kind, flags, stream, payload }) => {
    const last = kind <= KIND.HEADERS && (flags & FLAG.END_STREAM) !== 0 ? ", last" : "";
    return `${stream}: ${NAMES[kind]}${kind === KIND.DATA ? ` ${payload.length}` : ""}${last}`;
  });
