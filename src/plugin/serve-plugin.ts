import type { Socket } from "node:net";
import type { Provider } from "../framework";
import { listen } from "../transport";
import { Session } from "./session";
import { createIdentity } from "./transport/certificate";
import type { Connection } from "./transport/connection";
import { handshakeLine, refusal } from "./transport/handshake";
import { loadServeConnection } from "./transport/load-connection";
import { type Log, pluginLog } from "./transport/log";
import { logRequests } from "./transport/request-log";
import { Secrets } from "./transport/secrets";
import type { Certificates } from "./transport/secure";

export interface ServePluginOptions {
  /** Takes out of what is logged the secrets that the environment holds. */
  readonly redact?: (text: string) => string;
}

/** Terraform gives up on a plugin that takes longer than a minute to start: after that nobody comes any more. */
const NOBODY_CAME = 70_000;
/** By which number a shell tells that a signal ended a program. */
const EXIT_CODES = { SIGHUP: 129, SIGTERM: 143 } as const;
/** How long the other end may take to hang up once it asked for the end. */
const HANG_UP = 1_000;

/**
 * Serves the provider in a process that Terraform or OpenTofu started, and ends the process when they are done with it
 * or are gone. The provider is made after the handshake, while the other end connects.
 *
 * Started by anybody else, it says what the program is, and the process ends with 1.
 */
export async function servePlugin(
  createProvider: () => Provider,
  { redact }: ServePluginOptions = {},
): Promise<void> {
  const refused = refusal(process.env);
  if (refused !== undefined) {
    process.stderr.write(refused);
    process.exitCode = 1;
    return;
  }
  const secrets = new Secrets(redact);
  const log = pluginLog({
    env: process.env,
    write: (line) => process.stderr.write(line),
    redact: (line) => secrets.redact(line),
  });
  const client = process.env["PLUGIN_CLIENT_CERT"];
  const certificates = client ? { own: createIdentity(), client } : undefined;
  const plugin = new PluginProcess(createProvider, certificates, secrets, log);
  await plugin.run();
}

class PluginProcess {
  readonly #createProvider: () => Provider;
  readonly #certificates: Certificates | undefined;
  readonly #secrets: Secrets;
  readonly #log: Log;
  readonly #connections = new Map<Session, Connection>();
  #provider: Provider | undefined;
  /** Removes the socket's file. */
  #remove = (): void => undefined;

  constructor(
    createProvider: () => Provider,
    certificates: Certificates | undefined,
    secrets: Secrets,
    log: Log,
  ) {
    this.#createProvider = createProvider;
    this.#certificates = certificates;
    this.#secrets = secrets;
    this.#log = log;
  }

  async run(): Promise<void> {
    this.#takeSignals();
    const socket = await listen(
      (connected) => this.#accept(connected),
      process.env["PLUGIN_UNIX_SOCKET_DIR"],
    );
    this.#remove = socket.remove;
    setTimeout(() => this.#exitUnlessServing(), NOBODY_CAME).unref();
    process.stdout.write(handshakeLine(socket.path, this.#certificates?.own.certificate));
    // The other end connects meanwhile.
    loadServeConnection();
    this.#provider = this.#createProvider();
  }

  #accept(socket: Socket): void {
    const session = new Session(this.#provider!, {
      run: { onRequest: logRequests(this.#log) },
      secrets: this.#secrets,
    });
    const connection = loadServeConnection()(socket, {
      session,
      certificates: this.#certificates,
      log: this.#log,
      // Who showed the right certificate is the one that started this process: nobody else comes, and its end is ours.
      onFirstRequest: () => {
        this.#remove();
        this.#connections.set(session, connection);
      },
      onShutdown: () => void setTimeout(() => void connection.end(), HANG_UP),
    });
    void connection.ended.then(() => {
      if (this.#connections.delete(session)) this.#exitUnlessServing();
    });
  }

  /**
   * Ctrl-C on a terminal goes to Terraform too, which says what shall end. A SIGTERM, or a terminal that is closed, ends what
   * is under way; the second time at once.
   */
  #takeSignals(): void {
    process.on("SIGINT", () =>
      this.#log("debug", "interrupted; waiting for Terraform to say what shall stop"),
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
    // Nobody reads any more once Terraform is gone, and that is no reason to leave a write half done.
    for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
    process.on("uncaughtException", (problem) => {
      this.#log("error", "the provider failed", { error: problem.message, stack: problem.stack });
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
