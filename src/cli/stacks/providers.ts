import type { Provider } from "../../engine";
import { createProvider, sharedPace } from "../../provider";
import type { Terminal } from "../terminal/terminal";
import { packageVersion } from "../version";

/**
 * The provider of this release, configured by the terminal's environment. All its configurations together
 * send at most this many requests per minute.
 */
export function ownProvider({ env }: Pick<Terminal, "env">, maxRequestsPerMinute?: number): Provider {
  const provider = createProvider();
  const pace = sharedPace(maxRequestsPerMinute, env);
  return {
    ...provider,
    version: packageVersion(),
    configure: (config, run) => provider.configure(config, { env, pace, ...run }),
  };
}

/** The providers of the embedded engine, by source address. */
export function ownProviders(
  terminal: Pick<Terminal, "env">,
  maxRequestsPerMinute?: number,
): Record<string, Provider> {
  const provider = ownProvider(terminal, maxRequestsPerMinute);
  return { [provider.schema.source]: provider };
}
