import type { Configuration, ResourceDeclaration } from "../../language";
import type { FleetRecord, ResourceState } from "../../state";

type IndexKey = ResourceState["instances"][number]["indexKey"];

/** Returns true for a key of fleets of older releases: the id or position of a member, with the key of a part. */
export const isMemberKey = (key: IndexKey): boolean => typeof key === "string" && /^\d+(?::|$)/.test(key);

/**
 * Returns the record of a declared resource's fleet for the state. Null records that a `for_each` resource belongs to no fleet. It is
 * recorded if the configuration has fleets, or if a fleet could give such keys. Undefined records nothing.
 */
export function fleetRecord(
  { fleets }: Pick<Configuration, "fleets">,
  { mode, fleet: members, fleetPart, type, forEach }: ResourceDeclaration,
  keys: readonly IndexKey[] = [],
): FleetRecord | null | undefined {
  const fleet = members === undefined ? undefined : fleets.get(members);
  if (fleet !== undefined) return { path: fleet.path, part: fleetPart ?? type, onLeave: fleet.onLeave };
  if (mode !== "managed" || forEach === undefined) return undefined;
  return fleets.size > 0 || keys.some(isMemberKey) ? null : undefined;
}
