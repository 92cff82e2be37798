import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { isUpdate, readGolden } from "../../cli/reports/support/golden";
import { ROOT } from "../support/own-project";

/**
 * Matches a code block of a page, together with the comment above it. The comment names a golden file. The comment can also
 * contain the beginnings of the first and the last line that the page shows.
 */
const BLOCK =
  /<!-- (?<name>\S+\.golden\.\S+)(?: from "(?<from>.+?)")?(?: (?<until>to|before) "(?<end>.+?)")? -->\n(?<fence>`{3,})(?<language>\w*)\n[\s\S]*?^\k<fence>$/gm;

/** Compares a page with the golden files that its blocks name. UPDATE_GOLDEN=1 rewrites the blocks. */
export function expectPage(page: string): void {
  const file = path.join(ROOT, page);
  const text = readFileSync(file, "utf8");
  const blocks = [...text.matchAll(BLOCK)];
  expect(blocks).toHaveLength(text.match(/<!-- \S+\.golden\./g)?.length ?? 0);
  const expected = text.replaceAll(BLOCK, (block: string, ...rest) => {
    const { name, from, until, end, fence } = rest.at(-1) as Record<string, string>;
    const [comment, start] = block.split("\n");
    return [comment, start, ...excerpt(name!, from, end, until === "before"), fence].join("\n");
  });
  if (isUpdate) writeFileSync(file, expected);
  expect(readFileSync(file, "utf8")).toBe(expected);
}

/**
 * Returns some lines of a golden file. The first line starts with the text `from`. The last line starts with the text
 * `end`, or is the line before.
 */
function excerpt(
  name: string,
  from: string | undefined,
  end: string | undefined,
  isBefore: boolean,
): readonly string[] {
  const lines = readGolden(name).trimEnd().split("\n");
  const find = (text: string, after: number): number => {
    const index = lines.findIndex((line, at) => at >= after && line.trimStart().startsWith(text));
    if (index < 0) throw new Error(`No line of ${name} starts with "${text}".`);
    return index;
  };
  const start = from === undefined ? 0 : find(from, 0);
  if (end === undefined) return lines.slice(start);
  const last = find(end, start + 1);
  return isBefore ? lines.slice(start, last - 1) : lines.slice(start, last + 1);
}
