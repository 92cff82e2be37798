import type { DifferentialCase } from "../case";
import { ownerOf } from "./batch";
import type { Planned } from "./engine";

/**
 * Returns the entries of an object that belong to one case of a batch. The keys of the object are addresses, names or paths.
 */
export const partOf = <T>(
  all: Readonly<Record<string, T>>,
  name: string,
  cases: readonly DifferentialCase[],
): Readonly<Record<string, T>> =>
  Object.fromEntries(
    Object.entries(all).filter(([place]) => ownerOf(place.replaceAll("/", "."), cases) === name),
  );

/** Returns the changes of a plan; an empty object if there is no plan. */
export function changesOf(planned: Planned | undefined): Readonly<Record<string, unknown>> {
  if (planned === undefined) return {};
  if (planned.plan === undefined) return { refusal: planned.refusal };
  const { changes, drift, outputs } = planned.plan;
  const acting = Object.entries({ ...changes, ...outputs }).filter(
    ([, change]) => change.actions.join() !== "no-op",
  );
  const drifted = Object.entries(drift).map(([address, change]) => [`${address} drifted`, change]);
  return Object.fromEntries([...acting, ...drifted]);
}
