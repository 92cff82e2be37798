import type { Plan, ResourceChange } from "../../engine";

/** Counts by the names in Terraform's `change_summary`. */
export type Counts = Readonly<Record<string, number>>;

const countOf = (count: number, what: string): string => (count > 0 ? `${count} ${what}, ` : "");

/** The summary line of a plan. */
export function planSentence(counts: Counts): string {
  const { add, change, remove, import: imported = 0, move: moved = 0 } = counts;
  const stateOnlyPart = `${countOf(imported, "to import")}${countOf(moved, "to move")}`;
  return `Plan: ${stateOnlyPart}${add} to add, ${change} to change, ${remove} to destroy.${existingSentence(counts)}${uncheckedSentence(counts)}`;
}

/** The objects that a plan takes over, after a space: Terraform counts them among all imports and all changes. */
function existingSentence({ existing = 0, existing_to_change: changing = 0 }: Counts): string {
  if (existing === 0) return "";
  return ` Existing objects: ${existing} to import, ${changing === 0 ? "none" : changing} of them to change.`;
}

/** The counts of the objects that a plan takes over, and of those among them that it changes. Left out if there are none. */
function existingCounts(changes: readonly Pick<ResourceChange, "importing" | "action">[]): Counts {
  const existing = changes.filter(({ importing }) => importing?.existing === true);
  if (existing.length === 0) return {};
  const changing = existing.filter(({ action }) => action !== "no-op");
  return { existing: existing.length, existing_to_change: changing.length };
}

/** The number of unchecked objects, after a space. Empty if there are none. */
export function uncheckedSentence({ unchecked = 0 }: Counts): string {
  return unchecked === 0
    ? ""
    : ` ${unchecked} ${unchecked === 1 ? "object" : "objects"} could not be checked.`;
}

/** All counts of a plan. */
export const planCounts = ({
  summary,
  changes,
  unchecked,
}: Pick<Plan, "summary" | "changes" | "unchecked">): Counts => ({
  ...summary,
  ...existingCounts(changes),
  ...uncheckedCount(unchecked),
});

/** The count of unchecked objects. Left out if there are none. */
export const uncheckedCount = (unchecked: readonly unknown[]): Counts =>
  unchecked.length === 0 ? {} : { unchecked: unchecked.length };

/** The summary line of an apply or a destroy. */
export function doneSentence(of: "apply" | "destroy", counts: Counts, hasFailed: boolean): string {
  const { add, change, remove, import: imported = 0, move: moved = 0 } = counts;
  const stateOnlyPart = `${countOf(imported, "imported")}${countOf(moved, "moved")}`;
  const result = hasFailed ? "incomplete, see the errors." : "complete!";
  const uncheckedPart = uncheckedSentence(counts);
  if (of === "destroy") return `Destroy ${result} Resources: ${remove} destroyed.${uncheckedPart}`;
  return `Apply ${result} Resources: ${stateOnlyPart}${add} added, ${change} changed, ${remove} destroyed.${uncheckedPart}`;
}
