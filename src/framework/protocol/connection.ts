import { type Diagnostic, fail, formatPath } from "../../diagnostics";
import type { PlannedRequest } from "./access";
import type { Failures } from "./failures";

/** The connection of one run to its service. */
export interface Connection<Client = unknown> {
  /** The client that lifecycle functions use. The client sends no request until an operation needs one. */
  readonly client: Client;
  /** A text without credentials that identifies the service. All connections to one service have an equal text. */
  readonly address: string;
  /** The maximum number of attempts of one change. */
  readonly maxAttempts: number;
  /** Warnings about the configuration that do not stop the run. */
  readonly warnings?: readonly Diagnostic[] | undefined;
  /**
   * Waits after a change with a lost response, before Steward reads the outcome from the service. `sent` is the number of
   * attempts so far. Returns true after the wait, or false at once if there is not enough time.
   */
  pauseBeforeVerify(problem: unknown, sent: number): Promise<boolean>;
  /**
   * Waits for a number of milliseconds before a repeated read. Returns true after the wait, or false if the run ends during the
   * wait. Without this function, a read that contradicts an accepted write is repeated once, without a pause.
   */
  pause?(milliseconds: number): Promise<boolean>;
  /**
   * Returns a client that sends reads over this connection, and only records changes. An operation fails if it needs
   * the response to a change. Without this function, Steward can't rehearse changes.
   */
  rehearsing?(record: (change: PlannedRequest) => void): Client;
  /** Closes the network connections after the requests in flight have ended. */
  close(): Promise<void>;
}

/** A client, and the functions that classify the errors of this client. */
export interface Reach {
  readonly api: unknown;
  readonly failures: Failures;
}

/** The name of the host, which is the command that users run. */
export type HostName = "steward" | "terraform";

/**
 * Returns a connection for a configuration with unknown values. The client of this connection refuses all requests, so only
 * operations without requests work.
 */
export function deferredClient(unknown: readonly string[]): Connection {
  const client: object = new Proxy(() => undefined, {
    get: (_, name) => (name === "then" ? undefined : client),
    apply: () =>
      fail({
        code: "provider_not_configured",
        summary: "Provider configuration not known yet",
        detail: `This operation sends requests to the service, but ${named(unknown)} of the provider configuration ${unknown.length === 1 ? "is" : "are"} known only after apply. Use a value that is known at plan. Otherwise first apply the objects that the value depends on, with --target.`,
      }),
  });
  return {
    client,
    address: "",
    maxAttempts: 1,
    pauseBeforeVerify: async () => false,
    close: async () => undefined,
  };
}

const named = (unknown: readonly string[]): string =>
  unknown.map((name) => `\`${formatPath([name])}\``).join(", ");
