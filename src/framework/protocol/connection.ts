import { type Diagnostic, fail, formatPath } from "../../diagnostics";
import type { PlannedRequest } from "./access";
import type { Failures } from "./failures";

/** The connection of one run to its service. */
export interface Connection<Client = unknown> {
  /** The client that lifecycle functions use. It sends nothing before the first operation needs it. */
  readonly client: Client;
  /** Identifies the service, without credentials: connections to one service have the same text. */
  readonly address: string;
  /** Maximum number of attempts of one change. */
  readonly maxAttempts: number;
  /** Problems of the configuration that do not stop the run. */
  readonly warnings?: readonly Diagnostic[] | undefined;
  /**
   * Waits after a change with a lost response, before Steward reads its outcome from the service. `sent` is the
   * number of attempts so far. Returns false at once if not enough time is left.
   */
  pauseBeforeVerify(problem: unknown, sent: number): Promise<boolean>;
  /**
   * Waits for a number of milliseconds before a repeated read. It returns false if the run ends during the wait.
   * Without this function, a read that contradicts an accepted write is repeated once, without a pause.
   */
  pause?(milliseconds: number): Promise<boolean>;
  /**
   * Returns a client of the same connection that records changes and does not send them. An operation fails if it
   * can't continue without the response. Optional: without it, changes can't be rehearsed.
   */
  rehearsing?(record: (change: PlannedRequest) => void): Client;
  /** Closes the connections after the requests in flight have ended. */
  close(): Promise<void>;
}

/** A client, and the functions that classify its errors. */
export interface Reach {
  readonly api: unknown;
  readonly failures: Failures;
}

/** The name of the host: the command that users run. */
export type HostName = "steward" | "terraform";

/**
 * Returns a connection for a configuration that is partly unknown. The connection refuses requests, but
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
