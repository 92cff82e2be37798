import type { Socket } from "node:net";
import { Http2Connection } from "./http2/connection";
import { encodeHeaders, type Headers } from "./http2/hpack";
import type { Receiver, Stream } from "./http2/stream";
import type { Procedures, Unary } from "./procedure";

export interface GrpcOptions {
  readonly procedures: Procedures;
  /** Runs before each call is looked at. */
  readonly onCall: () => void;
  /** Takes what went wrong, in the server or in the client. */
  readonly log: (level: "error", message: string, facts: { readonly error: string }) => void;
}

/** Serves procedures to the client of one connection, by gRPC over HTTP/2: as much of it as plugins are asked for. */
export class GrpcServer {
  readonly #options: GrpcOptions;
  readonly #connection: Http2Connection;
  readonly #underWay = new Set<Promise<void>>();

  constructor(socket: Socket, options: GrpcOptions) {
    this.#options = options;
    this.#connection = new Http2Connection(socket, {
      onRequest: (headers, stream) => this.#onRequest(headers, stream),
      onBroken: ({ message }) => options.log("error", "the client broke the protocol", { error: message }),
    });
  }

  /** When everything that was asked so far is answered. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  /** Hangs up once everything that was answered is sent. */
  end(): void {
    this.#connection.end();
  }

  #onRequest(headers: Headers, stream: Stream): Receiver {
    this.#options.onCall();
    const path = headers.get(":path") ?? "";
    const procedure = this.#options.procedures.get(path);
    if (!headers.get("content-type")?.startsWith(CONTENT_TYPE)) stream.answer({ headers: NOT_GRPC });
    else if (procedure?.kind === "unary")
      return new Request((body) => {
        const fault = problemOf(body);
        if (fault === undefined) this.#answer(path, procedure, body.subarray(PREFIX), stream);
        else refuse(stream, ...fault);
      });
    else if (procedure === undefined) refuse(stream, UNIMPLEMENTED, `there is no procedure ${path}`);
    return UNHEARD;
  }

  #answer(path: string, procedure: Unary, request: Buffer, stream: Stream): void {
    const fail = (problem: unknown): void => {
      this.#options.log("error", `${path} failed`, { error: (problem as Error).message });
      refuse(stream, INTERNAL, "the request could not be read, or its answer not be written");
    };
    try {
      const answered = procedure.answer(request);
      if (answered instanceof Promise) this.#answerLater(answered, stream, fail);
      else answer(stream, answered);
    } catch (problem) {
      fail(problem);
    }
  }

  #answerLater(message: Promise<Uint8Array>, stream: Stream, fail: (problem: unknown) => void): void {
    const done: Promise<void> = message
      .then((whole) => answer(stream, whole))
      .catch(fail)
      .then(() => void this.#underWay.delete(done));
    this.#underWay.add(done);
  }
}

/** The statuses of gRPC that are used here. */
const UNIMPLEMENTED = 12;
const INTERNAL = 13;

const CONTENT_TYPE = "application/grpc";
const HEADERS = { ":status": "200", "content-type": CONTENT_TYPE };
const ANSWERED = { headers: encodeHeaders(HEADERS), trailers: encodeHeaders({ "grpc-status": "0" }) };
const NOT_GRPC = encodeHeaders({ ":status": "415" });

/** Before a message stands whether it is compressed, and its length. */
const PREFIX = 5;

function answer(stream: Stream, message: Uint8Array): void {
  const body = Buffer.allocUnsafe(PREFIX + message.length);
  body[0] = 0;
  body.writeUInt32BE(message.length, 1);
  body.set(message, PREFIX);
  stream.answer({ ...ANSWERED, body });
}

type Fault = readonly [status: number, message: string];

/** What is wrong with the body of a request, which has to be one message. */
function problemOf(body: Buffer): Fault | undefined {
  if (body.length < PREFIX) return [INTERNAL, "a request without a message"];
  if (body[0] !== 0) return [UNIMPLEMENTED, "compressed messages are not understood"];
  if (body.length !== PREFIX + body.readUInt32BE(1))
    return [INTERNAL, "a request that is not one whole message"];
  return undefined;
}

function refuse(stream: Stream, status: number, message: string): void {
  const headers = {
    ...HEADERS,
    "grpc-status": String(status),
    "grpc-message": message.replace(/[^ -$&-~]/g, encodeURIComponent),
    ...(status === UNIMPLEMENTED && { "grpc-accept-encoding": "identity" }),
  };
  stream.answer({ headers: encodeHeaders(headers) });
}

/** Puts the body of a request together. */
class Request implements Receiver {
  readonly #pieces: Buffer[] = [];
  readonly #onWhole: (body: Buffer) => void;

  constructor(onWhole: (body: Buffer) => void) {
    this.#onWhole = onWhole;
  }

  data(piece: Buffer): void {
    this.#pieces.push(piece);
  }

  end(): void {
    this.#onWhole(this.#pieces.length === 1 ? this.#pieces[0]! : Buffer.concat(this.#pieces));
  }
}

/** For what nobody reads. */
const UNHEARD: Receiver = { data: () => undefined, end: () => undefined };
