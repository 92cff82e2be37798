import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { COMMANDS } from "../../src/cli/commands";

// Users read the pages and the help that the package contains. The tests check that it also contains all files and anchors
// that these texts name.

const ROOT = path.join(__dirname, "../..");
const { files } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as { files: string[] };
const packed = files.filter((one) => !one.startsWith("!"));

const isPacked = (file: string): boolean =>
  existsSync(path.join(ROOT, file)) && packed.some((one) => file === one || file.startsWith(`${one}/`));

const pages = packed
  .filter((one) => one !== "dist")
  .flatMap((one) =>
    statSync(path.join(ROOT, one)).isDirectory()
      ? readdirSync(path.join(ROOT, one), { recursive: true }).map((name) => `${one}/${String(name)}`)
      : [one],
  )
  .filter((file) => file.endsWith(".md"));

const read = (page: string): string => readFileSync(path.join(ROOT, page), "utf8");
/** Returns the text of a page without its code blocks. */
const proseOf = (page: string): string => read(page).replaceAll(/^(```+).*?^\1$/gms, "");
const linksOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target!)
    .filter((target) => !/^[a-z]+:/.test(target));
/** Returns the anchors of a page's headings, as common renderers of Markdown generate them. */
const anchorsOf = (page: string): string[] =>
  [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
    heading!
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );

test("the package contains pages with links", () => {
  expect(pages.length).toBeGreaterThan(50);
  expect(pages.flatMap(linksOf).length).toBeGreaterThan(50);
});

test("every link of a packed page leads to a file, folder or heading of the package", () => {
  const broken = pages.flatMap((page) =>
    linksOf(page).flatMap((link) => {
      const [target = "", anchor] = link.split("#");
      const file =
        target === "" ? page : path.posix.normalize(path.posix.join(path.posix.dirname(page), target));
      if (!isPacked(file.replace(/\/$/, ""))) return [`${page}: ${link}`];
      const isThere = anchor === undefined || anchorsOf(file).includes(anchor);
      return isThere ? [] : [`${page}: ${link} (no such heading)`];
    }),
  );
  expect(broken).toEqual([]);
});

test("every file that the help of a command mentions is in the package", () => {
  const texts = COMMANDS.flatMap(({ line }) => [line.description, ...Object.keys(line.examples)]);
  const named = texts.flatMap((text) => text.match(/(?:[\w.-]+\/)*(?:docs|examples)\/[\w./-]+\w/g) ?? []);
  expect(named).not.toEqual([]);
  for (const file of named) {
    expect(file).toMatch(/^node_modules\/cdktf-provider-steward\//);
    expect([file, isPacked(file.replace("node_modules/cdktf-provider-steward/", ""))]).toEqual([file, true]);
  }
});
