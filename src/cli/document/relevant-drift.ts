import {
  type Plan,
  type ResourceChange,
  sameValue,
  type Value,
  type ValueObject,
  withoutKey,
} from "../../engine";

/**
 * The drift that people see: all of it in a refresh-only plan, otherwise, as in Terraform, only what may
 * cause a planned change.
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

/** The change reduced to the relevant attributes. Undefined if none of them differs. */
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
