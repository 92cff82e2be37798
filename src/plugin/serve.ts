import type { Socket } from "node:net";
import type { Provider, RunOptions } from "../framework";
import { listen } from "../transport";
import { Session } from "./session";
import type { Connection } from "./transport/connection";
import {
  type Certificates,
  createIdentity,
  handshakeLine,
  PROTOCOL_VERSION,
  refusal,
} from "./transport/handshake";
import { type Log, logRequests, pluginLog, Secrets } from "./transport/log";

/** Loads the code of the connection on demand. A plugin loads this code after the handshake, while the client connects. */
function loadServeConnection() {
  const { serveConnection }: typeof import("./transport/connection") = require("./transport/connection");
  return serveConnection;
}

/**
 * The time after which a plugin without a client exits, in milliseconds. Terraform waits at most a minute for the start of a
 * plugin.
 */
const CONNECT_TIMEOUT = 70_000;
/** The exit codes of programs that a signal ended, as in a shell. */
const EXIT_CODES = { SIGHUP: 129, SIGTERM: 143 } as const;
/** The time for the client to disconnect after the client requested a shutdown, in milliseconds. */
const DISCONNECT_TIMEOUT = 1_000;

/**
 * Serves the provider in a process that Terraform or OpenTofu started. Ends the process on shutdown, or when the
 * client disconnects. The provider is created after the handshake, while the client connects. A user who starts the
 * program by hand gets a description of the program, and the exit code 1.
 *
 * @param redact redacts the secrets of the environment in log lines
 */
export async function servePlugin(
  createProvider: () => Provider,
  redact?: (text: string) => string,
): Promise<void> {
  const refused = refusal(process.env);
  if (refused !== undefined) {
    process.stderr.write(refused);
    process.exitCode = 1;
    return;
  }
  const secrets = new Secrets(redact);
  const log = pluginLog(process.env, (line) => process.stderr.write(line), secrets);
  const client = process.env["PLUGIN_CLIENT_CERT"];
  const certificates = client ? { own: createIdentity(), client } : undefined;
  const plugin = new PluginProcess(createProvider, certificates, secrets, log);
  await plugin.run();
}

class PluginProcess {
  readonly #connections = new Map<Session, Connection>();
  #provider: Provider | undefined;
  #remove = (): void => undefined;

  constructor(
    private readonly createProvider: () => Provider,
    private readonly certificates: Certificates | undefined,
    private readonly secrets: Secrets,
    private readonly log: Log,
  ) {}
  async run(): Promise<void> {
    this.#takeSignals();
    const socket = await listen(
      (connected) => this.#accept(connected),
      process.env["PLUGIN_UNIX_SOCKET_DIR"],
    );
    this.#remove = socket.remove;
    setTimeout(() => this.#exitUnlessServing(), CONNECT_TIMEOUT).unref();
    process.stdout.write(handshakeLine(socket.path, this.certificates?.own.certificate));
    // The client connects while this module loads.
    loadServeConnection();
    this.#provider = this.createProvider();
  }

  #accept(socket: Socket): void {
    const onRequest = logRequests(this.log);
    const session = new Session(this.#provider!, {
      run: { ...(onRequest && { onRequest }) },
      secrets: this.secrets,
    });
    const connection = loadServeConnection()(socket, {
      session,
      certificates: this.certificates,
      log: this.log,
      // Only the client that started this process has the right certificate. There is no other client, and the process ends with
      // this client.
      onFirstRequest: () => {
        this.#remove();
        this.#connections.set(session, connection);
      },
      onShutdown: () => void setTimeout(() => void connection.end(), DISCONNECT_TIMEOUT),
    });
    void connection.ended.then(() => {
      if (this.#connections.delete(session)) this.#exitUnlessServing();
    });
  }

  /**
   * Handles the signals of the process. A SIGTERM or a closed terminal stops the operations in progress, and a second
   * signal ends the process at once. Ctrl-C stops nothing here, because Terraform receives Ctrl-C too and decides which
   * operations to stop.
   */
  #takeSignals(): void {
    process.on("SIGINT", () =>
      this.log("debug", "interrupted; waiting for Terraform to decide what to stop"),
    );
    let isAsked = false;
    const end = (signal: "SIGTERM" | "SIGHUP"): void => {
      if (isAsked) this.#exit(EXIT_CODES[signal]);
      isAsked = true;
      for (const [session, connection] of this.#connections) {
        session.stop();
        void connection.end();
      }
      this.#exitUnlessServing();
    };
    process.on("SIGTERM", end);
    process.on("SIGHUP", end);
    // If Terraform is gone, writing to these streams fails. Without a listener, the error would end the process during a
    // change.
    for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
    process.on("uncaughtException", (problem) => {
      this.log("error", "the provider failed", { error: problem.message, stack: problem.stack });
      this.#exit(1);
    });
  }

  #exitUnlessServing(): void {
    if (this.#connections.size === 0) this.#exit(0);
  }

  #exit(code: number): void {
    this.#remove();
    process.exit(code);
  }
}

export interface ServeReattachOptions {
  /** The options of requests to the service, such as the receiver of their events and the limit of concurrent requests. */
  readonly run?: Omit<RunOptions, "signal" | "stop">;
  readonly log?: Log;
  /** A signal that cancels all operations in progress, including changes. */
  readonly cancel?: AbortSignal;
}

/** A running provider, which Terraform uses instead of starting a process. */
export interface ReattachServer {
  /** The environment for Terraform and OpenTofu. */
  readonly env: { readonly TF_REATTACH_PROVIDERS: string };
  /** Stops accepting connections, and waits for the operations in progress. */
  close(): Promise<void>;
}

/**
 * Serves the provider from this process to any number of Terraform commands. Each connection has a separate configured client.
 * The connection is not encrypted, because the socket is in a folder that only this user can enter.
 */
export async function serveReattach(
  provider: Provider,
  { run = {}, log = () => undefined, cancel }: ServeReattachOptions = {},
): Promise<ReattachServer> {
  const secrets = new Secrets();
  const serveConnection = loadServeConnection();
  const connections = new Map<Connection, Promise<void>>();
  const socket = await listen((connected) => {
    const session = new Session(provider, { run, secrets, cancel });
    const connection = serveConnection(connected, { session, log });
    const closed = connection.ended
      .then(() => session.close())
      .then(() => void connections.delete(connection));
    connections.set(connection, closed);
  });
  // A second signal ends the process immediately, so the exit of the process removes the socket.
  process.once("exit", socket.remove);
  const reattach = {
    Protocol: "grpc",
    ProtocolVersion: PROTOCOL_VERSION,
    Pid: process.pid,
    // Without this value, Terraform would end the process with its first command.
    Test: true,
    Addr: { Network: "unix", String: socket.path },
  };
  return {
    env: { TF_REATTACH_PROVIDERS: JSON.stringify({ [provider.schema.source]: reattach }) },
    async close() {
      process.off("exit", socket.remove);
      socket.close();
      const closed = [...connections.values()];
      await Promise.all([...connections.keys()].map((connection) => connection.end()));
      await Promise.all(closed);
    },
  };
}
