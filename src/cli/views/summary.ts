/** Counts by the names in Terraform's `change_summary`. */
export type Counts = Readonly<Record<string, number>>;

const countOf = (count: number, what: string): string => (count > 0 ? `${count} ${what}, ` : "");

/** The summary line of a plan. */
export function planSentence(counts: Counts): string {
  const { add, change, remove, import: imported = 0, move: moved = 0 } = counts;
  const stateOnlyPart = `${countOf(imported, "to import")}${countOf(moved, "to move")}`;
  return `Plan: ${stateOnlyPart}${add} to add, ${change} to change, ${remove} to destroy.${uncheckedSentence(counts)}`;
}

/** The number of unchecked objects, after a space. Empty if there are none. */
export function uncheckedSentence({ unchecked = 0 }: Counts): string {
  return unchecked === 0
    ? ""
    : ` ${unchecked} ${unchecked === 1 ? "object" : "objects"} could not be checked.`;
}

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
