import type { Provider, RunOptions } from "../framework";
import { listen } from "../transport";
import { Session } from "./session";
import type { Connection } from "./transport/connection";
import { PROTOCOL_VERSION } from "./transport/handshake";
import { loadServeConnection } from "./transport/load-connection";
import type { Log } from "./transport/log";
import { Secrets } from "./transport/secrets";

export interface ServeReattachOptions {
  /** Receives the requests to the service; and how many may be in flight. */
  readonly run?: Omit<RunOptions, "signal" | "stop">;
  readonly log?: Log;
  /** Cancels all operations in progress, changes as well. */
  readonly cancel?: AbortSignal;
}

/** A provider that Terraform uses instead of starting a process. */
export interface ReattachServer {
  /** The environment for Terraform and OpenTofu. */
  readonly env: { readonly TF_REATTACH_PROVIDERS: string };
  /** Stops accepting connections, and waits for the operations in progress. */
  close(): Promise<void>;
}

/**
 * Serves the provider from this process to any number of Terraform commands. Each connection has its own
 * configured client. Nothing is encrypted: the socket is in a folder that only this user can enter.
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
  // A second signal ends the process immediately.
  process.once("exit", socket.remove);
  const reattach = {
    Protocol: "grpc",
    ProtocolVersion: PROTOCOL_VERSION,
    Pid: process.pid,
    // Without it Terraform would end the process with its first command.
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
