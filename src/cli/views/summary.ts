/** What is counted, by the words of Terraform's `change_summary`. */
export type Counts = Readonly<Record<string, number>>;

const some = (count: number, what: string): string => (count > 0 ? `${count} ${what}, ` : "");

/** The closing line of a plan. */
export function planSentence(counts: Counts): string {
  const { add, change, remove, import: imported = 0, move: moved = 0 } = counts;
  const adjusted = `${some(imported, "to import")}${some(moved, "to move")}`;
  return `Plan: ${adjusted}${add} to add, ${change} to change, ${remove} to destroy.${uncheckedSentence(counts)}`;
}

/** How many objects could not be looked at, after a blank; nothing where all could. */
export function uncheckedSentence({ unchecked = 0 }: Counts): string {
  return unchecked === 0
    ? ""
    : ` ${unchecked} ${unchecked === 1 ? "object" : "objects"} could not be checked.`;
}

/** The part of the counts that says so: left out where nothing is to be said. */
export const uncheckedCount = (unchecked: readonly unknown[]): Counts =>
  unchecked.length === 0 ? {} : { unchecked: unchecked.length };

/** The closing line of an apply or a destroy, which may have met errors. */
export function doneSentence(of: "apply" | "destroy", counts: Counts, hasFailed: boolean): string {
  const { add, change, remove, import: imported = 0, move: moved = 0 } = counts;
  const adjusted = `${some(imported, "imported")}${some(moved, "moved")}`;
  const how = hasFailed ? "incomplete, see the errors." : "complete!";
  const left = uncheckedSentence(counts);
  if (of === "destroy") return `Destroy ${how} Resources: ${remove} destroyed.${left}`;
  return `Apply ${how} Resources: ${adjusted}${add} added, ${change} changed, ${remove} destroyed.${left}`;
}
