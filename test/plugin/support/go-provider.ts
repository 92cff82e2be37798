import type { Provider } from "../../../src/framework/protocol/protocol";
import { GO_PROVIDER, GO_STATES } from "../../provider/support/go-states";

const unasked = (): never => {
  throw new Error("Nothing has to be asked of the Go provider when its resources are taken over.");
};

/** Stands where users have the Go provider installed: engines want its types to be there, and ask nothing else. */
const goProvider = (source: string): Provider => ({
  schema: {
    source,
    provider: { version: 0, description: "", attributes: {} },
    resources: Object.fromEntries(
      Object.values(GO_STATES).map(({ from, schemaVersion }) => [
        from,
        { version: schemaVersion, description: "", attributes: {} },
      ]),
    ),
    dataSources: {},
  },
  validateProvider: () => [],
  validateResource: unasked,
  validateDataSource: unasked,
  upgradeResource: unasked,
  moveResource: unasked,
  configure: unasked,
});

/** Each engine has it from a registry of its own. */
export const GO_PROVIDERS = [GO_PROVIDER, "registry.opentofu.org/gitlabhq/gitlab"].map(goProvider);
