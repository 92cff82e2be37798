import path from "node:path";
import { deepJson } from "../../support/deep-json";
import { COPY } from "../support/app";
import { type Place, TOKENS } from "../support/place";

const PROVIDER = { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } };
/** Matches the names of blocks in a configuration. `declare` treats a name that does not match as a resource type. */
const BLOCKS =
  /^(?:terraform|provider|variable|locals|data|output|check|moved|removed|import|resource|\/\/)$/;

export const deepConfiguration = (levels: number) => ({
  output: { deep: { value: JSON.parse(deepJson(levels)) }, kept: { value: "${terraform_data.deep.output}" } },
  resource: { terraform_data: { deep: { input: JSON.parse(deepJson(levels, "object")) } } },
});

export function configured(declared: Readonly<Record<string, object>>): object {
  const [blocks, resource] = [true, false].map((isBlock) =>
    Object.fromEntries(Object.entries(declared).filter(([name]) => BLOCKS.test(name) === isBlock)),
  );
  return { terraform: PROVIDER, provider: { steward: [{}] }, resource, ...blocks };
}

interface Declared {
  readonly after?: readonly string[];
  readonly backend?: object;
}

/**
 * Declares an app whose command copies these stacks. `after: [name]` orders the stacks, and `backend` replaces the
 * local backend.
 */
export function declareStacks(place: Place, stacks: Readonly<Record<string, Declared>>): void {
  const entries = Object.entries(stacks).map(([name, { after = [], backend, ...declared }]) => {
    const local = { path: path.join(place.folder, `terraform.${name}.tfstate`) };
    const configuration = {
      provider: { steward: [{ base_url: place.service.url, token: TOKENS.maintainer }] },
      ...declared,
    };
    const terraform = { ...PROVIDER, backend: backend ?? { local } };
    const workingDirectory = `stacks/${name}`;
    place.write(`synthesized/${workingDirectory}/cdk.tf.json`, { ...configured(configuration), terraform });
    return [name, { name, constructPath: name, workingDirectory, dependencies: after, annotations: [] }];
  });
  place.write("synthesized/manifest.json", { version: "0", stacks: Object.fromEntries(entries) });
  place.write("cdktf.json", { language: "typescript", app: COPY });
}

/**
 * Returns a plan in Terraform's JSON format. `changes` has the changes by the name of the object, and `more` has other
 * fields.
 */
export function planJson({ changes = {}, ...more }: { changes?: Record<string, Change> }): object {
  const named = (name: string) => ({
    address: `acme_thing.${name}`,
    mode: "managed",
    type: "acme_thing",
    name,
    provider_name: "registry.example/acme/acme",
  });
  const planned = Object.entries(changes).flatMap(([name, { after }]) =>
    after === undefined ? [] : [{ ...named(name), values: after }],
  );
  return {
    format_version: "1.4",
    terraform_version: "1.11.4",
    planned_values: { root_module: { resources: planned } },
    resource_changes: Object.entries(changes).map(([name, change]) => ({
      ...named(name),
      change: {
        before: null,
        after: null,
        after_unknown: {},
        before_sensitive: "before" in change && {},
        after_sensitive: "after" in change && {},
        ...change,
      },
    })),
    configuration: { root_module: {} },
    timestamp: "2026-11-22T00:00:00Z",
    applyable: Object.keys(changes).length > 0,
    complete: true,
    errored: false,
    ...more,
  };
}

interface Change {
  readonly actions: readonly string[];
  readonly before?: unknown;
  readonly after?: unknown;
}
