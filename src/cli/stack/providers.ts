import { createProvider } from "../../provider";
import type { Provider } from "../../provider/protocol";
import { packageVersion } from "../version";

/** The providers that the embedded engine brings, by their sources. */
export function ownProviders(): Record<string, Provider> {
  const provider = createProvider();
  return { [provider.schema.source]: { ...provider, version: packageVersion() } };
}
