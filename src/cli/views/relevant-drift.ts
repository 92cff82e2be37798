import {
  type Plan,
  type ResourceChange,
  sameValue,
  type Value,
  type ValueObject,
  withoutKey,
} from "../../engine";

/**
 * What people are told was changed outside: all of it where a look at it is what they asked for, else what a planned
 * change may stem from, as Terraform has it. What the plan itself undoes is in the plan.
 */
export function relevantDrift({
  mode,
  drift,
  hasChanges,
  relevantAttributes,
}: Plan): readonly ResourceChange[] {
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

/** The change with all else left as it was; nothing where nothing of it is relevant. */
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
