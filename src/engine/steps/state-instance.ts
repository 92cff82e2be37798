import type { AttributePath } from "../../diagnostics";
import type { StoredState } from "../../framework";
import type { ResourceSchema } from "../../schema";
import type { InstanceState, JsonObject, ResourceState } from "../../state";
import type { InstanceKey } from "../run/instances";
import { providerAddress, type StateObject } from "../run/objects";
import { toState as sensitiveToState } from "../run/sensitive-paths";
import type { StackRun } from "../run/stack-run";
import type { Step } from "./steps";

/** What a state stores of an object beside the provider's values. */
interface InstanceMetadata {
  readonly key: InstanceKey;
  readonly sensitive: readonly AttributePath[];
  /** Addresses of the resources and data sources that it depends on. */
  readonly dependencies: readonly string[];
  readonly tainted?: boolean;
  readonly createBeforeDestroy?: boolean;
}

/** An object as the state stores it. */
export const stateInstance = (
  state: StoredState,
  schema: ResourceSchema,
  { key, sensitive, dependencies, tainted, createBeforeDestroy }: InstanceMetadata,
): InstanceState => ({
  ...(key !== undefined && { indexKey: key }),
  ...(tainted && { status: "tainted" }),
  schemaVersion: schema.version,
  ...storedValues(state, schema),
  sensitivePaths: sensitiveToState(sensitive, schema.attributes),
  dependencies: [...dependencies],
  ...(createBeforeDestroy && { createBeforeDestroy: true }),
});

/** The provider's part of an object in the state. */
export const storedValues = (
  { attributes, private: bytes, identity: values }: StoredState,
  { identity: schema }: ResourceSchema,
): Pick<InstanceState, "attributes" | "private" | "identity"> => ({
  attributes: attributes as InstanceState["attributes"],
  ...(bytes !== undefined && { private: bytes }),
  ...(values && schema && { identity: { version: schema.version, values: values as JsonObject } }),
});

/** The resource of a step, as the state identifies it. */
export const resourceIdentity = ({
  change: { mode, type, name, provider: source },
  provider,
}: Step): Pick<ResourceState, "mode" | "type" | "name" | "provider"> => ({
  mode,
  type,
  name,
  provider: providerAddress(source, provider),
});

export const schemaOf = (run: StackRun, { change, provider }: Step): ResourceSchema =>
  schemaFor(run, provider, change);

/** The schema of an object in a state. */
export const schemaOfObject = (run: StackRun, { resource, provider }: StateObject): ResourceSchema =>
  schemaFor(run, provider, resource);

/** @param provider the key of the provider configuration */
export function schemaFor(
  run: StackRun,
  provider: string,
  { mode, type }: Pick<ResourceState, "mode" | "type">,
): ResourceSchema {
  const { resources, dataSources } = run.providerFor(provider)!.schema;
  return (mode === "managed" ? resources : dataSources)[type]!;
}
