import type { Provider } from "../../engine";
import { createProvider } from "../../provider";
import type { Terminal } from "../terminal/terminal";
import { packageVersion } from "../version";

/** The provider of this release, configured by the terminal's environment. */
export function ownProvider({ env }: Pick<Terminal, "env">): Provider {
  const provider = createProvider();
  return {
    ...provider,
    version: packageVersion(),
    configure: (config, run) => provider.configure(config, { env, ...run }),
  };
}

/** The providers of the embedded engine, by source address. */
export function ownProviders(terminal: Pick<Terminal, "env">): Record<string, Provider> {
  const provider = ownProvider(terminal);
  return { [provider.schema.source]: provider };
}
