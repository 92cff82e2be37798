/** What is counted, by the words of Terraform's `change_summary`. */
export type Counts = Readonly<Record<string, number>>;

/** The closing line of a plan. */
export function planSentence(counts: Counts): string {
  const { add, change, remove, import: imported = 0 } = counts;
  const imports = imported > 0 ? `${imported} to import, ` : "";
  return `Plan: ${imports}${add} to add, ${change} to change, ${remove} to destroy.${uncheckedSentence(counts)}`;
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
  const { add, change, remove, import: imported = 0 } = counts;
  const imports = imported > 0 ? `${imported} imported, ` : "";
  const how = hasFailed ? "incomplete, see the errors." : "complete!";
  const left = uncheckedSentence(counts);
  if (of === "destroy") return `Destroy ${how} Resources: ${remove} destroyed.${left}`;
  return `Apply ${how} Resources: ${imports}${add} added, ${change} changed, ${remove} destroyed.${left}`;
}
