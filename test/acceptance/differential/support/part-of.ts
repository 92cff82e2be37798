import type { DifferentialCase } from "../case";
import { ownerOf } from "./batch";
import type { Planned } from "./engine";

/** The parts of an object by address, name or path that belong to one case of a batch. */
export const partOf = <T>(
  all: Readonly<Record<string, T>>,
  name: string,
  cases: readonly DifferentialCase[],
): Readonly<Record<string, T>> =>
  Object.fromEntries(
    Object.entries(all).filter(([place]) => ownerOf(place.replaceAll("/", "."), cases) === name),
  );

/** The changes of a plan; undefined if it is empty. */
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
