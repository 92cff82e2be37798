import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";

/** The maximum number of lines for some pages, by path. Other pages have the limit of the pages in `docs/`. */
const PAGE_LINES: readonly (readonly [RegExp, number])[] = [
  [/^(?:README|docs\/getting-started|docs\/architecture)\.md$/, 120],
  [/^CHANGELOG\.md$/, 150],
  [/^docs\/concepts\.md$/, 80],
  [/^docs\/decisions\/\d{4}-.*\.md$/, 60],
  [/^docs\/(?:reviewing|review-.*)\.md$/, 200],
  [/^docs\/(?:errors|glossary)\.md$/, Number.POSITIVE_INFINITY],
  [/^docs\//, 150],
];

export const pageLines = (file: string): number =>
  PAGE_LINES.find(([pattern]) => pattern.test(file))?.[1] ?? Number.POSITIVE_INFINITY;

/**
 * Generated files and data files are not checked. The texts of these files come from other files, which are checked.
 */
const LEFT_OUT =
  /^(?:docs\/(?:reference\/|commands\.md|specification\.md|api\.md)|src\/(?:constructs|init)\/generated\/|test\/fixtures\/|.*\bgolden\b|.*\/transcripts\/.*\.txt$|bench\/results\.md|src\/text\/generated)/;

/** Returns the files to check: sorted, and relative to the root. */
export function checkedFiles(root: string): readonly string[] {
  return listedFiles(root)
    .filter(
      (file) => /\.(?:md|ts|js)$/.test(file) && !LEFT_OUT.test(file) && existsSync(path.join(root, file)),
    )
    .sort();
}

/** Returns the files that git tracks. In a copy without git, returns all files. */
function listedFiles(root: string): readonly string[] {
  if (existsSync(path.join(root, ".git"))) {
    const listed = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
      cwd: root,
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    return listed.split("\n").filter((file) => file !== "");
  }
  const walk = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (!entry.isDirectory()) return [file];
      return /^(?:node_modules|dist|coverage|cdktf\.out|\..*)$/.test(entry.name) ? [] : walk(file);
    });
  return walk("");
}
