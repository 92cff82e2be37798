import type { Socket } from "node:net";
import { GrpcServer, type Procedure, type Procedures } from "../../transport";
import type { Method, Sent } from "../messages/codec";
import {
  GRPC_BROKER_SERVICE,
  GRPC_CONTROLLER_SERVICE,
  GRPC_STDIO_SERVICE,
} from "../messages/generated/go-plugin";
import { HEALTH_SERVICE } from "../messages/generated/health";
import { PROVIDER_SERVICE } from "../messages/generated/tfplugin6";
import { OPERATIONS, STREAMS } from "../operations";
import {
  type OperationName,
  type ProcedureName,
  type RequestOf,
  type ResponseOf,
  respond,
  respondAll,
  type Streaming,
  type StreamName,
} from "../operations/operation";
import type { Session } from "../session";
import { type Certificates, secure } from "./handshake";
import { isLogged, type Log } from "./log";

export interface ConnectionOptions {
  readonly session: Session;
  /**
   * The certificates of both ends. Without certificates, the connection is not encrypted, and the server admits every
   * process that can open the socket.
   */
  readonly certificates?: Certificates | undefined;
  readonly log: Log;
  /** The function to call when the client requests a shutdown. */
  readonly onShutdown?: () => void;
  /** The function to call once the client has proved its identity. */
  readonly onFirstRequest?: () => void;
}

export interface Connection {
  /** A promise that resolves when the client has disconnected, and all operations are complete. */
  readonly ended: Promise<void>;
  /** Disconnects after the operations in progress are complete. */
  end(): Promise<void>;
}

/**
 * Serves the plugin protocol on one connection. Each connection has a separate server and session, because otherwise a call could
 * not be attributed to its connection.
 */
export function serveConnection(socket: Socket, options: ConnectionOptions): Connection {
  const { certificates, log } = options;
  // An "error" event without a listener would end the process. The "close" event reports the end of the connection.
  const watch = (one: Socket): Socket =>
    one.on("error", ({ message }) => log("debug", "connection failed", { error: message }));
  let server: GrpcServer | undefined;
  const serve = (identified: Socket): void => {
    server = new GrpcServer(identified, {
      procedures: procedures(options),
      onCall: once(options.onFirstRequest),
      log,
    });
  };
  const closed = new Promise<void>((resolve) => void socket.once("close", () => resolve()));
  watch(socket);
  if (certificates === undefined) serve(socket);
  else secure(socket, certificates, log, (secured) => serve(watch(secured)));
  return {
    ended: closed.then(() => {
      // Without a client, reads are pointless, but changes are completed.
      options.session.stop();
      return server?.settled();
    }),
    async end() {
      await server?.settled();
      if (server === undefined) socket.destroy();
      else server.end();
    },
  };
}

function once(act: () => void = () => undefined): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

/**
 * Returns the procedures of the provider, and of the other services that every plugin offers. The two streams stay
 * open, because Terraform takes the end of a stream as the end of the plugin.
 */
const procedures = (options: ConnectionOptions): Procedures =>
  new Map<string, Procedure>([
    ...(Object.keys(OPERATIONS) as OperationName[]).map((name): [string, Procedure] => [
      PROVIDER_SERVICE[name].path,
      unary(name, options),
    ]),
    ...(Object.keys(STREAMS) as (keyof typeof STREAMS)[]).map((name): [string, Procedure] => [
      PROVIDER_SERVICE[name].path,
      serverStreaming(name, STREAMS[name], options),
    ]),
    [GRPC_CONTROLLER_SERVICE.Shutdown.path, { kind: "unary", answer: () => shutDown(options) }],
    [
      HEALTH_SERVICE.Check.path,
      { kind: "unary", answer: () => HEALTH_SERVICE.Check.responseSerialize({ status: "SERVING" }) },
    ],
    [GRPC_BROKER_SERVICE.StartStream.path, { kind: "idle" }],
    [GRPC_STDIO_SERVICE.StreamStdio.path, { kind: "idle" }],
  ]);

const codecOf = <N extends ProcedureName>(name: N) =>
  PROVIDER_SERVICE[name] as unknown as Method<RequestOf<N>, ResponseOf<N>>;

function unary<N extends OperationName>(name: N, { session, log }: ConnectionOptions): Procedure {
  const operation = OPERATIONS[name];
  const { requestDeserialize, responseSerialize } = codecOf(name);
  const isTraced = isLogged(log, "trace");
  const reply = (bytes: Buffer): Buffer | Promise<Buffer> => {
    const began = isTraced ? performance.now() : 0;
    const request = requestDeserialize(bytes);
    const write = (answer: Sent<ResponseOf<N>>): Buffer => {
      if (isTraced) logAnswer(log, name, request, began);
      return responseSerialize(answer);
    };
    const answer = respond(operation, session, request);
    return answer instanceof Promise ? answer.then(write) : write(answer);
  };
  return { kind: "unary", answer: reply };
}

function serverStreaming<N extends StreamName>(
  name: N,
  procedure: Streaming<N>,
  { session, log }: ConnectionOptions,
): Procedure {
  const codec = codecOf(name);
  return {
    kind: "server-streaming",
    async *answer(bytes, { signal }) {
      const began = performance.now();
      const request = codec.requestDeserialize(bytes);
      for await (const event of respondAll(procedure, session, request, signal))
        yield codec.responseSerialize(event);
      logAnswer(log, name, request, began);
    },
  };
}

function logAnswer(log: Log, name: ProcedureName, request: object, began: number): void {
  const typeName = "typeName" in request ? { tf_resource_type: request.typeName } : {};
  const milliseconds = Math.round(performance.now() - began);
  log("trace", `${name} answered`, { tf_rpc: name, ...typeName, milliseconds });
}

function shutDown({ onShutdown }: ConnectionOptions): Buffer {
  onShutdown?.();
  return GRPC_CONTROLLER_SERVICE.Shutdown.responseSerialize({});
}
