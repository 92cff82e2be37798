/** What is counted, by the words of Terraform's `change_summary`. */
export type Counts = Readonly<Record<string, number>>;

/** The closing line of a plan. */
export function planSentence({ add, change, remove, import: imported = 0 }: Counts): string {
  const imports = imported > 0 ? `${imported} to import, ` : "";
  return `Plan: ${imports}${add} to add, ${change} to change, ${remove} to destroy.`;
}

/** The closing line of an apply or a destroy, which may have met errors. */
export function doneSentence(of: "apply" | "destroy", counts: Counts, hasFailed: boolean): string {
  const { add, change, remove, import: imported = 0 } = counts;
  const imports = imported > 0 ? `${imported} imported, ` : "";
  const how = hasFailed ? "incomplete, see the errors." : "complete!";
  if (of === "destroy") return `Destroy ${how} Resources: ${remove} destroyed.`;
  return `Apply ${how} Resources: ${imports}${add} added, ${change} changed, ${remove} destroyed.`;
}
