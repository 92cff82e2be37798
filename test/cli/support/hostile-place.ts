import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Command } from "commander";
import { validateXML } from "xmllint-wasm";
import { parse } from "yaml";
import { defineLine } from "../../../src/cli/arguments/command-line";
import { formatOf } from "../../../src/cli/arguments/reports";
import { COMMANDS } from "../../../src/cli/commands";
import { FORMATS as REPORT_FORMATS } from "../../../src/cli/reports/report-formats";
import { HOSTILE, takenLines } from "../../support/hostile";
import { HttpProxy, type Passage } from "../../support/http-proxy";
import { problemsOf } from "./html";
import { openPlace, type Place, TOKENS } from "./place";
import type { Ended } from "./process";

export const HERE = ["--config", "."];
export const HASTY = ["--config", "hasty"];
/** The names of the stacks. Folders and states have the same names. */
export const WEB = `web ${HOSTILE.replaceAll("/", "")}`;
/** The name of the environment. The name is cut, because the service accepts at most 255 characters. */
export const NAME = `production ${HOSTILE.slice(0, 240)}`;
export const PRODUCTION = "steward_protected_environment.production";
const levels = [{ access_level: 40 }];

/** Returns the output formats that the options of a command allow. */
function formatsOf(line: (typeof COMMANDS)[number]["line"]): string[] {
  const command = new Command();
  defineLine(command, line);
  const has = (long: string) => command.options.some((option) => option.long === long);
  return [
    "text",
    ...(has("--json") ? ["json"] : []),
    ...(has("--report") ? Object.keys(REPORT_FORMATS) : []),
  ];
}

/** The report formats, each with the file extension that selects it. */
const ENDINGS = Object.entries(REPORT_FORMATS).map(([format, { extension }]) => ({
  ending: format === "json" ? ".report.json" : extension,
  format,
}));
export const FORMATS = new Map(COMMANDS.map(({ line }) => [line.name, formatsOf(line)]));

/** The place of the running test. */
export let place: Place;
/** For each command, the output formats that have shown a hostile name. Some commands never show a name. */
export const shown = new Map<string, Set<string>>();
let reports = 0;

/** Opens a place for the tests of a file. All names in this place contain hostile text. */
export function useHostilePlace(): void {
  beforeAll(async () => {
    place = await openPlace({
      users: [
        { username: "maya", token: TOKENS.maintainer, name: HOSTILE },
        { username: `mallory ${HOSTILE}`, id: 666, name: HOSTILE },
        { username: "dora", token: TOKENS.developer, name: HOSTILE },
      ],
      groups: [
        {
          path: "acme",
          name: HOSTILE,
          description: HOSTILE,
          members: [
            { user: "maya", role: "owner" },
            { user: `mallory ${HOSTILE}`, role: "maintainer" },
            { user: "dora", role: "developer" },
          ],
        },
      ],
      projects: [
        {
          path: "acme/shop",
          name: HOSTILE,
          description: HOSTILE,
          default_branch: HOSTILE,
          topics: [HOSTILE],
          environments: [NAME, `other ${HOSTILE}`],
          protected_environments: [{ name: `other ${HOSTILE}`, deploy_access_levels: levels }],
        },
      ],
      templates: [{ key: "evil", name: HOSTILE, content: HOSTILE }],
    });
    const configuration = {
      terraform: { required_providers: { steward: { source: "registry.steward.example/steward/steward" } } },
      provider: { steward: [{}] },
      data: {
        steward_project: { shop: { project: "acme/shop" } },
        steward_protected_environments: { all: { project: "acme/shop" } },
        steward_ci_template: { evil: { key: "evil" } },
      },
      resource: {
        steward_protected_environment: {
          production: {
            "//": { metadata: { path: `shop/${HOSTILE}` } },
            for_each: { [HOSTILE]: NAME },
            project: "${data.steward_project.shop.id}",
            name: "${each.value}",
            deploy_access_levels: levels,
          },
        },
      },
      check: {
        name: {
          assert: [
            {
              condition: "${data.steward_project.shop.name == null}",
              error_message: "The name is ${data.steward_project.shop.name}",
            },
          ],
        },
      },
      output: {
        name: { value: "${data.steward_project.shop.name}" },
        map: { value: { [HOSTILE]: "${data.steward_project.shop.name}" } },
        all: { value: "${data.steward_protected_environments.all.environments}" },
        template: { value: "${data.steward_ci_template.evil.content}" },
      },
    };
    place.write("main.tf.json", configuration);
    // The short timeout prevents retries, which would only delay the test.
    place.write("hasty/main.tf.json", { ...configuration, provider: { steward: [{ total_timeout: 1 }] } });
  });
  afterAll(() => place.close());
}

/** Checks the output of a command and records whether it showed a hostile name. */
async function expectSafe(command: string, format: string, { out, err }: Ended, files: readonly string[]) {
  const note = (what: string, text: string) => {
    if (!shown.has(command)) shown.set(command, new Set());
    if (text.includes("PWNED")) shown.get(command)!.add(what);
  };
  expect({ out: takenLines(out), err: takenLines(err) }).toEqual({ out: [], err: [] });
  expect(out + err).not.toContain(TOKENS.maintainer);
  note(format, out + err);
  if (format === "json") for (const one of jsonIn(out)) expect(() => JSON.parse(one)).not.toThrow();
  for (const file of files.filter((one) => readdirSync(place.folder).includes(one))) {
    const text = readFileSync(path.join(place.folder, file), "utf8");
    expect({ file, lines: takenLines(text) }).toEqual({ file, lines: [] });
    expect(text).not.toContain(TOKENS.maintainer);
    const reported = formatOf(file, REPORT_FORMATS)!;
    note(reported, text);
    if (reported === "json" || reported === "widget") expect(() => JSON.parse(text)).not.toThrow();
    if (reported === "junit") jUnit.push({ fileName: file, contents: text });
    if (reported === "markdown") expectMarkdown(text);
    if (reported === "html") expect({ file, problems: problemsOf(text) }).toEqual({ file, problems: [] });
  }
}

/**
 * Returns the JSON texts in an output. A state is one text over several lines. Output that is not a state has one JSON
 * object per line.
 */
const jsonIn = (out: string): string[] =>
  out.startsWith("{\n") ? [out] : out.split("\n").filter((line) => line.trim() !== "");

/** All JUnit reports so far. The reports are validated in one call, because the validator starts slowly. */
const jUnit: { readonly fileName: string; readonly contents: string }[] = [];

export async function expectJUnit(): Promise<void> {
  const schema = readFileSync(path.join(__dirname, "../../../docs/junit.xsd"), "utf8");
  expect(jUnit).not.toEqual([]);
  const { errors } = await validateXML({ xml: jUnit, schema: { fileName: "junit.xsd", contents: schema } });
  expect(errors).toEqual([]);
}

/**
 * Expects that hostile text occurs only in code. In code, hostile text can't create links, mentions, pictures, headings or
 * comments.
 */
function expectMarkdown(text: string): void {
  const withoutFences = text.replace(/^( *)(`{3,})(?:diff|text)\n[\s\S]*?\n\1\2$/gm, "");
  const withoutCode = withoutFences.replace(/(`+)(?!`)[\s\S]*?[^`]\1(?!`)/g, "");
  expect(withoutCode.match(/PWNED|evil|@admin|<img/g)).toBeNull();
}

/** Runs a command with text output, and with `--json` if supported. The first run also writes reports in all formats. */
export async function walk(
  command: string,
  argv: readonly string[],
  { env = {}, formats = ["text", "json"] }: { env?: Record<string, string>; formats?: string[] } = {},
): Promise<void> {
  const known = FORMATS.get(command)!;
  for (const [nth, format] of formats.filter((one) => known.includes(one)).entries()) {
    // Only commands with the option --report write reports, and they do so only in the first run.
    const reported = nth === 0 && known.includes("markdown") ? ENDINGS : [];
    const files = reported.map(({ ending }) => `${++reports}${ending}`);
    const commandLine = [...command.split(" "), ...argv, ...(format === "json" ? ["--json"] : [])];
    const reporting = files.flatMap((file) => ["--report", file]);
    const ended = await place.run([...commandLine, ...reporting], { STEWARD_LOG: "trace", ...env });
    await expectSafe(command, format, ended, files);
  }
}

type Line = string | { readonly text: string } | { readonly json: string } | { save: string; of: string };
const LINES = parse(readFileSync(path.join(__dirname, "../process/hostile-output.yaml"), "utf8")) as Readonly<
  Record<string, readonly Line[]>
>;

/** Runs the command lines that hostile-output.yaml lists for one test. */
export async function walkAll(test: string, names: Readonly<Record<string, string>> = {}): Promise<void> {
  for (const line of LINES[test]!) {
    const { text, json, save, of } = (typeof line === "string" ? { of: line } : line) as Record<
      string,
      string
    >;
    const argv = wordsOf(text ?? json ?? of!, names);
    if (save !== undefined) {
      place.write(save, (await place.run(argv)).out);
      continue;
    }
    const length = FORMATS.has(argv.slice(0, 2).join(" ")) ? 2 : 1;
    const formats = [text === undefined ? [] : ["text"], json === undefined ? [] : ["json"]].flat();
    await walk(argv.slice(0, length).join(" "), argv.slice(length), formats.length === 0 ? {} : { formats });
  }
}

/** Splits a line into words, and replaces names in angle brackets by hostile words. */
function wordsOf(line: string, names: Readonly<Record<string, string>>): string[] {
  const stands: Readonly<Record<string, string>> = {
    ...{ HOSTILE, NAME, PRODUCTION, QUOTED: JSON.stringify(HOSTILE), SAVED: "saved\n::error::PWNED.plan" },
    ...names,
  };
  return line
    .replace("<HERE>", HERE.join(" "))
    .split(" ")
    .map((word) => word.replace(/<(\w+)>/g, (whole, name: string) => stands[name] ?? whole));
}

/** Starts a proxy that modifies the responses of the service. */
export async function through(
  pass: (passage: Passage) => Promise<void>,
  work: (env: { STEWARD_BASE_URL: string }) => Promise<void>,
) {
  const proxy = new HttpProxy(place.service.url, pass);
  try {
    await work({ STEWARD_BASE_URL: await proxy.start() });
  } finally {
    proxy.close();
  }
}
export const body = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value));
export const json = { "content-type": "application/json" };
