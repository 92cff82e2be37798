import { fail } from "../../diagnostics";

/** Finds who looks after a project or group. */
export type Owners = (path: string) => readonly string[];

/**
 * Reads a file of owners: on each line a path, with `*` for any text, and names such as `@maya` or `@acme/platform`; the last
 * line that matches wins.
 *
 * @throws DiagnosticError `owners_invalid`
 */
export function readOwners(text: string, file: string): Owners {
  const rules = text.split(/\r?\n/).flatMap((line, at) => {
    const [pattern, ...names] = line
      .replace(/(^|\s)#.*$/, "")
      .split(/\s+/)
      .filter((word) => word !== "");
    if (pattern === undefined) return [];
    if (names.length === 0 || !names.every((name) => /^@[\w.-]+(\/[\w.-]+)*$/.test(name)))
      return fail({
        code: "owners_invalid",
        summary: "Invalid file of owners",
        detail: `${file}, line ${at + 1}: a line is a path and names, such as \`acme/web-* @maya @acme/platform\`. Nothing was posted. Correct the line.`,
      });
    const parts = pattern.split("*").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
    return [{ pattern: new RegExp(`^${parts.join(".*")}$`), names }];
  });
  return (path) => rules.findLast(({ pattern }) => pattern.test(path))?.names ?? [];
}
