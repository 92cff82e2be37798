import { compareText } from "../../language";
import type { InstanceState, ResourceState } from "./model";

/** Negative if the left one comes first. */
type Order<T> = (left: T, right: T) => number;

/** Sorts a list, unless it is sorted already. */
export function sorted<T>(list: readonly T[], order: Order<T>): readonly T[] {
  const isSorted = list.every((one, at) => at === 0 || order(list[at - 1]!, one) <= 0);
  return isSorted ? list : [...list].sort(order);
}

/** Order of resources in a state file. */
export const compareResources: Order<ResourceState> = (left, right) =>
  compareText(left.module ?? "", right.module ?? "") ||
  compareText(left.mode, right.mode) ||
  compareText(left.type, right.type) ||
  compareText(left.name, right.name);

/** Order of a resource's instances in a state file. */
export const compareInstances: Order<InstanceState> = (left, right) =>
  compareKeys(left.indexKey, right.indexKey) || compareText(left.deposed ?? "", right.deposed ?? "");

const RANK: Readonly<Record<string, number>> = { undefined: 0, number: 1, string: 2 };

/** No key first, then indexes, then keys by their bytes. */
function compareKeys(left: string | number | undefined, right: string | number | undefined): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  if (typeof left === "string" && typeof right === "string") return compareText(left, right);
  return RANK[typeof left]! - RANK[typeof right]!;
}
