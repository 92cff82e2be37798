import { type Plan, type ResourceChange, sameValue } from "../../engine";
import type { ChangedOutside } from "./value-context";

const NONE: ChangedOutside = new Map();

/** Of an object that was deleted outside, and that the plan creates again. */
const DELETED: ChangedOutside = new Map();

export const isDeletedOutside = (outside: ChangedOutside | undefined): boolean => outside === DELETED;

/** For each change of a plan, what was changed outside since the last apply. */
export function changedOutside({
  mode,
  drift,
}: Pick<Plan, "mode" | "drift">): (change: ResourceChange) => ChangedOutside {
  const found = new Map<string, ChangedOutside>();
  const deleted = new Set<string>();
  // A refresh-only plan consists of such changes, and a destroy removes all values.
  for (const { address, before, after, attributes } of mode === "normal" ? drift : []) {
    if (before !== null && after === null) deleted.add(address);
    if (before === null || after === null) continue;
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    const differing = names
      .map((name) => [name, { applied: before[name] ?? null, live: after[name] ?? null }] as const)
      .filter(([name, { applied, live }]) => !sameValue(applied, live, attributes[name]?.type));
    if (differing.length > 0) found.set(address, new Map(differing));
  }
  return ({ address, action, deposed }) => {
    if (deposed !== undefined) return NONE;
    return action === "create" && deleted.has(address) ? DELETED : (found.get(address) ?? NONE);
  };
}
