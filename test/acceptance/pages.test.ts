import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ROOT } from "./support/own-project";

// Pages name files, links and functions. The tests check that all of these exist. `constructs/packed-links.test.ts` also
// follows the anchors of packed pages.

const FOLDERS = ["docs", "test", "bench", "examples", "src"];
const pages = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md"],
  ...FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".md") && !file.includes("node_modules"))
      .map((file) => path.posix.join(folder, file)),
  ),
];

const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
const proseOf = (page: string): string => read(page).replaceAll(/^(```+).*?^\1$/gms, "");
const exists = (file: string): boolean => existsSync(path.join(ROOT, file));

/**
 * Returns whether a file belongs to the example of docs/adding-a-resource.md. The files of the example do not exist,
 * because readers of the page write them.
 */
const isExample = (file: string): boolean => file.includes("deploy-key");

test("each file path in the documentation exists in this repository", () => {
  const named = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/`((?:src|test|scripts|bench|examples|docs)\/[\w./-]+)`/g)].map(
      ([, file]) => ({ page, file: file! }),
    ),
  );
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ file }) => !exists(file) && !isExample(file))).toEqual([]);
});

test("every link in the pages of the documentation leads to an existing file or folder", () => {
  const links = pages.flatMap((page) =>
    [...proseOf(page).matchAll(/\]\(([^)#\s]+)(?:#[^)\s]*)?\)/g)]
      .map(([, target]) => target!)
      .filter((target) => !/^[a-z]+:/.test(target))
      .map((target) => ({ page, file: path.posix.join(path.posix.dirname(page), target) })),
  );
  expect(links.length).toBeGreaterThan(200);
  expect(links.filter(({ file }) => !exists(file))).toEqual([]);
});

test("each test file in a SOAK=1 command of docs/security.md exists", () => {
  const suites = [...read("docs/security.md").matchAll(/`SOAK=1 npx jest (test\/\S+)`/g)];
  expect(suites).toHaveLength(3);
  expect(suites.filter(([, name]) => !exists(`${name}.test.ts`))).toEqual([]);
});

/**
 * Returns an expression that matches the declaration of a function or method with this name, but not its calls. A call of a
 * function ends with a semicolon, or is part of an expression.
 */
const definitionOf = (name: string) =>
  new RegExp(
    `\\b(?:function\\*?|class|const|interface|type) ${name}\\b|` +
      `^ {2}(?:(?:async|get|static|private) )*${name}(?:<.*>)?\\((?!.*;$)`,
    "m",
  );

test("each function in docs/find-it.md is defined or used in the file of the same row", () => {
  const rows = [...read("docs/find-it.md").matchAll(/^\| .* \| `([a-z/-]+\.ts)` \| (.*`.*) \|$/gm)];
  expect(rows.length).toBeGreaterThan(80);
  const lost = rows.flatMap(([, file, names]) => {
    const source = read(`src/${file}`);
    return [...names!.matchAll(/(uses )?`(#?\w+)`/g)]
      .filter(([, uses, name]) => !(uses ? new RegExp(`\\b${name}\\b`) : definitionOf(name!)).test(source))
      .map(([, , name]) => `${file}: ${name}`);
  });
  expect(lost).toEqual([]);
});
