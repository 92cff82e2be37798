import {
  constants,
  type IncomingHttpHeaders,
  performServerHandshake,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { Duplex } from "node:stream";
import { Call, CONTENT_TYPE, type Procedures, type ServerStreaming, timeoutOf, type Unary } from "./call";
import {
  CONNECTION_WINDOW,
  MAX_CANCELLED,
  MAX_SESSION_MEMORY,
  RequestBody,
  SETTINGS,
  STATUS,
} from "./message";

export interface GrpcOptions {
  readonly procedures: Procedures;
  /** The function to call at the start of each call. */
  readonly onCall: () => void;
  /** The function that receives errors of procedures and of the session. */
  readonly log: (level: "debug" | "error", message: string, facts: { readonly error: string }) => void;
}

/** Serves gRPC procedures to the client of one connection, without compression, over Node's HTTP/2. */
export class GrpcServer {
  readonly #options: GrpcOptions;
  readonly #session: ServerHttp2Session;
  readonly #calls = new Set<Call>();
  /** The number of cancelled calls minus the number of completed calls. */
  #cancelled = 0;
  readonly #inProgress = new Set<Promise<Uint8Array>>();

  constructor(connection: Duplex, options: GrpcOptions) {
    this.#options = options;
    this.#session = performServerHandshake(connection, {
      settings: SETTINGS,
      maxSessionMemory: MAX_SESSION_MEMORY,
    });
    this.#session.setLocalWindowSize(CONNECTION_WINDOW);
    this.#session.on("error", (problem: NodeJS.ErrnoException) => {
      // The owner of the connection reports errors of the connection.
      if (problem.syscall === undefined)
        options.log("error", "the HTTP/2 session failed", { error: problem.message });
    });
    this.#session.on("stream", (stream, headers) => this.#onStream(stream, headers));
  }

  /** Resolves when every unary call so far is complete. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#inProgress);
  }

  /** Disconnects after the last response. Calls without a response and open streams are cancelled. */
  end(): void {
    this.#later(() => {
      this.#session.close();
      for (const call of this.#calls) call.cancel();
    });
  }

  /** Ends the session in the next tick. In Node 22, the process aborts if a session ends while Node reads frames. */
  #later(end: () => void): void {
    setImmediate(() => {
      if (!this.#session.destroyed) end();
    });
  }

  #onStream(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): void {
    this.#options.onCall();
    // A cancellation by the client is not an error.
    stream.on("error", () => undefined);
    if (!headers["content-type"]?.startsWith(CONTENT_TYPE)) {
      stream.respond({ ":status": 415, "content-type": "text/plain" });
      // The response to a HEAD request has already ended.
      if (stream.writable) stream.end("This server speaks only gRPC.\n");
      return;
    }
    const path = String(headers[":path"]);
    const call = new Call(stream, (closed) => this.#onClose(closed));
    this.#calls.add(call);
    const procedure = this.#options.procedures.get(path);
    if (procedure === undefined) {
      call.fail({ status: STATUS.UNIMPLEMENTED, message: `there is no procedure ${path}` });
      return;
    }
    if (procedure.kind === "idle") stream.resume();
    else this.#receive(stream, call, (request) => this.#answer(path, procedure, request, call));
    this.#limit(stream, call, headers);
  }

  #onClose(call: Call): void {
    this.#calls.delete(call);
    this.#cancelled = call.isAnswered ? Math.max(0, this.#cancelled - 1) : this.#cancelled + 1;
    if (this.#cancelled <= MAX_CANCELLED) return;
    const problem = new Error(`the client cancelled ${this.#cancelled} calls`);
    this.#later(() => this.#session.destroy(problem, constants.NGHTTP2_ENHANCE_YOUR_CALM));
  }

  #receive(stream: ServerHttp2Stream, call: Call, onRequest: (request: Buffer) => void): void {
    const body = new RequestBody();
    stream.on("data", (piece: Buffer) => {
      const fault = call.isOver ? undefined : body.add(piece);
      if (fault !== undefined) call.fail(fault);
    });
    stream.on("end", () => {
      if (call.isOver) return;
      const request = body.end();
      if (Buffer.isBuffer(request)) onRequest(request);
      else call.fail(request);
    });
  }

  #answer(path: string, procedure: Unary | ServerStreaming, request: Buffer, call: Call): void {
    const fail = (problem: unknown): void => {
      const level = call.isOver ? "debug" : "error";
      this.#options.log(level, `${path} failed`, { error: (problem as Error).message });
      const message = "the request could not be read, or its response not written";
      call.fail({ status: STATUS.INTERNAL, message });
    };
    try {
      if (procedure.kind === "server-streaming") {
        void call.answerAll(procedure.answer(request, call)).catch(fail);
        return;
      }
      const answer = procedure.answer(request, call);
      if ("then" in answer) void this.#answerLater(answer, call, fail);
      else call.answer(answer);
    } catch (problem) {
      fail(problem);
    }
  }

  async #answerLater(answer: Promise<Uint8Array>, call: Call, fail: (problem: unknown) => void) {
    this.#inProgress.add(answer);
    try {
      call.answer(await answer);
    } catch (problem) {
      fail(problem);
    } finally {
      this.#inProgress.delete(answer);
    }
  }

  #limit(stream: ServerHttp2Stream, call: Call, headers: IncomingHttpHeaders): void {
    const timeout = timeoutOf(headers["grpc-timeout"] as string | undefined);
    if (timeout === undefined) return;
    const expire = () => call.fail({ status: STATUS.DEADLINE_EXCEEDED, message: "the deadline passed" });
    const timer = setTimeout(expire, timeout);
    stream.on("close", () => clearTimeout(timer));
  }
}
