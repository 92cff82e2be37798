import {
  isUnknown,
  type Plan,
  type ResourceChange,
  sameValue,
  type Value,
  type ValueObject,
  withoutKey,
} from "../../engine";
import type { ChangedOutside } from "./difference";

// This file finds objects and attributes that were changed outside of this configuration since the last apply.

const NONE: ChangedOutside = new Map();

/** The value for an object that was deleted outside of this configuration, and that the plan creates again. */
const DELETED: ChangedOutside = new Map();

export const isDeletedOutside = (outside: ChangedOutside | undefined): boolean => outside === DELETED;

/**
 * Returns a function. For a planned object, the function returns the attributes whose live values were changed outside since
 * the last apply.
 */
export function changedOutside({
  mode,
  drift,
}: Pick<Plan, "mode" | "drift">): (change: ResourceChange) => ChangedOutside {
  const found = new Map<string, ChangedOutside>();
  const deleted = new Set<string>();
  // Only a normal plan marks the attributes that were changed outside: a refresh-only plan shows nothing else, and a destroy
  // removes all values.
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

/**
 * Returns true if a change only restores the applied values. The declaration already has the applied values, and only the live
 * object differs.
 *
 * @param drift the drift of the object, whose `before` has the applied values
 */
export function isOnlyRevert(
  { action, after, attributes, importing, previousAddress }: ResourceChange,
  { before }: Pick<ResourceChange, "before">,
): boolean {
  if (before === null || after === null || importing !== undefined || previousAddress !== undefined)
    return false;
  if (action !== "update" && action !== "create") return false;
  return Object.entries(after).every(
    ([name, value]) => isUnknown(value) || sameValue(value, before[name] ?? null, attributes[name]?.type),
  );
}

/**
 * Returns the drift that a plan shows. A refresh-only plan shows all drift. As in Terraform, plans of all other modes show only
 * drift that may be the cause of a planned change.
 */
export function relevantDrift({
  mode,
  drift,
  hasChanges,
  relevantAttributes,
}: Pick<Plan, "mode" | "drift" | "hasChanges" | "relevantAttributes">): readonly ResourceChange[] {
  if (mode === "refresh-only") return drift;
  if (mode === "destroy" || !hasChanges) return [];
  return drift.flatMap((change) => {
    const relevant = relevantAttributes.filter(
      ({ resource }) => resource === change.address || resource === withoutKey(change.address),
    );
    const isWhole = relevant.some(({ attribute }) => attribute.length === 0);
    const names = isWhole
      ? Object.keys({ ...change.before, ...change.after })
      : relevant.map(({ attribute }) => String(attribute[0]));
    const found = onlyRelevant(change, new Set(names));
    return found === undefined ? [] : [found];
  });
}

/** Returns a change with differences only in the relevant attributes. Returns undefined if no relevant attribute differs. */
function onlyRelevant(change: ResourceChange, names: ReadonlySet<string>): ResourceChange | undefined {
  const { before, after } = change;
  if (before === null || change.action === "no-op") return undefined;
  const value = (state: ValueObject | null, name: string): Value => state?.[name] ?? null;
  const differing = [...names].filter((name) => !sameValue(value(before, name), value(after, name)));
  if (differing.length === 0) return undefined;
  return {
    ...change,
    after: { ...before, ...Object.fromEntries(differing.map((name) => [name, value(after, name)])) },
  };
}
