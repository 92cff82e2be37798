import type { AttributePath } from "../../diagnostics";
import type { StoredState } from "../../provider/protocol";
import type { Schema } from "../../provider/schema";
import { toState as sensitiveToState } from "../plan/sensitivity";
import type { InstanceKey } from "../run/instances";
import type { InstanceState } from "../state/model";

/** What a state keeps of an object beside what the provider says of it. */
interface Particulars {
  readonly key: InstanceKey;
  readonly sensitive: readonly AttributePath[];
  /** Addresses of the resources and data sources that it depends on. */
  readonly dependencies: readonly string[];
  readonly tainted?: boolean;
}

/** An object as it stands in a state. */
export const stateInstance = (
  state: StoredState,
  { version, attributes }: Schema,
  { key, sensitive, dependencies, tainted }: Particulars,
): InstanceState => ({
  ...(key !== undefined && { indexKey: key }),
  ...(tainted && { status: "tainted" }),
  schemaVersion: version,
  ...stored(state),
  sensitivePaths: sensitiveToState(sensitive, attributes),
  dependencies: [...dependencies],
});

/** The provider's part of an object in a state. */
export const stored = ({
  attributes,
  private: bytes,
}: StoredState): Pick<InstanceState, "attributes" | "private"> => ({
  attributes: attributes as InstanceState["attributes"],
  ...(bytes !== undefined && { private: bytes }),
});
