import { isUnknown, type Plan, type ResourceChange, sameValue } from "../../engine";

/** Whether the declaration equals the applied values, and only the live object differs. */
export function isOnlyRevert(
  { action, after, attributes, importing, previousAddress }: ResourceChange,
  drift?: ResourceChange,
): boolean {
  if (drift?.before == null || after === null || importing !== undefined || previousAddress !== undefined)
    return false;
  if (action !== "update" && action !== "create") return false;
  return Object.entries(after).every(
    ([name, value]) =>
      isUnknown(value) || sameValue(value, drift.before![name] ?? null, attributes[name]?.type),
  );
}

/** Returns a function that decides whether a change of a plan only reverts a manual change. */
export function onlyReverts({
  mode,
  drift,
}: Pick<Plan, "mode" | "drift">): (change: ResourceChange) => boolean {
  const drifted = new Map((mode === "normal" ? drift : []).map((change) => [change.address, change]));
  return (change) => change.deposed === undefined && isOnlyRevert(change, drifted.get(change.address));
}
