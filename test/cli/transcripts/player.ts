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
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { formatLine } from "../../../src/state/journal/line-format";
import { deepJson } from "../../support/deep-json";
import { HOSTILE, takenLines } from "../../support/hostile";
import { makePipe } from "../../support/make-pipe";
import { expectLike, jsonIn, picked, typesIn } from "../../support/transcripts/data";
import { type Step, wordsOf } from "../../support/transcripts/parse";
import { addressesIn, synthesizeOnce } from "../support/app";
import { changedPlan } from "../support/changed-plan";
import { problemsOf } from "../support/html";
import { CONFIGURATION, type Place, TOKENS } from "../support/place";
import type { Ended } from "../support/process";
import { configured, declareStacks, deepConfiguration } from "./configurations";

const DEEP = deepJson(200_000);
/** Frames of diagnostics break lines. */
const flat = (text: string) => text.replace(/\s*\n│? */g, " ");
const ASKED = (request: { method: string; route?: string | undefined }) =>
  `${request.method} ${request.route}`;

/** Plays the steps of one transcript against a place. */
export class Player {
  #ended: Ended = { code: 0, out: "", err: "" };
  #env: Record<string, string> = {};
  #folder = "";
  #kept: Readonly<Record<string, string>> = {};

  constructor(
    readonly place: Place,
    readonly texts: Readonly<Record<string, string>>,
  ) {}

  async play(steps: readonly Step[]): Promise<void> {
    this.#env = {};
    this.#folder = "";
    for (const step of steps) {
      try {
        await this.#take(step.word, this.#filled(step.rest), this.#filled(step.block));
      } catch (problem) {
        const { code, out, err } = this.#ended;
        (problem as Error).message =
          `${step.at}: ${step.word} ${step.rest}\n${(problem as Error).message}\n--- exit ${code}\n${out}--- stderr\n${err}`;
        throw problem;
      }
    }
  }

  /** Texts of the transcript, tokens and places stand in angle brackets. */
  #filled(text: string): string {
    const { service, folder } = this.place;
    const [SOURCES, evil] = [path.join(__dirname, "../../../src"), JSON.stringify(HOSTILE)];
    const known: Readonly<Record<string, string>> = {
      ...this.texts,
      ...TOKENS,
      admin: service.adminToken,
      URL: service.url,
      FOLDER: folder,
      SOURCES,
      HOSTILE: evil,
      DEEP,
    };
    const filled = (one: string): string =>
      one.replace(/<([\w-]+)>/g, (whole, name: string) => {
        const value = known[name];
        return value === undefined ? whole : name in this.texts ? filled(value) : value;
      });
    return filled(text);
  }

  async #take(word: string, rest: string, block: string): Promise<void> {
    const { place } = this;
    const { out, err } = this.#ended;
    const text = rest.replaceAll("\\n", "\n");
    switch (word) {
      case "$":
        return this.#run(rest);
      case ">":
        return expect(out).toContain(text);
      case "|":
        return expect(out).toContain(block === "" ? `${text}\n` : `${text}\n${block}\n`);
      case "all":
        return expect(out).toBe(block === "" ? text : `${block}\n`);
      case "!":
        return expect(flat(err)).toContain(text);
      case "-":
        return expect(out + flat(err)).not.toContain(text);
      case "~":
        return expect(out + err).toMatch(new RegExp(rest));
      case "quiet":
        return expect(err).toBe("");
      case "@":
        return this.#some(parse(rest + block));
      case "@@":
        return expectLike(jsonIn(out).at(-1), parse(rest + block));
      case "types":
        return expect(typesIn(out)).toEqual(rest.split(" "));
      case "only":
        return this.#only(rest);
      case "errors":
        return expect(err.split("│ Error: ").length - 1).toBe(Number(rest));
      case "unchecked":
        expect(out).toContain("2 objects could not be checked");
        expect(out).not.toMatch(/No changes|No drift|matches|all as in the state|is gone/);
        expect(err).toContain("Not available in this project");
        return expect(err).toContain("steward state rm steward_protected_environment.production");
      case "refused":
        return this.#refused(rest);
      case "begins":
        return expect(this.place.read(rest).startsWith(out)).toBe(true);
      case "counted":
        return this.#counted(rest);
      case "sent":
        return expect(this.#sent()).toEqual(listed(rest));
      case "first":
        return expect(this.#asked().slice(0, listed(rest).length).sort()).toEqual(listed(rest).sort());
      case "asked":
        return expect(this.#asked().sort()).toEqual(listed(rest).sort());
      case "looked":
        return expect(this.#lookedUp()).toEqual(rest === "nothing" ? [] : rest.split(" "));
      case "safe":
        return expect(takenLines(out + err)).toEqual([]);
      case "hand":
        return this.#hand(rest);
      case "fault":
        return place.service.faults.add(parse(rest) as Parameters<typeof place.service.faults.add>[0]);
      case "declare":
        return void place.write(path.join(rest, "main.tf.json"), configured(parse(block) ?? {}));
      case "app":
        return rest === "" ? synthesizeOnce(place, block) : void place.write("cdktf.json", parse(rest));
      case "stacks":
        return declareStacks(place, parse(block));
      case "edit":
        return this.#edit(rest, block);
      case "holds":
        return this.#holds(rest);
      case "journal":
        return this.#journal(rest);
      case "flip":
        return this.#flip(rest);
      case "deep":
        return void place.write("deep/main.tf.json", deepConfiguration(Number(rest)));
      case "remove-project":
        return this.#hand(`DELETE /projects/${rest}`, place.service.adminToken);
      case "link":
        return symlinkSync(rest.split(" ")[1]!, path.join(place.folder, rest.split(" ")[0]!));
      case "pipe":
        return makePipe(path.join(place.folder, rest));
      case "default":
        return void place.write(path.join(rest, "main.tf.json"), CONFIGURATION);
      case "write":
        return this.#write(rest, block);
      case "save":
        return void place.write(rest, out);
      case "file":
        return this.#file(rest, block);
      case "keep":
        this.#kept = this.#files();
        return;
      case "same":
        return rest === ""
          ? expect(this.#files()).toEqual(this.#kept)
          : expect(place.read(rest)).toBe(this.#kept[rest]);
      case "absent":
        return expect(existsSync(path.join(place.folder, rest))).toBe(false);
      case "remove":
        return rmSync(path.join(place.folder, rest), { recursive: true });
      case "folder":
        return void mkdirSync(path.join(place.folder, rest), { recursive: true });
      case "cd":
        this.#folder = rest;
        return;
      case "as":
        this.#env = { STEWARD_TOKEN: this.#filled(`<${rest}>`) };
        return;
      default:
        throw new Error(`No such step: ${word}`);
    }
  }

  /** `NAME=value … command … => exit`. The exit is 0 where it is not named. */
  async #run(line: string): Promise<void> {
    const [command, exit = "0"] = line.split(/ => (?=\d$)/);
    const words = wordsOf(command!);
    const first = words.findIndex((word) => !/^[A-Z_a-z]+=/.test(word));
    const env = Object.fromEntries(words.slice(0, first).map((word) => word.split(/=(.*)/s)));
    this.place.service.requests.reset();
    this.#ended = await this.place.runIn(this.#folder, words.slice(first), { ...this.#env, ...env });
    expect({ exit: this.#ended.code }).toEqual({ exit: Number(exit) });
    expect(this.#ended.err).not.toContain("Internal error");
  }

  /** `refused COMMAND => TEXT`: it fails, says so and sends no change. */
  async #refused(rest: string): Promise<void> {
    const [command, text] = rest.split(/ => ?/);
    await this.#run(`${command} => 1`);
    expect(flat(this.#ended.err)).toContain(text);
    expect(this.#sent()).toEqual([]);
  }

  #some(pattern: unknown): void {
    const values = jsonIn(this.#ended.out);
    const found = values.map((one) => picked(one, pattern));
    // One value is shown as it differs, of several all.
    if (values.length === 1) expect(found[0]).toEqual(pattern);
    else if (!found.some((one) => isDeepStrictEqual(one, pattern))) expect(values).toContainEqual(pattern);
  }

  /** The texts of the folder's files. */
  #files = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      readdirSync(this.place.folder, { recursive: true, encoding: "utf8" })
        .filter((name) => statSync(path.join(this.place.folder, name)).isFile())
        .map((name) => [name, this.place.read(name)]),
    );

  #counted(rest: string): void {
    const [, count, request] = /^(\d+) (.*)$/.exec(rest)!;
    expect(this.#asked().filter((one) => one === request)).toHaveLength(Number(count));
  }

  /** `only TYPE DATA`: the one event of a type. */
  #only(rest: string): void {
    const [, type, data] = /^(\w+) (.*)$/.exec(rest)!;
    const found = (jsonIn(this.#ended.out) as { type: string }[]).filter((one) => one.type === type);
    expectLike(found, [parse(data!)]);
  }

  #modeOf = (name: string): string => (statSync(path.join(this.place.folder, name)).mode & 0o777).toString(8);

  #sent = (): string[] => this.#asked().filter((one) => !one.startsWith("GET "));

  #asked = (): string[] => this.place.service.requests.all.map(ASKED);

  /** The projects that the last command looked up. */
  #lookedUp = (): string[] =>
    this.place.service.requests.all
      .filter(({ route }) => route === "/projects/:id")
      .map(({ url }) => url.replace("/api/v4", ""))
      .sort();

  async #hand(rest: string, token?: string): Promise<void> {
    const [, method, url, body, refused] = /^(\w+) (\S+) ?(.*?)(?: ?=> (\d+))?$/.exec(rest)!;
    const status = await this.place.byHand(method!, url!, body ? (parse(body) as object) : undefined, token);
    if (refused === undefined) expect(status).toBeLessThan(300);
    else expect(status).toBe(Number(refused));
  }

  #write(rest: string, block: string): void {
    const [, name, line] = /^(\S+) ?([\s\S]*)$/.exec(rest)!;
    const isData = /\.(?:json|tfstate)$/.test(name!) && block !== "";
    this.place.write(name!, isData ? parse(block) : block === "" ? line! : `${block}\n`);
  }

  /** `edit FILE [TO]`: JavaScript below it changes `it`, which the file holds as JSON, or returns another. */
  #edit(rest: string, block: string): void {
    const [from, to = from] = rest.split(" ");
    const edited = (text: string): string => {
      const it = JSON.parse(text) as unknown;
      return JSON.stringify(new Function("it", block)(it) ?? it);
    };
    const text = this.place.read(from!);
    this.place.write(to!, text.startsWith('{"steward_plan"') ? changedPlan(text, edited) : edited(text));
  }

  /** `holds STACK ADDRESS…`: the addresses in the state of a stack. */
  async #holds(rest: string): Promise<void> {
    const [stack, ...addresses] = rest.split(" ");
    const file = path.join(this.place.folder, `terraform.${stack}.tfstate`);
    expect(await addressesIn(file)).toEqual(addresses);
  }

  /** `journal FILE DATA`: a journal with one line. */
  #journal(rest: string): void {
    const [name, data] = rest.split(/ (.*)/s);
    this.place.write(name!, formatLine(parse(data!) as Parameters<typeof formatLine>[0]));
  }

  /** Changes the byte in the middle of a file. */
  #flip(name: string): void {
    const file = path.join(this.place.folder, name);
    const bytes = readFileSync(file);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(file, bytes);
  }

  /** `file NAME > text`, `- text`, `hides text`, `~ pattern`, `= text`, `@ data` or `mode 600`. */
  #file(rest: string, block: string): void {
    const [, name, how, expected] = /^(\S+) ([-~>@=]|safe|page|hides|mode) ?(.*)$/.exec(rest)!;
    const text = this.place.read(name!);
    const told = expected!.replaceAll("\\n", "\n");
    if (how === ">") expect(text).toContain(told);
    else if (how === "-") expect(text).not.toContain(told);
    else if (how === "page") expect(problemsOf(text)).toEqual([]);
    else if (how === "hides") expect(text + decodedIn(text)).not.toContain(told);
    else if (how === "mode") expect(this.#modeOf(name!)).toBe(told);
    else if (how === "safe") expect(takenLines(text)).toEqual([]);
    else if (how === "~") expect(text).toMatch(new RegExp(expected!));
    else if (how === "=") expect(text).toBe(block === "" ? told : `${block}\n`);
    else expectLike(JSON.parse(text), parse(expected + block));
  }
}

/** What texts in base64 hold. */
const decodedIn = (text: string): string =>
  [...text.matchAll(/"([A-Za-z0-9+/]{8,}={0,2})"/g)]
    .map(([, one]) => Buffer.from(one!, "base64").toString())
    .join("\n");

const listed = (rest: string): string[] => (rest === "nothing" ? [] : rest.split(", "));
