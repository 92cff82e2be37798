import { readdirSync, statSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parse } from "yaml";
import { deepJson } from "../../support/deep-json";
import { HOSTILE, takenLines } from "../../support/hostile";
import { expectLike, jsonIn, picked, typesIn } from "../../support/transcripts/data";
import { type Step, wordsOf } from "../../support/transcripts/parse";
import { synthesizeOnce } from "../support/app";
import { runInProcess } from "../support/in-process";
import { CONFIGURATION, type Place, TOKENS } from "../support/place";
import type { Ended } from "../support/process";
import { configured, declareStacks, deepConfiguration, planJson } from "./configurations";
import { FILE_STEPS } from "./files";

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
  #keptRequests: readonly string[] = [];
  #kept: Readonly<Record<string, string>> = {};
  #hidden: readonly string[] = [];
  readonly texts: Record<string, string>;

  constructor(
    readonly place: Place,
    texts: Readonly<Record<string, string>>,
  ) {
    this.texts = { ...texts };
  }

  async play(steps: readonly Step[]): Promise<void> {
    this.#env = {};
    this.#folder = "";
    this.#hidden = [];
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
    const root = path.join(__dirname, "../../..");
    const evil = JSON.stringify(HOSTILE);
    const known: Readonly<Record<string, string>> = {
      ...this.texts,
      ...TOKENS,
      admin: service.adminToken,
      URL: service.url,
      FOLDER: folder,
      SOURCES: path.join(root, "src"),
      MODULES: path.join(root, "node_modules"),
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
    const ofFiles = FILE_STEPS[word];
    if (ofFiles !== undefined) return ofFiles(place, rest, block);
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
      case "unframed":
        return expect(flat(err)).toMatch(new RegExp(rest));
      case "diagnostics":
        return this.#diagnostics(rest);
      case "refused":
        return this.#refused(rest);
      case "begins":
        return expect(this.place.read(rest).startsWith(out)).toBe(true);
      case "counted":
        return this.#counted(rest);
      case "sent":
        return expect(this.#sent()).toEqual(listed(rest));
      case "writes":
        return expect(this.#sent()).toHaveLength(Number(rest));
      case "keep-requests":
        this.#keptRequests = this.#asked();
        return;
      case "same-requests":
        return expect(this.#asked()).toHaveLength(this.#keptRequests.length);
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
      case "by":
        return this.#hand(
          rest.slice(rest.indexOf(" ") + 1),
          TOKENS[rest.split(" ")[0] as keyof typeof TOKENS],
        );
      case "live":
        return this.#live(rest, block);
      case "take":
        return this.#taken(rest);
      case "hidden":
        this.#hidden = listed(rest);
        return;
      case "fault":
        return place.service.faults.add(parse(rest) as Parameters<typeof place.service.faults.add>[0]);
      case "clear":
        return place.service.faults.clear();
      case "declare":
        return void place.write(path.join(rest, "main.tf.json"), configured(parse(block) ?? {}));
      case "app":
        return rest === "" ? synthesizeOnce(place, block) : void place.write("cdktf.json", parse(rest));
      case "plan-json":
        return void place.write(rest, planJson(parse(block) as Parameters<typeof planJson>[0]));
      case "stacks":
        return declareStacks(place, parse(block));
      case "deep":
        return void place.write("deep/main.tf.json", deepConfiguration(Number(rest)));
      case "admin":
        return this.#hand(rest, place.service.adminToken);
      case "remove-project":
        return this.#hand(`DELETE /projects/${rest}`, place.service.adminToken);
      case "default":
        return void place.write(path.join(rest, "main.tf.json"), CONFIGURATION);
      case "save":
        return void place.write(rest, out);
      case "keep":
        this.#kept = this.#files();
        return;
      case "same":
        return rest === ""
          ? expect(this.#files()).toEqual(this.#kept)
          : expect(place.read(rest)).toBe(this.#kept[rest]);
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

  /** `NAME=value … command … < FILE => exit`. The exit is 0 where it is not named. */
  async #run(line: string): Promise<void> {
    const [told, exit = "0"] = line.split(/ => (?=\d$)/);
    const [command, input] = told!.split(" < ");
    const words = wordsOf(command!);
    const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
    const env = Object.fromEntries(words.slice(0, first).map((word) => word.split(/=(.*)/s)));
    this.place.service.requests.reset();
    const { folder, env: known } = this.place;
    this.#ended = await runInProcess(words.slice(first), {
      folder: path.join(folder, this.#folder),
      env: { ...known, ...this.#env, ...env },
      ...(input !== undefined && { input: this.place.read(input) }),
    });
    expect({ exit: this.#ended.code }).toEqual({ exit: Number(exit) });
    expect(this.#ended.err).not.toContain("Internal error");
    if (this.#hidden.length === 0) return;
    const reports = readdirSync(folder).filter((name) => name.startsWith("report."));
    const shown = [this.#ended.out, this.#ended.err, ...reports.map((name) => this.place.read(name))].join(
      "\n",
    );
    for (const text of this.#hidden)
      expect(shown.split("\n").filter((one) => one.includes(text))).toEqual([]);
  }

  /** `take NAME pattern`: `<NAME>` stands from here on for what the pattern's group finds in the last output. */
  #taken(rest: string): void {
    const [name, pattern] = rest.split(/ (.*)/s);
    const found = new RegExp(pattern!, "m").exec(this.#ended.out + this.#ended.err);
    expect([pattern, found?.[1]]).toEqual([pattern, expect.any(String)]);
    this.texts[name!] = found![1]!;
  }

  /** `live PATH data`: what an administrator reads there. */
  async #live(rest: string, block: string): Promise<void> {
    const [at, data = ""] = rest.split(/ (.*)/s);
    const headers = { "private-token": this.place.service.adminToken };
    const answer = await fetch(`${this.place.service.url}/api/v4${at}`, { headers });
    expectLike(await answer.json(), parse(data + block));
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

  /** `diagnostics COUNT CODE [ADDRESS] [before TYPE]`: how many events tell of it. */
  #diagnostics(rest: string): void {
    const [, count, code, address, type] = /^(\d+) (\w+)(?: (?!before )(\S+))?(?: before (\w+))?$/.exec(
      rest,
    )!;
    const events = jsonIn(this.#ended.out) as {
      type: string;
      diagnostic?: { code: string; address?: string };
    }[];
    const end = type === undefined ? events.length : events.findIndex((one) => one.type === type);
    const told = events.slice(0, end).flatMap(({ diagnostic }) => diagnostic ?? []);
    const found = told.filter((one) => one.code === code && [undefined, one.address].includes(address));
    expect(found).toHaveLength(Number(count));
    expect(new Set(found.map((one) => one.address)).size).toBe(found.length);
  }

  /** `only TYPE DATA`: the one event of a type, or the list of all of them. */
  #only(rest: string): void {
    const [, type, data] = /^(\w+) (.*)$/.exec(rest)!;
    const found = (jsonIn(this.#ended.out) as { type: string }[]).filter((one) => one.type === type);
    const wanted: unknown = parse(data!);
    expectLike(found, Array.isArray(wanted) ? wanted : [wanted]);
  }

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
}

const listed = (rest: string): string[] => (rest === "nothing" ? [] : rest.split(", "));
