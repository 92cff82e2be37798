import { isDeepStrictEqual } from "node:util";
import type { InstanceState, ResourceState, State } from "./model";
import { compareInstances, compareResources, sorted } from "./state-order";

/** Whether two states differ in nothing but the serial and the order of their objects. */
export function hasSameContent(one: State, other: State): boolean {
  const { serial: _one, resources, checkResults = null, ...rest } = one;
  const { serial: _other, resources: others, checkResults: otherResults = null, ...otherRest } = other;
  return (
    isDeepStrictEqual([rest, checkResults], [otherRest, otherResults]) &&
    everyPair(sorted(resources, compareResources), sorted(others, compareResources), isSameResource)
  );
}

function isSameResource(one: ResourceState, other: ResourceState): boolean {
  const { instances, ...rest } = one;
  const { instances: others, ...otherRest } = other;
  return (
    isDeepStrictEqual(rest, otherRest) &&
    everyPair(sorted(instances, compareInstances), sorted(others, compareInstances), isSameInstance)
  );
}

const isSameInstance = (one: InstanceState, other: InstanceState): boolean =>
  one === other || isDeepStrictEqual(one, other);

const everyPair = <T>(one: readonly T[], other: readonly T[], same: (one: T, other: T) => boolean): boolean =>
  one.length === other.length && one.every((each, at) => same(each, other[at]!));
