import type { Configuration, ResourceDeclaration } from "../../language";
import type { FleetRecord } from "../../state";

/**
 * What the state records of the fleet of a declared resource: null for a list of another declaration, which could be mistaken
 * for one, where the configuration has fleets; undefined for all others.
 */
export function fleetRecord(
  { fleets }: Pick<Configuration, "fleets">,
  { mode, fleet: members, fleetPart, type, forEach }: ResourceDeclaration,
): FleetRecord | null | undefined {
  const fleet = members === undefined ? undefined : fleets.get(members);
  if (fleet !== undefined) return { path: fleet.path, part: fleetPart ?? type, onLeave: fleet.onLeave };
  return mode === "managed" && forEach !== undefined && fleets.size > 0 ? null : undefined;
}
