import type { Socket } from "node:net";
import { Client, credentials, Metadata } from "@grpc/grpc-js";
import type { Procedure, Procedures, Unary } from "../../../src/transport/call";
import { GrpcServer } from "../../../src/transport/grpc-server";
import { listen } from "../../../src/transport/socket";

export const ECHO = "/test.Echo/Echo";
export const ECHO_LATER = "/test.Echo/EchoLater";
export const SILENT = "/test.Echo/Listen";
/** Additional procedures of a test, by path. A function is a procedure with one response. */
export type More = Readonly<Record<string, Unary["answer"] | Procedure>>;
const later = (request: Buffer) => new Promise<Buffer>((resolve) => setImmediate(() => resolve(request)));

/** A gRPC server that returns each request as the response. The server also creates clients. */
export class EchoServer {
  readonly path: string;
  readonly logged: unknown[] = [];
  /** The servers: one for each connection. */
  readonly connections: GrpcServer[] = [];
  readonly #procedures: Procedures;
  readonly #endings: (() => void)[] = [];

  private constructor(path: string, procedures: Procedures) {
    this.path = path;
    this.#procedures = procedures;
  }

  static async start(more: More = {}): Promise<EchoServer> {
    const all: More = {
      [ECHO]: (request) => request,
      [ECHO_LATER]: later,
      [SILENT]: { kind: "idle" },
      ...more,
    };
    const procedures = new Map(
      Object.entries(all).map(([path, one]): [string, Procedure] => [
        path,
        typeof one === "function" ? { kind: "unary", answer: one } : one,
      ]),
    );
    const socket = await listen((connected) => server.serve(connected));
    const server = new EchoServer(socket.path, procedures);
    server.#endings.push(() => socket.close());
    return server;
  }

  /** Serves one connection. */
  serve(connected: Socket): void {
    connected.on("error", () => undefined);
    // The socket is destroyed explicitly, because Node does not notice when the client of a failed session closes its end.
    this.#endings.push(() => connected.destroy());
    const connection = new GrpcServer(connected, {
      procedures: this.#procedures,
      onCall: () => undefined,
      log: (...line) => this.logged.push(line),
    });
    this.connections.push(connection);
  }

  /** Returns a client of grpc-js, which is not part of this project. */
  client(): Client {
    const client = new Client(`unix:${this.path}`, credentials.createInsecure(), {
      "grpc.use_local_subchannel_pool": 1,
      "grpc.max_receive_message_length": -1,
      "grpc.max_send_message_length": -1,
    });
    this.#endings.push(() => client.close());
    return client;
  }

  /** Calls the function when the server ends. */
  endsWith(end: () => void): void {
    this.#endings.push(end);
  }

  end(): void {
    for (const end of this.#endings.splice(0).reverse()) end();
  }
}

export const asIs = (bytes: Buffer): Buffer => bytes;

/** Calls a procedure. @throws ServiceError if there is no response */
export const call = (client: Client, procedure: string, request: Buffer, options = {}): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    client.makeUnaryRequest(procedure, asIs, asIs, request, new Metadata(), options, (problem, answer) =>
      problem ? reject(problem) : resolve(answer!),
    ),
  );
