import type { Provider } from "../../../src/framework/protocol/protocol";
import type { ValueObject } from "../../../src/schema";
import { GO_PROVIDER, GO_STATES } from "../../provider/support/go-states";

const unasked = (): never => {
  throw new Error("Nothing has to be asked of the Go provider when its resources are taken over.");
};

/**
 * Returns a stand-in for the Go provider of users. The stand-in has only the resource types, because engines request
 * nothing else.
 */
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

/** The stand-ins for both registries: Terraform and OpenTofu each have their own registry. */
export const GO_PROVIDERS = [GO_PROVIDER, "registry.opentofu.org/gitlabhq/gitlab"].map(goProvider);

/** Returns a state file of Terraform that contains one object of the Go provider, `old`. */
export const goStateFile = (type: string, schema_version: number, attributes: ValueObject): string =>
  JSON.stringify({
    version: 4,
    terraform_version: "1.11.4",
    serial: 7,
    lineage: "0e0a6a3c-2f0a-7f5c-3b58-4b1f0c7a1f6e",
    outputs: {},
    resources: [
      {
        mode: "managed",
        type,
        name: "old",
        provider: `provider["${GO_PROVIDER}"]`,
        instances: [{ schema_version, attributes, sensitive_attributes: [] }],
      },
    ],
    check_results: null,
  });
