import type { Client } from "../api";
import { DiagnosticError, error, formatPath } from "../diagnostics";

/**
 * Stands in for the client while the provider's own configuration is known in part only: whatever would be asked of
 * the service is refused, and what asks nothing goes on.
 */
export function unconnectedClient(unknown: readonly string[]): Client {
  const refuse = () => {
    throw new DiagnosticError(notConnected(unknown));
  };
  const area = new Proxy({}, { get: () => refuse });
  const close = async () => undefined;
  return new Proxy({}, { get: (_, name) => (name === "close" ? close : area) }) as Client;
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
