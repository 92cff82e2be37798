/**
 * Writes `console-table.golden.json`: what the real `terraform console` gives for the cases of `console-cases/`.
 * To be run again with `npx tsx test/engine/expressions/make-console-table.ts` when cases are added.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { findProgram } from "../../support/capabilities";
import { keyOf, readCases } from "./cases";
import { TerraformConsole } from "./terraform-console";

const program = findProgram("terraform");
if (program === undefined) throw new Error("terraform is not on the PATH");
const terraform = new TerraformConsole(program);
try {
  const groups = readCases().map(({ name, sources }) => {
    const outcomes = terraform.outcomes(sources);
    return [
      name,
      Object.fromEntries(sources.map((source, index) => [keyOf(source), outcomes[index] ?? null])),
    ];
  });
  const table = { version: terraform.version(), groups: Object.fromEntries(groups) };
  writeFileSync(path.join(__dirname, "console-table.golden.json"), `${JSON.stringify(table, null, 1)}\n`);
} finally {
  terraform.close();
}
