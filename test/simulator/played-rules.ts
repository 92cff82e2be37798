import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { hintsOf } from "../../scripts/mutants/table";
import { FLEETS } from "./story/fleet-rules";
import { UNDER_HABITS, UNPROVEN } from "./story/found";
import { CODE_AND_REPORTS } from "./story/reports";

/**
 * Returns the rules whose stories `npm test` plays. The stories of these rules find a planted fault, or are about
 * fleets, access, code, habits or unproven outcomes.
 */
export function quickRules(): ReadonlySet<string> {
  const page = readFileSync(path.join(__dirname, "mutants.md"), "utf8");
  return new Set([
    ...hintsOf(page).values(),
    ...Object.keys({ ...FLEETS, ...CODE_AND_REPORTS, ...UNDER_HABITS, ...UNPROVEN }),
  ]);
}

/**
 * Writes a list of rules to a file. The program reads the file and plays the stories of these rules.
 * @returns the path of the file
 */
export function writeRules(name: string, rules: Iterable<string>): string {
  const file = path.join(__dirname, "..", "..", "dist", "simulator", `${name}.json`);
  writeFileSync(file, JSON.stringify([...rules]));
  return file;
}
