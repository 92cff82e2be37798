import { existsSync, readFileSync, statSync } from "node:fs";
import path from "node:path";

const ROOT = path.join(__dirname, "../..");

interface Rule {
  readonly name: string;
  readonly to: { readonly pathNot?: string | readonly string[] };
}
const { forbidden }: { readonly forbidden: readonly Rule[] } = require("../../.dependency-cruiser.cjs");
const page = readFileSync(path.join(ROOT, "docs/architecture.md"), "utf8");
const table = readFileSync(path.join(ROOT, "docs/find-it.md"), "utf8");

/** Questions, each with a file of `src` and what it defines or, behind `uses`, takes from elsewhere. */
const rows = [...table.matchAll(/^\| (.*) \| `([a-z/-]+\.ts)` \| (.*`.*) \|$/gm)].map(
  ([, question, file, names]) => ({
    question: question!,
    file: file!,
    names: [...names!.matchAll(/(uses )?`(#?\w+)`/g)].map(([, uses, name]) => ({ uses, name: name! })),
  }),
);

/** A declaration or a method with this name. A call ends with a semicolon, or is a part of an expression. */
const definitionOf = (name: string) =>
  new RegExp(
    `\\b(?:function\\*?|class|const|interface|type) ${name}\\b|` +
      `^ {2}(?:(?:async|get|static|private) )*${name}(?:<.*>)?\\((?!.*;$)`,
    "m",
  );

test("every file that the two pages name with its module exists", () => {
  const named = [...`${page}\n${table}`.matchAll(/`(?:src\/)?([a-z]+\/[a-z/-]+\.ts)`/g)].map(
    ([, file]) => file!,
  );
  expect(named.length).toBeGreaterThan(70);
  expect(named.filter((file) => !existsSync(path.join(ROOT, "src", file)))).toEqual([]);
});

test("every function of the table is defined in its file, or used there if the row says so", () => {
  expect(rows.length).toBeGreaterThan(80);
  const lost = rows.flatMap(({ file, names }) => {
    const source = readFileSync(path.join(ROOT, "src", file), "utf8");
    return names
      .filter(({ uses, name }) => !(uses ? new RegExp(`\\b${name}\\b`) : definitionOf(name)).test(source))
      .map(({ name }) => `${file}: ${name}`);
  });
  expect(lost).toEqual([]);
});

test("every row asks a whole question and names a function that its file defines", () => {
  const unclear = rows.filter(
    ({ question, names }) => !/^[A-Z].*\?/.test(question) || names.every(({ uses }) => uses),
  );
  expect(unclear.map(({ question }) => question)).toEqual([]);
});

/** The modules that each module can import, by the rules of `npm run check`. */
const allowed = new Map(
  forbidden.flatMap(({ name, to }) => {
    const room = /^(\w+)-looks-down-only$/.exec(name)?.[1];
    if (room === undefined) return [];
    const patterns = [to.pathNot ?? []].flat().map((pattern) => /\^src\/(\w+)/.exec(pattern)![1]!);
    return [[room, patterns.filter((one) => one !== room)] as const];
  }),
);

test("the page lists every module above the modules that it can import", () => {
  const listed = [...page.matchAll(/^- `(\w+)`: .*\.$/gm)].map(([, room]) => room!);
  const rooms = listed.filter((room) => allowed.has(room));
  expect([...rooms].sort()).toEqual([...allowed.keys()].sort());
  const upward = rooms.flatMap((room, at) =>
    allowed
      .get(room)!
      .filter((below) => rooms.indexOf(below) <= at)
      .map((below) => `${room} imports ${below}`),
  );
  expect(upward).toEqual([]);
});

test("the page lists the inner modules of a module in their order", () => {
  const inner = [...page.matchAll(/^- In `(\w+)`: (.*)\.$/gm)];
  expect(inner.length).toBeGreaterThan(5);
  for (const [, room, told] of inner) {
    const named = [...told!.replace(/\(.*?\)/g, "").matchAll(/`([a-z-]+)`/g)].map(([, name]) => name!);
    const ordered = forbidden.flatMap(({ name }) => {
      const found = new RegExp(`^${room}-(.+)-looks-down-only$`).exec(name)?.[1];
      const place = path.join(ROOT, "src", room!, found ?? "");
      return found !== undefined && existsSync(place) && statSync(place).isDirectory() ? [found] : [];
    });
    expect([room, named]).toEqual([room, ordered]);
  }
});
