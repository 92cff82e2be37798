import type { AttributePath } from "../../diagnostics";
import type { StoredState } from "../../framework";
import type { Schema } from "../../schema";
import type { InstanceState, ResourceState } from "../../state";
import type { InstanceKey } from "../run/instances";
import { providerAddress } from "../run/objects";
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
  { version, attributes }: Schema,
  { key, sensitive, dependencies, tainted, createBeforeDestroy }: InstanceMetadata,
): InstanceState => ({
  ...(key !== undefined && { indexKey: key }),
  ...(tainted && { status: "tainted" }),
  schemaVersion: version,
  ...storedValues(state),
  sensitivePaths: sensitiveToState(sensitive, attributes),
  dependencies: [...dependencies],
  ...(createBeforeDestroy && { createBeforeDestroy: true }),
});

/** The provider's part of an object in the state. */
export const storedValues = ({
  attributes,
  private: bytes,
}: StoredState): Pick<InstanceState, "attributes" | "private"> => ({
  attributes: attributes as InstanceState["attributes"],
  ...(bytes !== undefined && { private: bytes }),
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

export function schemaOf(run: StackRun, { change: { mode, type }, provider }: Step): Schema {
  const { resources, dataSources } = run.providerFor(provider)!.schema;
  return (mode === "managed" ? resources : dataSources)[type]!;
}
