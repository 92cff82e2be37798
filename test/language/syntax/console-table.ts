import { writeFileSync } from "node:fs";
import path from "node:path";
import { keyOf, readCases, type Source } from "./cases";
import golden from "./console-table.golden.json";
import type { Outcome, TerraformConsole } from "./terraform-console";

/** The outcomes, by group and by case. Null means an error. */
type Groups = Readonly<Record<string, Readonly<Record<string, string | null>>>>;

export const GROUPS: Groups = golden.groups;

export const expectedOutcome = (group: string, source: Source): Outcome =>
  GROUPS[group]?.[keyOf(source)] ?? undefined;

/**
 * Writes `console-table.golden.json`: the outputs of the real `terraform console` for the cases of `console-cases/`.
 */
export function writeTable(terraform: TerraformConsole): void {
  const groups = readCases().map(({ name, sources }) => {
    const outcomes = terraform.outcomes(sources);
    return [
      name,
      Object.fromEntries(sources.map((source, index) => [keyOf(source), outcomes[index] ?? null])),
    ];
  });
  const table = { version: terraform.version(), groups: Object.fromEntries(groups) };
  writeFileSync(path.join(__dirname, "console-table.golden.json"), `${JSON.stringify(table, null, 1)}\n`);
}
