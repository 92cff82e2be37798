import { fail } from "../../diagnostics";
import { wildcard } from "../../text";

/** Finds who looks after a project or group. */
export type Owners = (path: string) => readonly string[];

/**
 * Reads a file of owners. Each line has a path, with `*` for any text, and names such as `@maya` or `@acme/platform`. The last
 * line that matches wins. A path that two lines have is an error: the names on the first would be ignored.
 *
 * @throws DiagnosticError `owners_invalid`
 */
export function readOwners(text: string, file: string): Owners {
  const lineOf = new Map<string, number>();
  const rules = text.split(/\r?\n/).flatMap((line, at) => {
    const [pattern, ...names] = line
      .replace(/(^|\s)#.*$/, "")
      .split(/\s+/)
      .filter((word) => word !== "");
    if (pattern === undefined) return [];
    if (names.length === 0 || !names.every((name) => /^@[\w.-]+(\/[\w.-]+)*$/.test(name)))
      return fail({
        code: "owners_invalid",
        summary: "Invalid owners file",
        detail: `${file}, line ${at + 1} is not a path followed by names, such as \`acme/web-* @maya @acme/platform\`. Nothing was posted. Correct the line.`,
      });
    const before = lineOf.get(pattern);
    if (before !== undefined)
      return fail({
        code: "owners_invalid",
        summary: "Invalid owners file",
        detail: `${file} names ${pattern} twice, on line ${before} and on line ${at + 1}. Nothing was posted. Merge the two lines into one.`,
      });
    lineOf.set(pattern, at + 1);
    return [{ pattern: wildcard(pattern), names }];
  });
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.names ?? [];
}
