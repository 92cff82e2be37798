import { DiagnosticError, error, formatPath } from "../diagnostics";
import type { Connection } from "./protocol/connection";

/**
 * Replaces the connection while the provider's own configuration is partly unknown: it refuses requests;
 * operations without requests work.
 */
export function deferredClient(unknown: readonly string[]): Connection {
  const client: object = new Proxy(() => undefined, {
    get: (_, name) => (name === "then" ? undefined : client),
    apply: () => {
      throw new DiagnosticError(notConnected(unknown));
    },
  });
  return {
    client,
    address: "",
    maxAttempts: 1,
    pauseBeforeVerify: async () => false,
    close: async () => undefined,
  };
}

const notConnected = (unknown: readonly string[]) =>
  error({
    code: "provider_not_configured",
    summary: "Provider configuration is not known yet",
    detail:
      `This operation needs the service, and the provider's own configuration ${named(unknown)} ` +
      "known only after apply. Set values that are known at plan, or apply their source first, " +
      "with --target.",
  });

const named = (unknown: readonly string[]): string =>
  `${unknown.map((name) => formatPath([name])).join(", ")} ${unknown.length === 1 ? "is" : "are"}`;
