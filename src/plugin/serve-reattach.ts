import type { Provider, RunOptions } from "../framework";
import { listen } from "../transport";
import { Session } from "./session";
import type { Connection } from "./transport/connection";
import { PROTOCOL_VERSION } from "./transport/handshake";
import { loadServeConnection } from "./transport/load-connection";
import type { Log } from "./transport/log";
import { Secrets } from "./transport/secrets";

export interface ServeReattachOptions {
  /** How requests are told of, and how many there may be at once. */
  readonly run?: Omit<RunOptions, "signal" | "stop">;
  readonly log?: Log;
  /** Once aborted, whatever is under way is given up, changes as well. */
  readonly giveUp?: AbortSignal;
}

/** A provider that Terraform uses instead of starting a process. */
export interface Reattached {
  /** What Terraform and OpenTofu need in their environment. */
  readonly env: { readonly TF_REATTACH_PROVIDERS: string };
  /** Takes no more connections, and waits until everything that is under way is answered. */
  close(): Promise<void>;
}

/**
 * Serves the provider from this process, to any number of Terraform commands. Each of their connections has a configured
 * client of its own. Nothing is encrypted: the socket stands in a folder that this user alone can enter.
 */
export async function serveReattach(
  provider: Provider,
  { run = {}, log = () => undefined, giveUp }: ServeReattachOptions = {},
): Promise<Reattached> {
  const secrets = new Secrets();
  const serveConnection = loadServeConnection();
  const connections = new Map<Connection, Promise<void>>();
  const socket = await listen((connected) => {
    const session = new Session(provider, { run, secrets, giveUp });
    const connection = serveConnection(connected, { session, log });
    const closed = connection.ended
      .then(() => session.close())
      .then(() => void connections.delete(connection));
    connections.set(connection, closed);
  });
  // A second signal ends the process in the midst of whatever it does.
  process.once("exit", socket.remove);
  const reattach = {
    Protocol: "grpc",
    ProtocolVersion: PROTOCOL_VERSION,
    Pid: process.pid,
    // Without this Terraform would end the process with its first command.
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
