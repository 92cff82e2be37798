import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SOURCES = join(__dirname, "../../src");

/**
 * Modules that any provider could use. The second provider, in `examples/another-provider`, uses some of these modules.
 */
const GENERAL = [
  ...["text", "json", "files", "schema", "http", "transport", "language", "state", "framework"],
  ...["plugin", "engine"],
];

/** Matches words of this provider's API, of its resources, roles and configuration. */
const WORDS = [
  /\bprojects?\b/i,
  /job[ _-]?token|allow[ _-]?list/i,
  /protected[ _]?environment|deploy_access|approval_rule/i,
  /invitation|membership|merge request|pipeline/i,
  /container[ _]protection|pages[ _](?:settings|domain)/i,
  /\b(?:or|and) groups?\b|\bgroups? (?:or|and)\b|\bsub_?groups?\b/i,
  /maintainer|access[ _]level/i,
  // Names in files of Steward, such as `steward_plan`, are allowed, because they are not resource types.
  /\bsteward_(?!plan\b|journal\b)\w/,
  // Environment variables of the program itself are allowed, because they do not configure the provider.
  /\bSTEWARD_(?!APP\b|LOG\b|STATE_)\w/,
  /\bbase_url\b|\bCI_API|\/api\/v4/,
];

interface Line {
  readonly place: string;
  readonly text: string;
}

const linesOf = (module: string): Line[] =>
  readdirSync(join(SOURCES, module), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) =>
      readFileSync(join(SOURCES, module, name), "utf8")
        .split("\n")
        .map((text, at) => ({ place: `src/${module}/${name}:${at + 1}`, text: text.trim() })),
    );

test.each(GENERAL)("src/%s contains no words of this provider's API", (module) => {
  expect(linesOf(module).filter(({ text }) => WORDS.some((word) => word.test(text)))).toEqual([]);
});

/**
 * The modules whose code runs under both hosts. Code for both hosts returns an action as data (`Diagnostic.action`),
 * and each host formats it.
 */
const UNDER_BOTH_HOSTS = ["schema", "http", "api", "framework", "provider"];
const COMMAND =
  /\b(?:steward|terraform|tofu) (?:apply|destroy|drift|force-unlock|import|init|plan|schema|show|state)\b/;

test.each(UNDER_BOTH_HOSTS)("src/%s contains no command of Steward, Terraform or OpenTofu", (module) => {
  expect(linesOf(module).filter(({ text }) => COMMAND.test(text))).toEqual([]);
});

const STEWARD_COMMAND =
  /\bsteward (?:apply|destroy|drift|import|init|migrate|plan|refresh|schema|show|snapshot|state|unlock|validate)\b/;

test.each(["engine", "language", "state"])(
  "src/%s contains no command of Steward outside of comments",
  (module) => {
    const code = linesOf(module).filter(({ text }) => !/^(?:\*|\/\/|\/\*\*)/.test(text));
    expect(code.filter(({ text }) => STEWARD_COMMAND.test(text))).toEqual([]);
  },
);

/** Matches code that splits a text at its first or last colon. Ids of this provider have colons. */
const SPLIT_AT_COLON = /\.(?:split|indexOf|lastIndexOf|includes|search|match)\(\s*(["'`/]):\1/;

test.each(["engine", "cli", "adopt", "state", "schema", "plugin"])(
  "src/%s contains no code that splits an id at a colon",
  (module) => {
    expect(linesOf(module).filter(({ text }) => SPLIT_AT_COLON.test(text))).toEqual([]);
  },
);

test("src/framework contains code that splits an id at a colon", () => {
  expect(linesOf("framework").some(({ text }) => SPLIT_AT_COLON.test(text))).toBe(true);
});
