import path from "node:path";
import { fail } from "../../diagnostics";
import { describeFileProblem, readFile, SMALL_FILE, systemCode } from "../../files";
import { parseJson } from "../../json";
import { EMAILS_FILE, EMAILS_VARIABLE } from "../model/emails";

/** What became of a file. */
export interface WrittenFile {
  readonly path: string;
  readonly outcome: "written" | "unchanged" | "removed";
}

/** The text of a file; undefined if there is none. @throws DiagnosticError */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, { links: "refuse" })).toString("utf8");
  } catch (problem) {
    if (systemCode(problem) === "ENOENT") return undefined;
    return failWith(file, problem);
  }
}

/** The content of a JSON file; undefined if there is none. @throws DiagnosticError */
export async function readJson(file: string): Promise<unknown> {
  try {
    const bytes = await readFile(file, { links: "refuse", maxBytes: 64 * SMALL_FILE });
    return parseJson(bytes.toString("utf8"));
  } catch (problem) {
    if (systemCode(problem) === "ENOENT") return undefined;
    return failWith(file, problem);
  }
}

/** Addresses by name, from the file beside an app. @throws DiagnosticError */
export async function knownEmailsIn(folder: string): Promise<Record<string, string>> {
  const content = (await readJson(path.join(folder, EMAILS_FILE))) as { readonly [name: string]: unknown };
  const entries = Object.entries(Object(content?.[EMAILS_VARIABLE]));
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

export const failWith = (what: string, problem: unknown): never =>
  fail({
    code: "adoption_not_written",
    summary: "The adoption can't be written",
    detail: `${what} can't be used: ${describeFileProblem(problem)}. Check the path and its permissions.`,
  });
