import { DiagnosticError, error, formatPath } from "../diagnostics";
import type { Connection } from "./protocol/connection";

/**
 * Stands in for the connection while the provider's own configuration is known in part only: whatever would be asked of
 * the service is refused, and what asks nothing goes on.
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
    pauseBeforeLook: async () => false,
    close: async () => undefined,
  };
}

const notConnected = (unknown: readonly string[]) =>
  error({
    code: "provider_not_configured",
    summary: "The provider's configuration isn't known yet",
    detail:
      `Something has to be asked of the service, and of the provider's own configuration ${named(unknown)} known after ` +
      "apply only. Give values that are known at plan, or apply what they come from first, with --target.",
  });

const named = (unknown: readonly string[]): string =>
  `${unknown.map((name) => formatPath([name])).join(", ")} ${unknown.length === 1 ? "is" : "are"}`;
