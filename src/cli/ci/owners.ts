import { type Diagnostic, fail, warning } from "../../diagnostics";
import { type Wildcard, wildcard } from "../../text";
import type { Report } from "../document/model";
import { SeenProjects } from "../findings/seen-projects";

/** A function that returns the names of the people and groups who look after a project or group. */
export type Owners = (path: string) => readonly string[];

/** A line of a file of owners. */
interface OwnerLine {
  readonly number: number;
  readonly path: string;
  readonly pattern: Wildcard;
  readonly names: readonly string[];
}

/**
 * Reads a file of owners. Each line has a path, with `*` for any text, and names such as `@maya` or `@acme/platform`. The last
 * line that matches wins. It is an error if two lines have the same path, because the earlier line would have no effect.
 *
 * @throws DiagnosticError `owners_invalid`
 */
export function readOwners(text: string, file: string): Owners {
  const lines = readLines(text, file);
  return (path) => lines.findLast(({ pattern }) => pattern.test(path))?.names ?? [];
}

/**
 * Returns a warning about the lines of a file of owners that match nothing in a report. The report must come from a drift run
 * over a whole app.
 */
export function unmatchedOwners(text: string, file: string, report: Report): readonly Diagnostic[] {
  const isWhole = report.command === "drift" && report.limited_to === undefined && report.result !== "failed";
  if (!isWhole) return [];
  const projects = new SeenProjects();
  for (const { name, objects } of report.stacks) {
    projects.see(name ?? undefined);
    for (const { project, group } of objects) projects.see(project ?? group);
  }
  return readLines(text, file)
    .filter(({ path }) => projects.hasNone(path))
    .map(({ path, number }) => matchesNothing(`${file}, line ${number}`, path, projects.hintFor(path)));
}

const matchesNothing = (place: string, path: string, hint: string): Diagnostic =>
  warning({
    code: "selector_unmatched",
    summary: "Line of the owners file matches nothing",
    detail: `${place} names owners of "${path}", but the report has no such project, group or stack.${hint} Correct the path, or remove the line.`,
    cause: place,
  });

function readLines(text: string, file: string): readonly OwnerLine[] {
  const lineOf = new Map<string, number>();
  return text.split(/\r?\n/).flatMap((line, at) => {
    const [path, ...names] = line
      .replace(/(^|\s)#.*$/, "")
      .split(/\s+/)
      .filter((word) => word !== "");
    if (path === undefined) return [];
    const number = at + 1;
    if (names.length === 0 || !names.every((name) => /^@[\w.-]+(\/[\w.-]+)*$/.test(name)))
      return fail({
        code: "owners_invalid",
        summary: "Invalid owners file",
        detail: `${file}, line ${number} is not a path followed by names, such as \`acme/web-* @maya @acme/platform\`. Nothing was posted. Correct the line.`,
      });
    const before = lineOf.get(path);
    if (before !== undefined)
      return fail({
        code: "owners_invalid",
        summary: "Invalid owners file",
        detail: `${file} names ${path} twice, on line ${before} and on line ${number}. Nothing was posted. Merge the two lines into one.`,
      });
    lineOf.set(path, number);
    return [{ number, path, pattern: wildcard(path), names }];
  });
}
