import { fail } from "../../diagnostics";
import { instanceAddress, type ResourceAddress, resourceAddress } from "../../language";
import { withoutInstances } from "./edit";
import type { InstanceState, State } from "./model";
import { type InstanceMove, Relocator } from "./relocator";
import { readAddress, selectInstances } from "./select";

/** Two states after a move between them. */
export interface MoveBetween {
  readonly source: State;
  readonly target: State;
}

/**
 * Moves objects from one state to another, with their deposed objects. Dependencies on what moves follow it; those that the
 * target does not contain are dropped.
 *
 * @param moves the new address of each instance, by the present one
 * @param providerOf the provider's address at the new location.
 * @throws DiagnosticError `state_move_refused`
 */
export function moveBetween(
  source: State,
  target: State,
  moves: ReadonlyMap<string, string>,
  providerOf: (to: ResourceAddress, provider: string) => string = (_to, provider) => provider,
): MoveBetween {
  const found = selectInstances(source).flatMap((one): InstanceMove[] => {
    const to = moves.get(instanceAddress(one.resource, one.instance));
    return to === undefined ? [] : [{ ...one, to: readAddress(to) as ResourceAddress }];
  });
  const names = new Map(found.map(({ resource, to }) => [resourceAddress(resource), resourceAddress(to)]));
  const known = new Set([...target.resources.map(resourceAddress), ...names.values()]);
  const arriving = found.map((one): InstanceMove => {
    const dependencies = one.instance.dependencies
      .map((address) => names.get(address) ?? address)
      .filter((address) => known.has(address));
    const instance: InstanceState = { ...one.instance, dependencies };
    return { ...one, replacement: { provider: providerOf(one.to, one.resource.provider), instance } };
  });
  requireRoom(target, arriving);
  const relocator = new Relocator(target);
  relocator.add(arriving);
  return { source: withoutInstances(source, found), target: relocator.result() };
}

/** Refuses a move to an address that the target has, or to one of a resource that another provider manages there. */
function requireRoom({ resources }: State, arriving: readonly InstanceMove[]): void {
  const there = new Map(
    resources.map(({ provider, ...resource }) => [
      resourceAddress(resource),
      { provider, keys: new Set(resource.instances.map(({ indexKey }) => indexKey)) },
    ]),
  );
  for (const { resource, instance, to, replacement } of arriving) {
    const other = there.get(resourceAddress(to));
    if (other === undefined) continue;
    const refuse = (why: string): never => moveRefused(instanceAddress(resource, instance), to, why);
    if (other.keys.has(to.indexKey)) refuse(`${instanceAddress(to, to)} exists already`);
    if (other.provider !== replacement!.provider)
      refuse(`${resourceAddress(to)} is managed by ${other.provider}`);
  }
}

const moveRefused = (from: string, to: ResourceAddress, why: string): never =>
  fail({
    code: "state_move_refused",
    summary: "Move refused",
    detail: `${from} can't be moved to ${instanceAddress(to, to)}: ${why}. Nothing was changed.`,
  });

/** Between which stacks something moves, by their names. */
export interface Stacks {
  readonly from: string;
  readonly to: string;
}
