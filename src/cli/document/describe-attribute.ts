import { type ChangeMetadata, isUnknown, isWhollyKnown, type ResourceChange, titleOf } from "../../engine";
import type { Field, OutsideValues } from "../difference";
import { reportedValue } from "./attribute-values";
import type { ReportAttribute } from "./model";

/**
 * The facts about an object that any report contains. `before` and `after` are absent if the report has no values, and null if
 * the object does not exist.
 */
export type Described = Omit<ChangeMetadata, "mode" | "name" | "provider" | "replacePaths"> &
  Partial<Pick<ResourceChange, "before" | "after">>;

/** Returns an attribute with a sensitive part: only the difference, because the whole values would contain this part. */
export const describeSecret = ({ name, difference }: Field, isChangedOutside = false): ReportAttribute => ({
  name,
  sensitive: true,
  difference,
  ...(isChangedOutside && { changed_outside: {} }),
});

/** Returns an attribute without sensitive parts, with its values. */
export function describeAttribute(
  { name, difference }: Field,
  { before, after, replaced, attributes }: Described,
  outside: OutsideValues | undefined,
): ReportAttribute {
  const next = after?.[name] ?? null;
  const live = replaced?.live?.[name];
  const names = difference.kind === "leaf" ? attributes[name]?.text.values : undefined;
  const nameOf = (when: "before" | "after"): { before_name?: string; after_name?: string } => {
    const hasTitle = difference.kind === "leaf" && difference[when] !== undefined && names !== undefined;
    const found = hasTitle ? titleOf(names, { before, after }[when]?.[name]) : undefined;
    return found === undefined ? {} : { [`${when}_name`]: found };
  };
  return {
    name,
    sensitive: false,
    ...(before !== null && before !== undefined && { before: reportedValue(before[name] ?? null) }),
    ...(after !== null && after !== undefined && !isUnknown(next) && { after: reportedValue(next) }),
    ...(!isWhollyKnown(next) && { unknown: true }),
    ...(live !== undefined && { live: reportedValue(live) }),
    ...nameOf("before"),
    ...nameOf("after"),
    difference,
    ...(outside && {
      changed_outside: { applied: reportedValue(outside.applied), live: reportedValue(outside.live) },
    }),
  };
}
