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
import { expectLike } from "../../support/transcripts/data";
import { addressesIn } from "../support/app";
import { changedPlan } from "../support/changed-plan";
import { problemsOf } from "../support/html";
import type { Place } from "../support/place";

type FileStep = (place: Place, rest: string, block: string) => void | Promise<void>;

const at = ({ folder }: Place, name: string): string => path.join(folder, name);

/** The steps about files, by their words. */
export const FILE_STEPS: Readonly<Record<string, FileStep>> = {
  write(place, rest, block) {
    const [, name, line] = /^(\S+) ?([\s\S]*)$/.exec(rest)!;
    const isData = /\.(?:json|tfstate)$/.test(name!) && block !== "";
    place.write(name!, isData ? parse(block) : block === "" ? line! : `${block}\n`);
  },

  /** `edit FILE [TO]`: JavaScript below it changes `it`, which the file holds as JSON, or returns another. */
  edit(place, rest, block) {
    const [from, to = from] = rest.split(" ");
    const edited = (text: string): string => {
      const it = JSON.parse(text) as unknown;
      return JSON.stringify(new Function("it", block)(it) ?? it);
    };
    const text = place.read(from!);
    place.write(to!, text.startsWith('{"steward_plan"') ? changedPlan(text, edited) : edited(text));
  },

  /** `cut FILE pattern`: takes out what matches. */
  cut(place, rest) {
    const [name, pattern] = rest.split(/ (.*)/s);
    place.write(name!, place.read(name!).replace(new RegExp(pattern!, "g"), ""));
  },

  /** `replace FILE text => other`: once. */
  replace(place, rest) {
    const [, name, from, to] = /^(\S+) (.*) => (.*)$/s.exec(rest)!;
    expect(place.read(name!)).toContain(from);
    place.write(
      name!,
      place.read(name!).replace(from!, () => to!),
    );
  },

  /** What `npm install` leaves. */
  packages: (place, below) => linkPackages(at(place, below)),

  /** `example NAME FOLDER`: the folder has all files of the example, as they are there. */
  example(place, rest) {
    const [name, folder] = rest.split(" ");
    const example = path.join(__dirname, "../../../examples", name!);
    for (const file of readdirSync(example))
      expect(place.read(path.join(folder!, file))).toBe(readFileSync(path.join(example, file), "utf8"));
  },

  /** Changes the byte in the middle. */
  flip(place, name) {
    const bytes = readFileSync(at(place, name));
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(at(place, name), bytes);
  },

  /** `journal FILE DATA`: a journal of one line. */
  journal(place, rest) {
    const [name, data] = rest.split(/ (.*)/s);
    place.write(name!, formatLine(parse(data!) as Parameters<typeof formatLine>[0]));
  },

  link(place, rest) {
    // The target may be a path with spaces.
    const [name, target] = rest.split(/ (.*)/s);
    symlinkSync(target!, at(place, name!));
  },
  pipe: (place, name) => makePipe(at(place, name)),
  remove: (place, name) => rmSync(at(place, name), { recursive: true }),
  folder: (place, name) => void mkdirSync(at(place, name), { recursive: true }),
  /** `files FOLDER a, b`: all that is there. */
  files(place, rest) {
    const [folder, listed] = rest.split(/ (.*)/s);
    const found = readdirSync(at(place, folder!), { recursive: true, encoding: "utf8" });
    expect(found.sort()).toEqual(listed!.split(", "));
  },
  equal(place, rest) {
    const [one, other] = rest.split(" ").map((name) => {
      const text = place.read(name);
      return name.endsWith(".json") ? (JSON.parse(text) as unknown) : text;
    });
    expect(one).toEqual(other);
  },
  absent: (place, name) => expect(existsSync(at(place, name))).toBe(false),

  /** `holds STACK ADDRESS…`: the addresses in the state of a stack. */
  async holds(place, rest) {
    const [stack, ...addresses] = rest.split(" ");
    expect(await addressesIn(at(place, `terraform.${stack}.tfstate`))).toEqual(addresses);
  },

  /** `file NAME > text`, `- text`, `hides text`, `~ pattern`, `= text`, `@ data` or `mode 600`. */
  file(place, rest, block) {
    const [, name, how, expected] = /^(\S+) ([-~>|@=]|safe|page|hides|mode|sha256|valid|only) ?(.*)$/.exec(
      rest,
    )!;
    const text = place.read(name!);
    const told = expected!.replaceAll("\\n", "\n");
    if (how === ">") expect(text).toContain(told);
    else if (how === "-") expect(text).not.toContain(told);
    else if (how === "hides") expect(text + decodedIn(text)).not.toContain(told);
    else if (how === "|") expect(text).toContain(`${block}\n`);
    else if (how === "sha256") expect(createHash("sha256").update(text).digest("hex")).toBe(told);
    else if (how === "only") expectOnly(JSON.parse(text), told.split(" "));
    else if (how === "valid") expectValid(JSON.parse(text));
    else if (how === "mode") expect((statSync(at(place, name!)).mode & 0o777).toString(8)).toBe(told);
    else if (how === "page") expect(problemsOf(text)).toEqual([]);
    else if (how === "safe") expect(takenLines(text)).toEqual([]);
    else if (how === "~") expect(text).toMatch(new RegExp(expected!));
    else if (how === "=") expect(text).toBe(block === "" ? told : `${block}\n`);
    else expectLike(JSON.parse(text), parse(expected + block));
  },
};

/** What texts in base64 hold. */
const decodedIn = (text: string): string =>
  [...text.matchAll(/"([A-Za-z0-9+/]{8,}={0,2})"/g)]
    .map(([, one]) => Buffer.from(one!, "base64").toString())
    .join("\n");

/** Holds a report against the schema that is published. */
function expectValid(report: unknown): void {
  const schema = readFileSync(path.join(__dirname, "../../../docs/report.schema.json"), "utf8");
  const isValid = new Ajv({ strict: true }).compile(JSON.parse(schema) as object);
  expect([isValid(report), isValid.errors]).toEqual([true, null]);
}

/** Expects these names and no others below a path of names. */
function expectOnly(data: Readonly<Record<string, object>>, [below, ...names]: readonly string[]): void {
  const found = below!.split(".").reduce((part: object, name) => part[name as never], data);
  expect(Object.keys(found).sort()).toEqual(names);
}

/** The files of a folder but for those of packages. */
export const filesBelow = (folder: string, below: string): string[] =>
  readdirSync(path.join(folder, below)).flatMap((name) => {
    const at = path.join(below, name);
    if (name === "node_modules") return [];
    const found = statSync(path.join(folder, at));
    if (found.isDirectory()) return filesBelow(folder, at);
    return found.isFile() ? [at] : [];
  });

/** `lines FILE WORD`: the kept lines of the file are still there in their order, but for those that begin with the word. */
export function expectLinesStay(place: Place, kept: Readonly<Record<string, string>>, rest: string): void {
  const [name, word] = rest.split(" ");
  const lines = place.read(name!).split("\n");
  let found = -1;
  for (const line of kept[name!]!.split("\n").filter((one) => !one.startsWith(word!))) {
    found = lines.indexOf(line, found + 1);
    expect([line, found]).toEqual([line, expect.any(Number)]);
    expect(found).toBeGreaterThanOrEqual(0);
  }
}
