import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import type { Terminal } from "../../../src/cli/terminal/terminal";
import { type Service, startService } from "../../../src/service";
import { deepJson } from "../../support/deep-json";
import { HOSTILE, takenLines } from "../../support/hostile";
import { expectLike, jsonIn, typesIn } from "../../support/transcripts/data";
import { type Step, wordsOf } from "../../support/transcripts/parse";
import { synthesizeOnce } from "../support/app";
import { runInProcess } from "../support/in-process";
import { CONFIGURATION, type Place, TOKENS } from "../support/place";
import type { Ended } from "../support/process";
import { configured, declareStacks, deepConfiguration, planJson } from "./configurations";
import { expectDiagnostics, expectOnly, expectSome } from "./events";
import { expectLinesStay, FILE_STEPS, filesBelow } from "./files";

const { version: VERSION } = JSON.parse(
  readFileSync(path.join(__dirname, "../../../package.json"), "utf8"),
) as { version: string };
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
  readonly #questions: string[] = [];
  readonly #served: Service[] = [];
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
      VERSION,
      HOSTILE: evil,
      DEEP,
    };
    const filled = (one: string): string =>
      one.replace(/<([\w-]+)>/g, (whole, name: string) => {
        const value = known[name];
        if (value === undefined) return whole;
        return name in this.texts ? filled(value) : value;
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
      case "lines":
        return expectLinesStay(place, this.#kept, rest);
      case "answer":
        return this.#answer(rest);
      case "questions":
        if (rest === "nothing") return expect(this.#questions).toEqual([]);
        return expect(this.#questions.join("\n")).toContain(text.slice(2));
      case "@":
        return expectSome(out, parse(rest + block));
      case "@@":
        return expectLike(jsonIn(out).at(-1), parse(rest + block));
      case "types":
        return expect(typesIn(out)).toEqual(rest.split(" "));
      case "only":
        return expectOnly(out, rest);
      case "errors":
        return expect(err.split("│ Error: ").length - 1).toBe(Number(rest));
      case "unchecked":
        expect(out).toContain("2 objects could not be checked");
        expect(out).not.toMatch(/No changes|No drift|matches|all match the state|is gone/);
        expect(err).toContain("Not available in this project");
        return expect(err).toContain("steward state rm steward_protected_environment.production");
      case "unframed":
        return expect(flat(err)).toMatch(new RegExp(rest));
      case "diagnostics":
        return expectDiagnostics(out, rest);
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
      case "never-asked":
        return expect(place.service.requests.all.filter(({ url }) => url.includes(rest))).toEqual([]);
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
        return this.#by(rest.split(" ")[0]!, rest.slice(rest.indexOf(" ") + 1));
      case "serve":
        return this.#serve(rest);
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
  async #run(line: string, ask?: Terminal["ask"]): Promise<void> {
    const [told, exit = "0"] = line.split(/ => (?=\d$)/);
    const [command, input] = told!.split(" < ");
    const words = wordsOf(command!);
    const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
    const env = Object.fromEntries(words.slice(0, first).map((word) => word.split(/=(.*)/s)));
    this.place.service.requests.reset();
    const { folder, env: known } = this.place;
    const all = Object.entries<string>({ ...known, ...this.#env, ...env }).filter(
      ([, value]) => value !== "(none)",
    );
    this.#ended = await runInProcess(words.slice(first), {
      folder: path.join(folder, this.#folder),
      env: Object.fromEntries(all),
      ...(input !== undefined && { input: this.place.read(input) }),
      ...(ask && { ask }),
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

  /** `serve FILE`: a service with this fixture, whose address and token stand as `<COPY>` and `<COPY_TOKEN>`. */
  async #serve(file: string): Promise<void> {
    const copy = await startService({ fixture: path.join(this.place.folder, file) });
    this.#served.push(copy);
    Object.assign(this.texts, { COPY: copy.url, COPY_TOKEN: copy.adminToken });
  }

  async close(): Promise<void> {
    for (const copy of this.#served) await copy.close();
    await this.place.close();
  }

  /** `live PATH data`: what an administrator reads there. */
  async #live(rest: string, block: string): Promise<void> {
    const [at, data = ""] = rest.split(/ (.*)/s);
    const headers = { "private-token": this.place.service.adminToken };
    const answer = await fetch(`${this.place.service.url}/api/v4${at}`, { headers });
    expectLike(await answer.json(), parse(data + block));
  }

  /** `answer TEXT COMMAND`: on a terminal, whose questions get this answer. */
  #answer(rest: string): Promise<void> {
    const [answer, line] = rest.split(/ (.*)/s);
    return this.#run(line!, async (question) => {
      this.#questions.push(question.join("\n"));
      return answer;
    });
  }

  /** `refused COMMAND => TEXT`: it fails, says so and sends no change. */
  async #refused(rest: string): Promise<void> {
    const [command, text] = rest.split(/ => ?/);
    await this.#run(`${command} => 1`);
    expect(flat(this.#ended.err)).toContain(text);
    expect(this.#sent()).toEqual([]);
  }

  /** The texts of the folder's files. */
  #files = (): Readonly<Record<string, string>> =>
    Object.fromEntries(filesBelow(this.place.folder, "").map((name) => [name, this.place.read(name)]));

  #counted(rest: string): void {
    const [, count, request] = /^(\d+) (.*)$/.exec(rest)!;
    expect(this.#asked().filter((one) => one === request)).toHaveLength(Number(count));
  }

  #sent = (): string[] => this.#asked().filter((one) => !one.startsWith("GET "));

  #asked = (): string[] => this.place.service.requests.all.map(ASKED);

  /** The projects that the last command looked up. */
  #lookedUp = (): string[] =>
    this.place.service.requests.all
      .filter(({ route }) => route === "/projects/:id")
      .map(({ url }) => url.replace("/api/v4", ""))
      .sort();

  /** @param who the name of a token, or a token of the fixture */
  #by(who: string, rest: string): Promise<void> {
    const tokens: Readonly<Record<string, string>> = TOKENS;
    return this.#hand(rest, tokens[who] ?? who);
  }

  async #hand(rest: string, token?: string): Promise<void> {
    const [, method, url, body, refused] = /^(\w+) (\S+) ?(.*?)(?: ?=> (\d+))?$/.exec(rest)!;
    const status = await this.place.byHand(method!, url!, body ? (parse(body) as object) : undefined, token);
    if (refused === undefined) expect(status).toBeLessThan(300);
    else expect(status).toBe(Number(refused));
  }
}

const listed = (rest: string): string[] => (rest === "nothing" ? [] : rest.split(", "));
