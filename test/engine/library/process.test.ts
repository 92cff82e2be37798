import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

// A library runs inside another program. The tests search the sources for calls that a library must not make.

const ROOT = path.join(__dirname, "../../../src");
/** The engine and all modules that it imports. */
const MODULES = [
  "engine",
  "state",
  "language",
  "framework",
  "schema",
  "http",
  "files",
  "json",
  "text",
  "diagnostics",
];

const sources = MODULES.flatMap((module) =>
  readdirSync(path.join(ROOT, module), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => path.join(module, name)),
);

/** Returns the lines of code that match a pattern, without their comments. */
const linesWith = (pattern: RegExp): string[] =>
  sources.flatMap((name) =>
    readFileSync(path.join(ROOT, name), "utf8")
      .split("\n")
      .filter((line) => !/^\s*(\*|\/\/|\/\*)/.test(line) && pattern.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );

test("no source file of the engine uses the environment, the console, the signals or the exit of the process", () => {
  expect(sources.length).toBeGreaterThan(100);
  expect(
    linesWith(
      /\bprocess\.(env|exit|exitCode|abort|cwd|chdir|on|once|addListener|std(in|out|err))\b|\bconsole\b/,
    ),
  ).toEqual([]);
});
