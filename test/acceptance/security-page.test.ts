import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./support/own-project";

// docs/security.md says which tests hold what it promises.

const page = readFileSync(path.join(ROOT, "docs", "security.md"), "utf8");
const rowsOf = (title: string): string[] => {
  const [, section = ""] = page.split(`\n## ${title}\n`);
  const [, ...rows] = section
    .split("\n## ")[0]!
    .split("\n")
    .filter((line) => line.startsWith("| "));
  return rows;
};
const filesIn = (text: string): string[] => [...text.matchAll(/`(test\/[^`]+)`/g)].map(([, file]) => file!);

const titled = (rows: readonly string[]): [string, string][] =>
  rows.map((row) => [row.split(" | ")[0]!.slice(2), row]);
const threats = titled(rowsOf("Threats"));
const soaks = titled(rowsOf("The soak"));

test("the page has its threats and its soaks", () => {
  expect(threats.length).toBeGreaterThanOrEqual(18);
  expect(soaks).toHaveLength(3);
});

test.each(threats)("the tests exist that hold: %s", (_, row) => {
  const cells = row.replace(/^\| | \|$/g, "").split(" | ");
  expect(cells).toHaveLength(4);
  expect(cells).not.toContain("");
  const files = filesIn(cells[3]!);
  expect(files).not.toEqual([]);
  expect(
    files.filter((file) => !/\.test\.ts$|\.transcript$/.test(file) || !existsSync(path.join(ROOT, file))),
  ).toEqual([]);
});

test.each(soaks)("the command of a soak names a suite: %s", (_, row) => {
  const [, name] = /`SOAK=1 npx jest (test\/\S+)`/.exec(row)!;
  expect(existsSync(path.join(ROOT, `${name}.test.ts`))).toBe(true);
});

test("README.md leads there", () => {
  expect(readFileSync(path.join(ROOT, "README.md"), "utf8")).toContain("(docs/security.md)");
});
