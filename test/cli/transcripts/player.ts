import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parse } from "yaml";
import type { Terminal } from "../../../src/cli/terminal/terminal";
import { type Service, startService } from "../../../src/service";
import { deepJson } from "../../support/deep-json";
import { HOSTILE, takenLines } from "../../support/hostile";
import { compare, unframed } from "../../support/transcripts/compare";
import { expectLike, jsonIn } from "../../support/transcripts/data";
import { type Step, wordsOf } from "../../support/transcripts/parse";
import { StepPlayer, type Taken } from "../../support/transcripts/player";
import { isMethod, readRequest } from "../../support/transcripts/request";
import { addressesIn, synthesizeOnce } from "../support/app";
import { runInProcess } from "../support/in-process";
import { CONFIGURATION, type Place, TOKENS } from "../support/place";
import type { Ended } from "../support/process";
import { configured, declareStacks, planJson } from "./configurations";
import { expectDiagnostics, expectEvents, expectSome } from "./events";
import { FILE_STEPS, filesBelow } from "./files";
import { expectRequests, listed, requestsOf } from "./requests";

const ROOT = path.join(__dirname, "../../..");
const { version: VERSION } = JSON.parse(readFileSync(path.join(ROOT, "package.json"), "utf8")) as {
  version: string;
};
const DEEP = deepJson(200_000);

/** Plays the steps of a transcript as commands, in a folder and against a service. */
export class Player extends StepPlayer {
  #ended: Ended = { code: 0, out: "", err: "" };
  #folder = "";
  #keptRequests: readonly string[] = [];
  #kept: Readonly<Record<string, string>> = {};
  #hidden: readonly string[] = [];
  readonly #served: Service[] = [];

  constructor(
    readonly place: Place,
    texts: Readonly<Record<string, string>>,
  ) {
    super(texts);
  }

  override async play(steps: readonly Step[]): Promise<void> {
    this.#folder = "";
    this.#hidden = [];
    await super.play(steps);
  }

  override async close(): Promise<void> {
    for (const copy of this.#served) await copy.close();
    await this.place.close();
  }

  protected override described(): string {
    const { code, out, err } = this.#ended;
    return `--- exit ${code}\n${out}--- stderr\n${err}`;
  }

  protected override known(): Readonly<Record<string, string>> {
    const { service, folder } = this.place;
    return {
      ...TOKENS,
      admin: service.adminToken,
      URL: service.url,
      FOLDER: folder,
      OUTPUT: this.#ended.out,
      SOURCES: path.join(ROOT, "src"),
      MODULES: path.join(ROOT, "node_modules"),
      VERSION,
      HOSTILE: JSON.stringify(HOSTILE),
      DEEP,
    };
  }

  protected take(step: Taken): void | Promise<void> {
    const { word, rest, block, user } = step;
    const changeFile = FILE_STEPS[word];
    if (changeFile !== undefined) return changeFile(this.place, rest, block, this.#kept, this.#ended.out);
    if (isMethod(word)) return this.#send(word, rest, block, user);
    return this.#compares(step) ?? this.#does(step);
  }

  /** Plays a step that checks the last command. Returns undefined for other steps. */
  #compares({ word, rest, block }: Taken): Promise<void> | undefined {
    const { out, err } = this.#ended;
    const checks: Readonly<Record<string, () => void | Promise<void>>> = {
      ">": () => compare(">", out, rest, block),
      "|": () => compare("|", out, rest, block),
      "=": () => compare("=", out, rest, block),
      "-": () => compare("-", out + unframed(err), rest, block),
      "~": () => compare("~", out + err, rest, block),
      "!": () => {
        const [, sign = ">", expected = ""] = /^(?:(~) )?(.*)$/s.exec(rest)!;
        compare(sign, unframed(err), expected, block);
      },
      "@": () => expectSome(out, parse(rest + block)),
      count: () => compare("count", out + err, rest, block),
      last: () => expectLike(jsonIn(out).at(-1), parse(rest + block)),
      quiet: () => expect(err).toBe(""),
      safe: () => expect(takenLines(out + err)).toEqual([]),
      events: () => expectEvents(out, rest),
      diagnostics: () => {
        if (!rest.endsWith(" framed")) return expectDiagnostics(out, rest);
        expect(err.split("│ Error: ")).toHaveLength(1 + Number.parseInt(rest, 10));
      },
      sent: () => expectRequests(this.#requests(), "sent", rest),
      asked: () => expectRequests(this.#requests(), "asked", rest),
      requests: () => expectRequests(this.#requests(), "requests", rest),
      same: () => {
        if (rest === "requests") expect(this.#requests()).toHaveLength(this.#keptRequests.length);
        else if (rest === "") expect(this.#files()).toEqual(this.#kept);
        else expect(this.place.read(rest)).toBe(this.#kept[rest]);
      },
      state: async () => {
        const [stack, addresses = ""] = rest.split(": ");
        const file = path.join(this.place.folder, `terraform.${stack!}.tfstate`);
        expect(await addressesIn(file)).toEqual(addresses === "nothing" ? [] : addresses.split(" "));
      },
    };
    const check = checks[word];
    return check && Promise.resolve(check());
  }

  async #does({ word, rest, block, user }: Taken): Promise<void> {
    const { place } = this;
    switch (word) {
      case "$":
        return this.#run(rest, user);
      case "refused":
        return this.#refused(rest);
      case "start":
        return this.#serve(rest.replace(/^copy /, ""));
      case "note":
        return this.#note(rest);
      case "hidden":
        this.#hidden = listed(rest);
        return;
      case "fault":
        if (rest === "none") return place.service.faults.clear();
        return place.service.faults.add(parse(rest) as Parameters<typeof place.service.faults.add>[0]);
      case "declare":
        return void place.write(
          path.join(rest, "main.tf.json"),
          block === "" ? CONFIGURATION : configured(parse(block)),
        );
      case "app":
        return rest === "" ? synthesizeOnce(place, block) : void place.write("cdktf.json", parse(rest));
      case "given":
        return void place.write(
          rest.replace(/^plan-json /, ""),
          planJson(parse(block) as Parameters<typeof planJson>[0]),
        );
      case "stacks":
        return declareStacks(place, parse(block));
      case "keep":
        if (rest === "requests") this.#keptRequests = requestsOf(this.#requests());
        else this.#kept = this.#files();
        return;
      case "cd":
        this.#folder = rest;
        return;
      default:
        throw new Error(`No such step: ${word}`);
    }
  }

  #requests = () => this.place.service.requests.all;

  /** Handles `NAME=value … command … < FILE => exit`. The default exit code is 0. `ANSWER=yes` confirms questions. */
  async #run(line: string, user?: string): Promise<void> {
    const [text, exit = "0"] = line.split(/ => (?=\d$)/);
    const [command, input] = text!.split(" < ");
    const words = wordsOf(command!);
    const first = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word));
    const { ANSWER: answer, ...env } = Object.fromEntries(
      words.slice(0, first).map((word) => word.split(/=(.*)/s)),
    ) as Record<string, string>;
    this.place.service.requests.reset();
    const { folder, env: known } = this.place;
    const by = user ?? this.user;
    const own = by === undefined ? {} : { STEWARD_TOKEN: this.#tokenOf(by) };
    const all = Object.entries<string>({ ...known, ...own, ...env }).filter(
      ([, value]) => value !== "(none)",
    );
    const questions: string[] = [];
    const ask: Terminal["ask"] = async (question) => {
      questions.push(question.join("\n"));
      return answer!;
    };
    const ended = await runInProcess(words.slice(first), {
      folder: path.join(folder, this.#folder),
      env: Object.fromEntries(all),
      ...(input !== undefined && { input: this.place.read(input) }),
      ...(answer !== undefined && { ask }),
    });
    this.#ended = { ...ended, out: [...questions, ended.out].join("\n") };
    expect({ exit: this.#ended.code }).toEqual({ exit: Number(exit) });
    expect(this.#ended.err).not.toContain("Internal error");
    if (this.#hidden.length > 0) this.#expectHidden();
  }

  /** Expects that neither the output of the command nor a report in the folder contains the hidden texts. */
  #expectHidden(): void {
    const { out, err } = this.#ended;
    const reports = readdirSync(this.place.folder).filter((name) => name.startsWith("report."));
    const lines = [out, err, ...reports.map((name) => this.place.read(name))].join("\n").split("\n");
    for (const text of this.#hidden) expect(lines.filter((line) => line.includes(text))).toEqual([]);
  }

  /** Returns the token of a user. An unknown name is the token itself. */
  #tokenOf(user: string): string {
    const tokens: Readonly<Record<string, string>> = { ...this.known(), ...this.texts };
    return tokens[user] ?? user;
  }

  /** Handles `note NAME ~ pattern`: `<NAME>` is the pattern's group in the last output. */
  #note(rest: string): void {
    const [, name, pattern] = /^(\w+) ~ (.*)$/s.exec(rest)!;
    const found = new RegExp(pattern!, "m").exec(this.#ended.out + this.#ended.err);
    expect([pattern, found?.[1]]).toEqual([pattern, expect.any(String)]);
    this.texts[name!] = found![1]!;
  }

  /**
   * Starts a service with the fixture of a file. In later steps, `<COPY>` is the address of this service, and
   * `<COPY_TOKEN>` is its token.
   */
  async #serve(file: string): Promise<void> {
    const copy = await startService({ fixture: path.join(this.place.folder, file) });
    this.#served.push(copy);
    Object.assign(this.texts, { COPY: copy.url, COPY_TOKEN: copy.adminToken });
  }

  /** Sends a request as `user`; by default, as a Maintainer. */
  async #send(method: string, line: string, block: string, user = "maintainer"): Promise<void> {
    const { path: url, body, status, expected } = readRequest(line, block);
    const { service } = this.place;
    const root = url.startsWith("/_steward/") ? service.url : `${service.url}/api/v4`;
    const response = await fetch(root + url, {
      method,
      headers: { "private-token": this.#tokenOf(user), "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(parse(body)) }),
    });
    const text = await response.text();
    if (status === undefined) expect(response.status).toBeLessThan(300);
    else expect(response.status).toBe(status);
    if (expected !== undefined) expectLike(JSON.parse(text), expected);
  }

  /** Handles `refused COMMAND => TEXT`: the command fails with this text, and sends no change. */
  async #refused(rest: string): Promise<void> {
    const [command, text] = rest.split(/ => ?/);
    await this.#run(`${command} => 1`);
    expect(unframed(this.#ended.err)).toContain(text);
    expectRequests(this.#requests(), "sent", "nothing");
  }

  /** Returns the texts of the folder's files, by name. */
  #files = (): Readonly<Record<string, string>> =>
    Object.fromEntries(filesBelow(this.place.folder, "").map((name) => [name, this.place.read(name)]));
}
