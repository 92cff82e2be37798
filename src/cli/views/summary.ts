/** What is counted, by the words of Terraform's `change_summary`. */
export type Counts = Readonly<Record<string, number>>;

/** The closing line of a plan, an apply or a destroy. */
export function summarySentence(of: "plan" | "apply" | "destroy", counts: Counts): string {
  const { add, change, remove, import: imported = 0 } = counts;
  switch (of) {
    case "plan": {
      const imports = imported > 0 ? `${imported} to import, ` : "";
      return `Plan: ${imports}${add} to add, ${change} to change, ${remove} to destroy.`;
    }
    case "apply":
      return `Apply complete! Resources: ${add} added, ${change} changed, ${remove} destroyed.`;
    case "destroy":
      return `Destroy complete! Resources: ${remove} destroyed.`;
  }
}
