import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { GrpcServer } from "../../../src/transport/grpc-server";
import type { Procedure, Unary } from "../../../src/transport/procedure";
import { listen } from "../../../src/transport/socket";

export const ECHO = "/test.Echo/Echo";
export const ECHO_LATER = "/test.Echo/EchoLater";
export const SILENT = "/test.Echo/Listen";
const later = (request: Buffer) => new Promise<Buffer>((resolve) => setImmediate(() => resolve(request)));

/** A server of gRPC that says again what it hears, with its clients. */
export class EchoServer {
  readonly path: string;
  readonly logged: unknown[] = [];
  /** One for each connection. */
  readonly connections: GrpcServer[] = [];
  readonly #endings: (() => void)[] = [];

  private constructor(path: string) {
    this.path = path;
  }

  static async start(more: Readonly<Record<string, Unary["answer"]>> = {}): Promise<EchoServer> {
    const echoes: Record<string, Unary["answer"]> = { [ECHO]: (request) => request, [ECHO_LATER]: later };
    const socket = await listen((connected) => {
      connected.on("error", () => undefined);
      const connection = new GrpcServer(connected, {
        procedures: new Map<string, Procedure>([
          ...Object.entries({ ...echoes, ...more }).map(([path, answer]): [string, Procedure] => [
            path,
            { kind: "unary", answer },
          ]),
          [SILENT, { kind: "idle" }],
        ]),
        onCall: () => undefined,
        log: (...line) => server.logged.push(line),
      });
      server.connections.push(connection);
    });
    const server = new EchoServer(socket.path);
    server.#endings.push(() => socket.close());
    return server;
  }

  /** A client that is not ours. */
  client(): Client {
    const client = new Client(`unix:${this.path}`, credentials.createInsecure(), {
      "grpc.use_local_subchannel_pool": 1,
      "grpc.max_receive_message_length": -1,
      "grpc.max_send_message_length": -1,
    });
    this.#endings.push(() => client.close());
    return client;
  }

  /** Its end does something else, too. */
  endsWith(end: () => void): void {
    this.#endings.push(end);
  }

  end(): void {
    for (const end of this.#endings.splice(0).reverse()) end();
  }
}

export const asIs = (bytes: Buffer): Buffer => bytes;

/** Calls a procedure. @throws ServiceError where there is no answer */
export const call = (client: Client, procedure: string, request: Buffer, options = {}): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    client.makeUnaryRequest(procedure, asIs, asIs, request, new Metadata(), options, (problem, answer) =>
      problem ? reject(problem) : resolve(answer!),
    ),
  );
