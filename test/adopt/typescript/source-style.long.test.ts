import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { FixtureInput } from "cdktf-provider-steward/testing";
import fc from "fast-check";
import { STACK_UNITS, type StackUnit, writeTypeScriptApp } from "../../../src/adopt";
import { type Code, expression, list, object, text } from "../../../src/adopt/typescript/code";
import { print } from "../../../src/adopt/typescript/print";
import { startWorld } from "../../provider/support/world";
import { runs, seed } from "../../support/capabilities";
import { alike } from "../groups/alike";
import { liveSettings } from "../support/adopted";
import { randomWorlds } from "../support/random-world";

jest.setTimeout(600_000);

const ROOT = path.join(__dirname, "..", "..", "..");

/** The style of this project. Many other projects use the same style. */
const BIOME = {
  formatter: { indentStyle: "space", indentWidth: 2, lineWidth: 110 },
  assist: { actions: { source: { organizeImports: "on" } } },
  linter: { enabled: false },
};

const TSCONFIG = {
  compilerOptions: {
    module: "Node16",
    target: "ES2022",
    types: [],
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    noPropertyAccessFromIndexSignature: true,
    skipLibCheck: true,
    paths: {
      "cdktf-provider-steward": [path.join(ROOT, "dist/constructs/index.d.ts")],
      cdktf: [path.join(ROOT, "node_modules/cdktf")],
      constructs: [path.join(ROOT, "node_modules/constructs")],
    },
  },
};

/** Returns the findings of a formatter or linter in a folder. The text is empty if there are none. */
const objections = (program: string, args: readonly string[], folder: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [path.join(ROOT, "node_modules", program), ...args],
      { cwd: folder },
      (problem, out, err) => resolve(problem === null ? "" : `${out}${err}`),
    );
  });

it("the formatter and the strict compiler accept adopted apps with random settings and special characters in names", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-style-"));
  const write = (name: string, text: string): void => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  try {
    write("biome.json", JSON.stringify(BIOME));
    write("tsconfig.json", JSON.stringify(TSCONFIG));
    let count = 0;
    const writeApp = async (
      fixture: FixtureInput,
      name: string,
      allSettings: boolean,
      includeEmails: boolean,
      stackPer?: StackUnit,
    ) => {
      const world = await startWorld(fixture);
      const settings = await liveSettings(world, name).finally(() => world.close());
      const options = { name, dependencies: {}, knownEmails: {}, allSettings, includeEmails, stackPer };
      count += 1;
      for (const { path: file, text } of writeTypeScriptApp(settings, options))
        if (file !== "tsconfig.json" && !file.startsWith(".")) write(`apps/${count}/${file}`, text);
    };
    for (const stackPer of STACK_UNITS) await writeApp(alike, "alike", false, false, stackPer);
    const stackUnits = fc.constantFrom(...STACK_UNITS);
    await fc.assert(
      fc.asyncProperty(
        randomWorlds,
        fc.boolean(),
        fc.boolean(),
        stackUnits,
        (fixture, allSettings, includeEmails, stackPer) =>
          writeApp(fixture, "g", allSettings, includeEmails, stackPer),
      ),
      { numRuns: runs(20, 400), seed },
    );
    expect(await objections("@biomejs/biome/bin/biome", ["check", "apps"], folder)).toBe("");
    expect(await objections("typescript/bin/tsc", ["-p", "."], folder)).toBe("");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Values of every kind. If a key is long, formatters move some kinds of values to the next line. */
const VALUES: readonly Code[] = [
  ...[text("x"), text("v".repeat(60)), text("v".repeat(130)), list([]), object([])],
  list([text("aaaaaaaaaaaa"), text("bbbbbbbbbbbbbbbbb")]),
  list([expression("AccessLevel.MAINTAINER")]),
  object([["accessLevel", expression("AccessLevel.MAINTAINER")]]),
  object([["deployAccessLevels", list([object([["accessLevel", expression("AccessLevel.MAINTAINER")]])])]]),
  list([object([["user", text("maya")]])]),
  ...["AccessLevel.MAINTAINER", "40", "true", "production", 'email("maya")'].map(expression),
  { kind: "own-path", rest: "/x" },
];

it("the formatter accepts the code that adopt writes for keys of any length", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-keys-"));
  try {
    const lengths = [5, 40, 60, ...Array.from({ length: 48 }, (_, at) => at + 74)];
    const keys = lengths.flatMap((length) => ["-", "k"].map((second) => `k${second}`.padEnd(length, "k")));
    const statements = keys.flatMap((key) =>
      VALUES.map((value, at) => {
        const own = object([
          [key, value],
          ["after", expression("1")],
        ]);
        const code = at % 2 === 0 ? own : object([["settings", own]]);
        return `use(${print(code, { indent: 0, column: 4, after: 2 })});`;
      }),
    );
    writeFileSync(path.join(folder, "biome.json"), JSON.stringify(BIOME));
    writeFileSync(path.join(folder, "keys.ts"), `${statements.join("\n")}\n`);
    expect(await objections("@biomejs/biome/bin/biome", ["format", "keys.ts"], folder)).toBe("");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
