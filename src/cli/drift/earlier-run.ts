import path from "node:path";
import { fail } from "../../diagnostics";
import { describeFileProblem, readUserFile } from "../../files";
import { parseJson } from "../../json";

const FINGERPRINT = /^[0-9a-f]{20}$/;

/**
 * Reads the fingerprints of the findings that an earlier run reported or already knew, from its JSON report
 * (`--report FILE.json`) or from the events of `drift --json`.
 *
 * @throws DiagnosticError `invalid_since_file`
 */
export function fingerprintsIn(file: string, folder: string): ReadonlySet<string> {
  const documents = parse(file, textOf(file, folder));
  if (!documents.some(isDriftRun)) return invalid(file, "contains no run of `steward drift`");
  const found = new Set<string>();
  for (const document of documents) collect(document, found);
  return found;
}

/** One JSON report, or one event per line. */
function parse(file: string, text: string): unknown[] {
  try {
    return [parseJson(text)];
  } catch {
    // The text is one document per line, or invalid.
  }
  try {
    return text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => parseJson(line));
  } catch (problem) {
    return invalid(file, `is not JSON: ${(problem as Error).message}`);
  }
}

const isDriftRun = (document: unknown): boolean => {
  const { command, type } = (document ?? {}) as Record<string, unknown>;
  return command === "drift" || type === "drift_summary";
};

function collect(value: unknown, found: Set<string>): void {
  if (typeof value !== "object" || value === null) return;
  for (const [name, one] of Object.entries(value)) {
    if (name === "fingerprint") add(one, found);
    else if (name === "known_fingerprints" && Array.isArray(one)) for (const known of one) add(known, found);
    else collect(one, found);
  }
}

function add(value: unknown, found: Set<string>): void {
  if (typeof value === "string" && FINGERPRINT.test(value)) found.add(value);
}

function textOf(file: string, folder: string): string {
  try {
    return readUserFile(path.resolve(folder, file)).toString("utf8");
  } catch (problem) {
    return invalid(file, `can't be read (${describeFileProblem(problem)})`);
  }
}

const invalid = (file: string, what: string): never =>
  fail({
    code: "invalid_since_file",
    summary: "Earlier run can't be used",
    detail:
      `${JSON.stringify(file)} ${what}. Give --since the JSON report of an earlier run ` +
      "(`steward drift --report FILE.json`), or what `steward drift --json` wrote. For the first run, omit --since.",
  });
