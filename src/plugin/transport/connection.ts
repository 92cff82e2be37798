import type { Socket } from "node:net";
import {
  Server,
  ServerCredentials,
  type ServiceDefinition,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import {
  GRPC_BROKER_SERVICE,
  GRPC_CONTROLLER_SERVICE,
  GRPC_STDIO_SERVICE,
} from "../messages/generated/go-plugin";
import { PROVIDER_SERVICE } from "../messages/generated/tfplugin6";
import { OPERATIONS } from "../operations";
import { answerTo, type OperationName, type RequestOf } from "../operations/operation";
import type { Session } from "../session";
import type { Identity } from "./certificate";
import type { Log } from "./log";

/** The sizes that gRPC lets through otherwise are too small for the state of a large set. */
const OPTIONS = {
  "grpc.max_receive_message_length": -1,
  "grpc.max_send_message_length": -1,
  "grpc.enable_channelz": 0,
};

export interface ConnectionOptions {
  readonly session: Session;
  /** Without them the connection is not encrypted, and whoever may open the socket gets in. */
  readonly certificates?: Certificates | undefined;
  readonly log: Log;
  /** Told when the other end asks the process to end. */
  readonly onShutdown?: () => void;
  /** Told once the other end has proved who it is. */
  readonly onFirstRequest?: () => void;
}

export interface Connection {
  /** When the other end has hung up, and everything that was under way is done. */
  readonly ended: Promise<void>;
  /** Hangs up once everything that is under way is answered. */
  end(): Promise<void>;
}

/** What both ends have to show each other, where they do: certificates in PEM. */
export interface Certificates {
  readonly own: Identity;
  readonly client: string;
}

/**
 * Serves the plugin protocol on one connection, with a server and a session of its own: which connection a call came
 * in by could not be told otherwise.
 */
export function serveConnection(socket: Socket, options: ConnectionOptions): Connection {
  const server = new Server(OPTIONS);
  const underWay = new Set<Promise<void>>();
  let isAdmitted = false;
  const admit = () => {
    if (!isAdmitted) options.onFirstRequest?.();
    isAdmitted = true;
  };
  server.addService(PROVIDER_SERVICE as ServiceDefinition, providerHandlers(options, underWay, admit));
  addPluginServices(server, options, admit);
  const closed = new Promise<void>((resolve) => {
    // The end is told by "close"; an "error" without a listener would end the process.
    socket.on("error", (problem) => options.log("debug", "connection failed", { error: problem.message }));
    socket.on("close", () => resolve());
  });
  server.createConnectionInjector(credentials(options.certificates)).injectConnection(socket);
  return {
    ended: closed.then(async () => {
      server.forceShutdown();
      await Promise.all(underWay);
    }),
    async end() {
      await Promise.all(underWay);
      socket.destroy();
    },
  };
}

/** With certificates, only whoever holds the client's key gets in. */
const credentials = (certificates: Certificates | undefined): ServerCredentials =>
  certificates === undefined
    ? ServerCredentials.createInsecure()
    : ServerCredentials.createSsl(
        Buffer.from(certificates.client),
        [
          {
            cert_chain: Buffer.from(certificates.own.certificatePem),
            private_key: Buffer.from(certificates.own.keyPem),
          },
        ],
        true,
      );

function providerHandlers(
  { session, log }: ConnectionOptions,
  underWay: Set<Promise<void>>,
  admit: () => void,
): UntypedServiceImplementation {
  const handle = <N extends OperationName>(name: N) => {
    const operation = OPERATIONS[name];
    return (
      { request }: { readonly request: RequestOf<N> },
      answer: (problem: null, value: unknown) => void,
    ): void => {
      admit();
      const began = performance.now();
      const typeName = "typeName" in request ? { tf_resource_type: request.typeName } : {};
      const done = answerTo(operation, session, request).then((value) => {
        answer(null, value);
        underWay.delete(done);
        const milliseconds = Math.round(performance.now() - began);
        log("trace", `${name} answered`, { tf_rpc: name, ...typeName, milliseconds });
      });
      underWay.add(done);
    };
  };
  return Object.fromEntries(
    (Object.keys(OPERATIONS) as OperationName[]).map((name) => [name, handle(name)]),
  ) as UntypedServiceImplementation;
}

/** What every plugin offers besides its own service. The two streams stay open, as their end would mean the plugin's. */
function addPluginServices(server: Server, { onShutdown }: ConnectionOptions, admit: () => void): void {
  server.addService(GRPC_BROKER_SERVICE as ServiceDefinition, { StartStream: admit });
  server.addService(GRPC_STDIO_SERVICE as ServiceDefinition, { StreamStdio: admit });
  server.addService(GRPC_CONTROLLER_SERVICE as ServiceDefinition, {
    Shutdown(_call: unknown, answer: (problem: null, value: object) => void) {
      admit();
      answer(null, {});
      onShutdown?.();
    },
  });
}
