import { readFileSync, writeFileSync } from "node:fs";
import { parse } from "yaml";
import type { Diagnostic } from "../../../src/diagnostics";
import type { DriftedObject, ExecutablePlan, PlanMode } from "../../../src/engine";
import { importObject } from "../../../src/engine/import/import-object";
import type { Value } from "../../../src/schema";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { expectLike } from "../../support/transcripts/data";
import { readTranscript, type Step } from "../../support/transcripts/parse";
import { SOURCE } from "../support/memory-provider";
import { actions, Stack, thing } from "../support/stack";

/** The blocks of a configuration. All else that `declare` names is a thing, by its name where it has no other. */
const BLOCKS = /^(?:terraform|provider|variable|locals|data|output|check|moved|removed|import|resource)$/;
const THING = "memory_thing.";

/** As a reader sees it: unknown values as words, and nothing undefined. */
const shown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value === "symbol" || String(value) === "(known after apply)") return "(known after apply)";
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shown(one)]));
};

/** `NAME` stands for the thing of that name. */
const address = (word: string): string => (/^[\w-]+(?:\[.*\])?$/.test(word) ? THING + word : word);
const short = (full: string): string => full.replace(THING, "");

interface Result {
  readonly diagnostics: readonly Diagnostic[];
  readonly done?: object;
  readonly thrown?: string;
}

/** What a thing has that somebody made by hand. */
const NEW = { size: null, colour: "grey", tags: null, secret: null, serial: 9 };

const told = ({ kind, change, attributes }: DriftedObject): string =>
  [short(change.address), kind, ...attributes].join(" ");

/** Plays plans and applies over things in memory: README.md beside this file lists the steps. */
class Player {
  readonly stack = new Stack({});
  #result: Result = { diagnostics: [] };
  #plan: ExecutablePlan | undefined;
  #drifted: readonly DriftedObject[] = [];

  async play(steps: readonly Step[], texts: Readonly<Record<string, string>>): Promise<void> {
    const filled = (text: string): string =>
      text.replace(/<([\w-]+)>/g, (whole, name: string) =>
        texts[name] === undefined ? whole : filled(texts[name]),
      );
    for (const { word, rest, block, at } of steps) {
      try {
        await this.#take(word, filled(rest), filled(block));
      } catch (problem) {
        const told = JSON.stringify(this.#result.diagnostics.map(({ code, detail }) => [code, detail]));
        (problem as Error).message = `${at}: ${word} ${rest}\n${(problem as Error).message}\n${told}`;
        throw problem;
      }
    }
  }

  async #take(word: string, rest: string, block: string): Promise<void> {
    const { provider } = this.stack;
    const plan = () => this.#plan!;
    switch (word) {
      case "declare":
        return this.stack.declare(configured((parse(rest || block) ?? {}) as Record<string, object>));
      case "plan":
      case "apply":
      case "withRecovery":
      case "drift":
      case "validate":
      case "import":
        return this.#run(word, rest);
      case "drifted":
        return expect(this.#drifted.map(told).join(", ")).toBe(rest === "nothing" ? "" : rest);
      case "result":
        return expectLike(shown(this.#result), parse(rest));
      case "existing":
        return void Object.assign(provider, { tellsExisting: true, service: "memory" });
      case "does":
        return expect(actions(plan())).toEqual(pairs(rest));
      case "moves": {
        const moved = plan().changes.filter(({ previousAddress }) => previousAddress !== undefined);
        return expect(
          moved.map((one) => `${short(one.previousAddress!)}->${short(one.address)}`).sort(),
        ).toEqual(words(rest).sort());
      }
      case "change": {
        const [, of, data] = /^(\S+) ?(.*)$/s.exec(rest)!;
        return expectLike(
          shown(plan().changes.find((one) => one.address === address(of!))),
          parse(data! + block),
        );
      }
      case "is":
        return expectLike(shown(plan()), parse(rest + block));
      case "done":
        return expectLike(this.#result.done, parse(rest));
      case "told":
        return expectLike(shown(this.#result.diagnostics), rest === "nothing" ? [] : parse(rest + block));
      case "count":
        return expect(this.#result.diagnostics).toHaveLength(Number(rest));
      case "refused":
        return this.#refused(rest);
      case "invalid":
        return this.#invalid(rest);
      case "version":
        return void Object.assign(provider, { version: rest });
      case "hides":
        return expect(JSON.stringify([this.#result, this.#plan])).not.toContain(rest);
      case "throws":
        return expect(this.#result.thrown).toContain(rest);
      case "wrote":
        return expect(this.#asked(/^(?:create|update|delete) /)).toEqual(list(rest));
      case "asked":
        return expect(this.#asked(/./).sort()).toEqual(list(rest).sort());
      case "has":
        return expect([...provider.things.keys()].sort()).toEqual(
          rest.split(rest.includes(",") ? ", " : " ").sort(),
        );
      case "state":
        return this.#state(rest);
      case "held":
        return this.#held(rest, block);
      case "outputs": {
        const outputs = (await this.stack.state())?.outputs ?? {};
        const values = Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value]));
        return expectLike(shown(values), parse(rest));
      }
      case "checks":
        return expectLike(shown((await this.stack.state())!.checkResults), parse(rest + block));
      case "fail":
        return void provider.failing.add(rest);
      case "crash":
        return void provider.crashing.add(rest);
      case "half": {
        const [name, how] = words(rest) as [string, "sound" | "unsound"];
        return void provider.half.set(name, how);
      }
      case "mend":
        for (const all of [provider.failing, provider.crashing, provider.half]) all.clear();
        return;
      case "live": {
        const [, name, data] = /^(\S+) (.*)$/.exec(rest)!;
        const thing = provider.things.get(name!) ?? { ...NEW, id: name!, name: name! };
        return void provider.things.set(name!, { ...thing, ...(parse(data!) as Record<string, Value>) });
      }
      case "gone":
        return void provider.things.delete(rest);
      case "edit": {
        const it = JSON.parse(readFileSync(this.stack.stateFile, "utf8")) as unknown;
        new Function("it", block)(it);
        return writeFileSync(this.stack.stateFile, JSON.stringify(it));
      }
      default:
        throw new Error(`No such step: ${word}`);
    }
  }

  #import = (what: string, id: string): Promise<Result> =>
    importObject(
      this.stack.context(),
      new LocalBackend(this.stack.stateFile),
      address(what),
      id.replaceAll('"', ""),
    );

  #asked = (pattern: RegExp): string[] => this.stack.provider.asked.filter((one) => pattern.test(one));

  /** `plan [mode] [--target x] [--exclude x] [--replace x] [--var name=text] [--fail-fast]` */
  async #run(word: string, rest: string): Promise<void> {
    const options: Record<string, unknown> = {};
    let mode: PlanMode = "normal";
    const all = words(rest);
    for (let at = 0; at < all.length; at++) {
      const one = all[at]!;
      const add = (name: string) =>
        (options[name] = [...((options[name] as string[]) ?? []), address(all[++at]!)]);
      if (one === "--target") add("targets");
      else if (one === "--exclude") add("excludes");
      else if (one === "--replace") add("replace");
      else if (one === "--fail-fast") options["failFast"] = true;
      else if (one === "--no-refresh") options["refresh"] = false;
      else if (one === "--import-existing") options["importsExisting"] = true;
      else if (one === "--var") {
        const [name, text] = all[++at]!.split(/=(.*)/s);
        options["variables"] = {
          ...(options["variables"] as object),
          [name!]: { from: "text", text, origin: "--var" },
        };
      } else mode = one as PlanMode;
    }
    this.stack.provider.asked.length = 0;
    this.#result = { diagnostics: [] };
    try {
      if (word === "plan") this.#planned(await this.stack.plan(mode, options));
      else if (word === "withRecovery") this.#planned(await this.stack.settleAndPlan(options));
      else if (word === "apply") this.#result = await this.stack.apply(mode, options);
      else if (word === "drift") {
        const report = await this.stack.drift();
        this.#result = report;
        this.#drifted = report.drifted;
      } else if (word === "import") this.#result = await this.#import(all[0]!, all[1]!);
      else this.#result = { diagnostics: await this.stack.validate() };
    } catch (problem) {
      this.#result = { ...this.#result, thrown: (problem as Error).message };
    }
  }

  /** `refused BLOCK | pattern`: an import block for a that makes a plan fail, and is asked for nothing. */
  async #refused(rest: string): Promise<void> {
    const [block, why] = rest.split(" | ");
    await this.#take("declare", `{import: {to: memory_thing.a, ${block}}, a: {name: x}, b: {name: new}}`, "");
    await this.#run("plan", "");
    const found = this.#result.diagnostics.filter(({ code }) => code === "import_block_invalid");
    expect(found.map(({ detail }) => detail).join("\n")).toMatch(new RegExp(why!));
    expect(this.#plan!.applicable).toBe(false);
    expect(this.stack.provider.asked).not.toContain("import x");
  }

  /** `invalid BLOCK | pattern`: an import block for a in which validate finds one fault. */
  async #invalid(rest: string): Promise<void> {
    const [block, why] = rest.split(" | ");
    const to = block!.includes("to: ") ? "" : "to: memory_thing.a, ";
    await this.#take("declare", `{import: {${to}${block}}, a: {name: x}, variable: {v: {}}}`, "");
    await this.#run("validate", "");
    expectLike(shown(this.#result.diagnostics), [{ detail: `~ ${why}` }]);
  }

  #planned(plan: ExecutablePlan): void {
    this.#plan = plan;
    this.#result = plan;
  }

  /** `state a b[0] b[1]`: the addresses, without the types of things. */
  async #state(rest: string): Promise<void> {
    const { resources } = (await this.stack.state()) ?? { resources: [] };
    const held = resources.flatMap(({ mode, type, name, instances }) =>
      instances.map(({ indexKey }) => {
        const key = indexKey === undefined ? "" : `[${JSON.stringify(indexKey)}]`;
        return `${mode === "data" ? "data." : ""}${short(`${type}.${name}`)}${key}`;
      }),
    );
    expect(held.sort()).toEqual(rest === "nothing" ? [] : words(rest).sort());
  }

  /** `held NAME [data of each instance]` */
  async #held(rest: string, block: string): Promise<void> {
    const [, name, data] = /^(\S+) ?(.*)$/s.exec(rest)!;
    const found = (await this.stack.state())!.resources.find((one) => one.name === name);
    expectLike(shown(found!.instances), parse(data! + block));
  }
}

const words = (rest: string): string[] => rest.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
const list = (rest: string): string[] => (rest === "nothing" ? [] : rest.split(", "));
const pairs = (rest: string): Record<string, string> =>
  rest === "nothing"
    ? {}
    : Object.fromEntries(
        words(rest).map((one) => {
          const [, name, action] = /^(.*)=([\w-]+)$/.exec(one)!;
          return [address(name!), action!];
        }),
      );

function configured(declared: Readonly<Record<string, object>>): object {
  const entries = Object.entries(declared);
  const things = entries
    .filter(([name]) => !BLOCKS.test(name))
    .map(([name, more]) => [name, thing(name, more ?? {})]);
  const { resource = {}, ...blocks } = Object.fromEntries(entries.filter(([name]) => BLOCKS.test(name))) as {
    resource?: object;
  };
  return { resource: { memory_thing: Object.fromEntries(things), ...resource }, ...blocks };
}

/** Makes tests of transcripts: each `== title` is one, with a stack of its own. */
export function play(...names: readonly string[]): void {
  describe.each(names)("%s", (name) => {
    const { head, tests } = readTranscript(__dirname, name);
    const lets = head.filter(({ word }) => word === "let");
    const texts = { SOURCE, ...Object.fromEntries(lets.map(({ rest }) => rest.split(/ (.*)/s))) };
    const before = head.filter(({ word }) => word !== "let");
    test.each(tests)("$title", async ({ steps }) => {
      const player = new Player();
      try {
        await player.play([...before, ...steps], texts);
      } finally {
        player.stack.remove();
      }
    });
  });
}
