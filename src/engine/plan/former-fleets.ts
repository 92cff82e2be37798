import { type Diagnostic, error } from "../../diagnostics";
import { instanceAddress, memberOf, type ResourceDeclaration, resourceAddress } from "../../language";
import type { FleetRecord } from "../../state";
import { namesUpTo } from "../../text";
import { withoutKey } from "../run/address-keys";
import { fleetRecord, isMemberKey } from "../run/fleet-record";
import type { StateObject } from "../run/objects";
import { containerId } from "./fleet-leavers";
import type { PlanGraph } from "./plan-graph";

/** The fleet that undeclared objects belonged to; `unknown` has the path of a possible fleet that is still declared. */
export type FormerFleet =
  | { readonly kind: "none" }
  | { readonly kind: "fleet"; readonly record: FleetRecord }
  | { readonly kind: "unknown"; readonly path: string | undefined };

const NONE: FormerFleet = { kind: "none" };

/**
 * Finds the fleet of a resource that is no longer declared: as the state records it. States of older releases record none.
 * There a fleet with the same type and the same keys is the one, if objects move to it under their keys. What only looks like
 * a part of a fleet stays unknown, also if that fleet is no longer declared.
 *
 * @param isDeclared whether a declaration has an instance
 */
export function formerFleet(
  plan: PlanGraph,
  address: string,
  objects: readonly StateObject[],
  isDeclared: (resource: string, instance: string) => boolean,
): FormerFleet {
  const { configuration } = plan.run.context;
  const [first] = objects;
  // People move objects to addresses without a key.
  if (first === undefined || objects.some(({ instance }) => typeof instance.indexKey !== "string"))
    return NONE;
  const { fleet: record, type } = first.resource;
  if (record !== undefined) return record === null ? NONE : { kind: "fleet", record };
  // A `removed` block decides.
  if (plan.mode !== "normal" || configuration.removals.has(address)) return NONE;
  const like = [...configuration.resources.values()].filter(
    (one) =>
      one.fleet !== undefined &&
      one.type === type &&
      one.provider === first.provider &&
      objects.every((object) => mayBelongTo(plan, one.fleet!, object)),
  );
  const [heir, ...others] = like.filter((one) => takesOver(plan, address, objects, one, isDeclared));
  const known = heir && fleetRecord(configuration, heir);
  if (known != null && others.length === 0) return { kind: "fleet", record: known };
  const [candidate] = like;
  if (candidate === undefined)
    return isOfUndeclaredList(plan, objects) ? { kind: "unknown", path: undefined } : NONE;
  return { kind: "unknown", path: configuration.fleets.get(candidate.fleet!)!.path };
}

/** Returns true for a key in a fleet's form: the container's id if the service lists the members. */
function mayBelongTo(plan: PlanGraph, members: string, object: StateObject): boolean {
  const fleet = plan.run.context.configuration.fleets.get(members);
  if (fleet === undefined) return false;
  const { member } = memberOf(String(object.instance.indexKey));
  if (fleet.selection === undefined) return /^[\w./-]+$/.test(member);
  return /^\d+$/.test(member) && (containerId(plan, object) ?? member) === member;
}

/**
 * Returns true if a fleet that is no longer declared may have declared these objects. Older releases used the ids
 * of containers as keys, from a list that is removed with the fleet, and positions in an array of paths.
 */
function isOfUndeclaredList(plan: PlanGraph, objects: readonly StateObject[]): boolean {
  if (!objects.every(({ instance }) => isMemberKey(instance.indexKey))) return false;
  const { resources } = plan.run.context.configuration;
  const lists = objects.flatMap(({ instance: { dependencies = [] } }) =>
    dependencies.filter((one) => one.startsWith("data.")),
  );
  const members = objects.map(
    (object) => [object, memberOf(String(object.instance.indexKey)).member] as const,
  );
  if (members.every(([object, member]) => containerId(plan, object) === member))
    return lists.some((list) => !resources.has(list));
  const positions = new Set(members.map(([, member]) => Number(member)));
  return lists.length === 0 && Math.max(...positions) < positions.size;
}

/** Returns true if objects of an address move to a declaration under unchanged keys, and none moves elsewhere. */
function takesOver(
  { run, targets, objects: { current } }: PlanGraph,
  address: string,
  objects: readonly StateObject[],
  declaration: ResourceDeclaration,
  isDeclared: (resource: string, instance: string) => boolean,
): boolean {
  const moves = [...run.previousAddresses].filter(([, before]) => withoutKey(before) === address);
  const keyOf = (instance: string): string => instance.slice(withoutKey(instance).length);
  const isMoved = ([now, before]: readonly [string, string]) =>
    withoutKey(now) === declaration.address && keyOf(now) === keyOf(before);
  if (!moves.every(isMoved)) return false;
  if (moves.length > 0) return true;
  // A restricted run leaves out moves that a whole run would find.
  const held = new Set(current.get(declaration.address)?.map((object) => object.address));
  return objects.some((object) => {
    const { mode, type, name } = declaration;
    const next = instanceAddress({ mode, type, name }, object.instance);
    return !targets.isSelected(object.address) && isDeclared(declaration.address, next) && !held.has(next);
  });
}

/** The error about objects that may have belonged to a fleet. */
export function fleetUnknown(objects: readonly StateObject[], path: string | undefined): Diagnostic {
  const [first] = objects;
  const { resource, address } = first!;
  const names = namesUpTo(
    3,
    objects.map((object) => object.address),
  );
  return error({
    code: "fleet_not_recorded",
    summary: "Unknown fleet of an undeclared object",
    detail: `${names} ${objects.length === 1 ? "is" : "are"} no longer declared. An older release wrote this state without recording its fleets. Steward therefore does not know whether ${path === undefined ? "a fleet" : `the fleet ${path}`} declared ${objects.length === 1 ? "this object" : "these objects"}, and sends nothing for ${objects.length === 1 ? "it" : "them"}. To destroy the settings, declare \`removed { from = ${resourceAddress(resource)}, lifecycle { destroy = true } }\` and apply. To keep the settings, remove each address from the state with this command.`,
    address,
    action: { kind: "stateRm", address },
  });
}
