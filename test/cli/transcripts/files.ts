import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import Ajv from "ajv/dist/2020";
import { parse } from "yaml";
import { formatLine } from "../../../src/state/journal/entries";
import { linkPackages } from "../../acceptance/support/own-project";
import { takenLines } from "../../support/hostile";
import { makePipe } from "../../support/make-pipe";
import { compare } from "../../support/transcripts/compare";
import { changedPlan } from "../support/changed-plan";
import { problemsOf } from "../support/html";
import type { Place } from "../support/place";
import { deepConfiguration } from "./configurations";

type FileStep = (
  place: Place,
  rest: string,
  block: string,
  kept: Readonly<Record<string, string>>,
  out: string,
) => void | Promise<void>;

const at = ({ folder }: Place, name: string): string => path.join(folder, name);

/** The steps about files, by the first word of the step. */
export const FILE_STEPS: Readonly<Record<string, FileStep>> = {
  /**
   * `write FOLDER/` or `write FILE text`. The text or data of the file can also be below the step. A journal file gets the
   * data as one line.
   */
  write(place, rest, block) {
    const [, name = "", line = ""] = /^(\S+) ?([\s\S]*)$/.exec(rest)!;
    if (name.endsWith("/")) return void mkdirSync(at(place, name), { recursive: true });
    if (name.endsWith(".journal") && line.startsWith("{"))
      return void place.write(name, formatLine(parse(line) as Parameters<typeof formatLine>[0]));
    const content = /\.(?:json|tfstate)$/.test(name) ? parse(block) : `${block}\n`;
    place.write(name, block === "" ? line : content);
  },

  /**
   * `edit FILE [TO]`: runs the JavaScript below the step. `it` is the JSON value in the file; the code changes `it` or
   * returns a new value.
   */
  edit(place, rest, block) {
    const [from, to = from] = rest.split(" ");
    const edited = (text: string): string => {
      const it = JSON.parse(text) as unknown;
      return JSON.stringify(new Function("it", block)(it) ?? it);
    };
    const text = place.read(from!);
    place.write(to!, text.startsWith('{"steward_plan"') ? changedPlan(text, edited) : edited(text));
  },

  /**
   * `replace FILE text => other` replaces the text once. `replace FILE ~ pattern => other` replaces all matches of the
   * pattern.
   */
  replace(place, rest) {
    const [, name = "", isPattern, from = "", to = ""] = /^(\S+) (~ )?(.*) =>(?: (.*))?$/s.exec(rest)!;
    const text = place.read(name);
    if (isPattern) return void place.write(name, text.replace(new RegExp(from, "g"), to));
    expect(text).toContain(from);
    place.write(
      name,
      text.replace(from, () => to),
    );
  },

  /** `do JAVASCRIPT`: runs JavaScript, which can call the functions below. */
  do(place, rest) {
    const functions = rareSteps(place);
    new Function(...Object.keys(functions), rest)(...Object.values(functions));
  },

  /** `file NAME > text`: checks a file with a comparison, or with one of the signs below. */
  file(place, rest, block, kept, out) {
    const [, name = "", sign = "", written = ""] = /^(\S+) (\S+) ?(.*)$/s.exec(rest)!;
    const check = FILE_CHECKS[sign];
    if (check !== undefined) check(place, name, written, kept, out);
    else compare(sign, place.read(name), written, block);
  },
};

/** The functions that JavaScript after `do` can call. Each of these functions is needed by only a few tests. */
const rareSteps = (place: Place) => ({
  remove: (name: string) => rmSync(at(place, name), { recursive: true }),
  /** Creates a symbolic link. Its target may contain spaces. */
  link: (name: string, target: string) => symlinkSync(target, at(place, name)),
  pipe: (name: string) => makePipe(at(place, name)),
  /** Creates the packages that `npm install` would create. */
  packages: (below = "") => linkPackages(at(place, below)),
  /** Changes the byte in the middle of a file. */
  flip(name: string) {
    const bytes = readFileSync(at(place, name));
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(at(place, name), bytes);
  },
  deep: (levels: number) => place.write("deep/main.tf.json", deepConfiguration(levels)),
});

type FileCheck = (
  place: Place,
  name: string,
  written: string,
  kept: Readonly<Record<string, string>>,
  out: string,
) => void;

/** The checks of files, by their signs. */
const FILE_CHECKS: Readonly<Record<string, FileCheck>> = {
  absent: (place, name) => expect(existsSync(at(place, name))).toBe(false),
  /** Lists all files below a folder. */
  holds(place, name, written) {
    const found = readdirSync(at(place, name), { recursive: true, encoding: "utf8" });
    expect(found.sort()).toEqual(written.split(", "));
  },
  /** Expects two files with the same text, or with the same data if they are JSON. */
  equals(place, name, written) {
    const [one, other] = [name, written].map((file) => {
      const text = place.read(file);
      return file.endsWith(".json") ? (JSON.parse(text) as unknown) : text;
    });
    expect(one).toEqual(other);
  },
  /** Expects that the file still contains the kept lines in their order, except for lines that begin with `written`. */
  keeps: (place, name, written, kept) => expectLinesStay(place.read(name), kept[name]!, written),
  /** Expects that the file begins with the last output. */
  begins: (place, name, _, __, out) => expect(place.read(name).startsWith(out)).toBe(true),
  /** Expects all files of the example in the folder, unchanged. */
  example(place, name, written) {
    const example = path.join(__dirname, "../../../examples", written);
    for (const file of readdirSync(example))
      expect(place.read(path.join(name, file))).toBe(readFileSync(path.join(example, file), "utf8"));
  },
  /** Expects that neither the text nor its decoded base64 contains the given text. */
  hides(place, name, written) {
    const text = place.read(name);
    expect(text + decodedIn(text)).not.toContain(written);
  },
  safe: (place, name) => expect(takenLines(place.read(name))).toEqual([]),
  page: (place, name) => expect(problemsOf(place.read(name))).toEqual([]),
  mode: (place, name, written) => expect((statSync(at(place, name)).mode & 0o777).toString(8)).toBe(written),
  sha256: (place, name, written) =>
    expect(createHash("sha256").update(place.read(name)).digest("hex")).toBe(written),
  valid: (place, name) => expectValid(JSON.parse(place.read(name))),
  only: (place, name, written) =>
    expectOnly(JSON.parse(place.read(name)) as Readonly<Record<string, object>>, written.split(" ")),
};

/** Returns the decoded texts of all base64 parts. */
const decodedIn = (text: string): string =>
  [...text.matchAll(/"([A-Za-z0-9+/]{8,}={0,2})"/g)]
    .map(([, one]) => Buffer.from(one!, "base64").toString())
    .join("\n");

/** Validates a report against the published schema. */
function expectValid(report: unknown): void {
  const schema = readFileSync(path.join(__dirname, "../../../docs/report.schema.json"), "utf8");
  const isValid = new Ajv({ strict: true }).compile(JSON.parse(schema) as object);
  expect([isValid(report), isValid.errors]).toEqual([true, null]);
}

/** Expects that the object at the path `below` has exactly these names. */
function expectOnly(data: Readonly<Record<string, object>>, [below, ...names]: readonly string[]): void {
  const found = below!.split(".").reduce((part: object, name) => part[name as never], data);
  expect(Object.keys(found).sort()).toEqual(names);
}

/** Returns the files below a folder, without packages. */
export const filesBelow = (folder: string, below: string): string[] =>
  readdirSync(path.join(folder, below)).flatMap((name) => {
    const at = path.join(below, name);
    if (name === "node_modules") return [];
    const found = statSync(path.join(folder, at));
    if (found.isDirectory()) return filesBelow(folder, at);
    return found.isFile() ? [at] : [];
  });

function expectLinesStay(text: string, kept: string, word: string): void {
  const lines = text.split("\n");
  let found = -1;
  for (const line of kept.split("\n").filter((one) => !one.startsWith(word))) {
    found = lines.indexOf(line, found + 1);
    expect([line, found]).toEqual([line, expect.any(Number)]);
    expect(found).toBeGreaterThanOrEqual(0);
  }
}
