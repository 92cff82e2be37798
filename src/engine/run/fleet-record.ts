import type { Configuration, ResourceDeclaration } from "../../language";
import type { FleetRecord } from "../../state";

/**
 * Returns the record of a declared resource's fleet for the state. Null records that a `for_each` resource belongs to no fleet, if the
 * configuration has fleets. Undefined records nothing.
 */
export function fleetRecord(
  { fleets }: Pick<Configuration, "fleets">,
  { mode, fleet: members, fleetPart, type, forEach }: ResourceDeclaration,
): FleetRecord | null | undefined {
  const fleet = members === undefined ? undefined : fleets.get(members);
  if (fleet !== undefined) return { path: fleet.path, part: fleetPart ?? type, onLeave: fleet.onLeave };
  return mode === "managed" && forEach !== undefined && fleets.size > 0 ? null : undefined;
}
