import { readFileSync, writeFileSync } from "node:fs";
import { parse } from "yaml";
import type { Diagnostic } from "../../../src/diagnostics";
import type { DriftedObject, ExecutablePlan, PlanMode } from "../../../src/engine";
import { importObject } from "../../../src/engine/import/import-object";
import type { Value } from "../../../src/schema";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import type { State } from "../../../src/state/model/model";
import { expectLike } from "../../support/transcripts/data";
import { playTranscripts, StepPlayer, type Taken } from "../../support/transcripts/player";
import { SOURCE } from "../support/memory-provider";
import { actions, Stack, thing } from "../support/stack";

/**
 * Matches the names of blocks in a configuration. Every other key in a step `declare` is a thing. The key is also the thing's
 * name by default.
 */
const BLOCKS = /^(?:terraform|provider|variable|locals|data|output|check|moved|removed|import|resource)$/;
const THING = "memory_thing.";

/** Returns a value as a transcript writes it: an unknown value is a text, and an undefined value is null. */
const shown = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value === "symbol" || String(value) === "(known after apply)") return "(known after apply)";
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shown(one)]));
};

/** Returns the address that a word means. A plain name means the thing with this name. */
const address = (word: string): string => (/^[\w-]+(?:\[.*\])?$/.test(word) ? THING + word : word);
const short = (full: string): string => full.replace(THING, "");

interface Result {
  readonly diagnostics: readonly Diagnostic[];
  readonly done?: object;
  readonly thrown?: string;
}

/** The default values of a new thing that a transcript creates by a manual change. */
const NEW = { size: null, colour: "grey", tags: null, secret: null, serial: 9 };

const driftText = ({ kind, change, attributes }: DriftedObject): string =>
  [short(change.address), kind, ...attributes].join(" ");

const OPERATIONS = ["plan", "apply", "drift", "validate", "import"] as const;
type Operation = (typeof OPERATIONS)[number];
const isOperation = (word: string): word is Operation => OPERATIONS.includes(word as Operation);

/** Plays transcripts that plan and apply things in memory. */
class Player extends StepPlayer {
  readonly stack = new Stack({});
  #result: Result = { diagnostics: [] };
  #plan: ExecutablePlan | undefined;

  override async close(): Promise<void> {
    this.stack.remove();
  }

  protected override known(): Readonly<Record<string, string>> {
    return { SOURCE };
  }

  protected override described(): string {
    return JSON.stringify(this.#result.diagnostics.map(({ code, detail }) => [code, detail]));
  }

  protected async take({ word, rest, block }: Taken): Promise<void> {
    if (isOperation(word)) {
      const [options, expected] = rest.split(/(?:^| )=> /);
      return this.#run(word, options!, expected);
    }
    const { provider } = this.stack;
    switch (word) {
      case "declare":
        return this.stack.declare(configured((parse(rest || block) ?? {}) as Record<string, object>));
      case "change": {
        const [, of, data] = /^(\S+) ?(.*)$/s.exec(rest)!;
        const found = this.#plan!.changes.find((one) => one.address === address(of!));
        return expectLike(shown(found), parse(data! + block));
      }
      case "@":
        return expectLike(shown(this.#result), parse(rest + block));
      case "quiet":
        return expectLike(shown(this.#result.diagnostics), []);
      case "diagnostics":
        if (/^\d+$/.test(rest)) return expect(this.#result.diagnostics).toHaveLength(Number(rest));
        return expectLike(shown(this.#result.diagnostics), parse(rest + block));
      case "refused":
        return this.#refused(rest);
      case "-":
        return expect(JSON.stringify([this.#result, this.#plan])).not.toContain(rest);
      case "!":
        return expect(this.#result.thrown).toContain(rest);
      case "sent":
        return expect(this.#asked(/^(?:create|update|delete) /)).toEqual(list(rest));
      case "asked":
        return expect(this.#asked(/./).sort()).toEqual(list(rest).sort());
      case "live":
        return expect([...provider.things.keys()].sort()).toEqual(
          rest.split(rest.includes(",") ? ", " : " ").sort(),
        );
      case "hand":
        return this.#changeByHand(rest);
      case "fault":
        return this.#fault(rest);
      case "state":
        return this.#state(rest, block);
      case "edit": {
        const it = JSON.parse(readFileSync(this.stack.stateFile, "utf8")) as unknown;
        new Function("it", block)(it);
        return writeFileSync(this.stack.stateFile, JSON.stringify(it));
      }
      case "do":
        return void new Function("provider", rest)(provider);
      default:
        throw new Error(`No such step: ${word}`);
    }
  }

  /** Makes a manual change: `a {size: 9}` changes or creates a thing, and `a gone` deletes it. */
  #changeByHand(rest: string): void {
    const { things } = this.stack.provider;
    const [, name, data] = /^(\S+) (.*)$/.exec(rest)!;
    if (data === "gone") return void things.delete(name!);
    const thing = things.get(name!) ?? { ...NEW, id: name!, name: name! };
    things.set(name!, { ...thing, ...(parse(data!) as Record<string, Value>) });
  }

  /** Sets a fault: `fail create a`, `crash update a` or `half a unsound`. `none` removes all faults. */
  #fault(rest: string): void {
    const { failing, crashing, half } = this.stack.provider;
    const [, kind, what] = /^(\S+) ?(.*)$/.exec(rest)!;
    if (kind === "fail") failing.add(what!);
    else if (kind === "crash") crashing.add(what!);
    else if (kind === "half") {
      const [name, how] = words(what!) as [string, "sound" | "unsound"];
      half.set(name, how);
    } else for (const all of [failing, crashing, half]) all.clear();
  }

  #import = (what: string, id: string): Promise<Result> =>
    importObject(
      this.stack.context(),
      new LocalBackend(this.stack.stateFile),
      address(what),
      id.replaceAll('"', ""),
    );

  #asked = (pattern: RegExp): string[] => this.stack.provider.asked.filter((one) => pattern.test(one));

  /** Runs an operation: `[mode] [--target x] [--exclude x] [--replace x] [--var name=text] [--fail-fast] … => expected`. */
  async #run(word: Operation, rest: string, expected?: string): Promise<void> {
    const options: Record<string, unknown> = {};
    let mode: PlanMode = "normal";
    let recovers = false;
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
      else if (one === "--recover") recovers = true;
      else if (one === "--var") {
        const [name, text] = all[++at]!.split(/=(.*)/s);
        options["variables"] = {
          ...(options["variables"] as object),
          [name!]: { from: "text", text, origin: "--var" },
        };
      } else mode = one as PlanMode;
    }
    let drifted: string | undefined;
    this.stack.provider.asked.length = 0;
    this.#result = { diagnostics: [] };
    try {
      if (word === "plan") {
        const { stack } = this;
        this.#result = this.#plan = recovers
          ? await stack.settleAndPlan(options)
          : await stack.plan(mode, options);
      } else if (word === "apply") this.#result = await this.stack.apply(mode, options);
      else if (word === "drift") {
        const report = await this.stack.drift();
        this.#result = report;
        drifted = report.drifted.map(driftText).join(", ");
      } else if (word === "import") this.#result = await this.#import(all[0]!, all[1]!);
      else this.#result = { diagnostics: await this.stack.validate() };
    } catch (problem) {
      this.#result = { ...this.#result, thrown: (problem as Error).message };
    }
    if (expected === undefined) return;
    expect(this.#result.thrown).toBeUndefined();
    if (word === "plan") expectActions(this.#plan!, words(expected));
    else expect(drifted).toBe(expected === "nothing" ? "" : expected);
  }

  /**
   * Handles `plan {…} => pattern` and `validate {…} => pattern`. Expects that the engine refuses the import block in
   * braces, reports only this error, and sends no request.
   */
  async #refused(rest: string): Promise<void> {
    const [, operation, block, why] = /^(plan|validate) \{(.*)\} => (.*)$/.exec(rest)!;
    const to = block!.includes("to: ") ? "" : "to: memory_thing.a, ";
    const others = operation === "plan" ? "b: {name: new}" : "variable: {v: {}}";
    const declared = `{import: {${to}${block}}, a: {name: x}, ${others}}`;
    this.stack.declare(configured(parse(declared) as Record<string, object>));
    await this.#run(operation as Operation, "");
    const { diagnostics } = this.#result;
    if (operation === "validate") return expectLike(shown(diagnostics), [{ detail: `~ ${why}` }]);
    const found = diagnostics.filter(({ code }) => code === "import_block_invalid");
    expect(found.map(({ detail }) => detail).join("\n")).toMatch(new RegExp(why!));
    expect(this.#plan!.applicable).toBe(false);
    expect(this.stack.provider.asked).not.toContain("import x");
  }

  /**
   * Checks the state: `a b[0]` lists all addresses, and `a [data]` describes the instances of a resource. After `outputs`
   * or `checks`, the step has data.
   */
  async #state(rest: string, block: string): Promise<void> {
    const state = await this.stack.state();
    const [, name, data] = /^(\S+) ?(.*)$/s.exec(rest)!;
    if (block === "" && !/^[[{]/.test(data!)) return expectAddresses(state, rest);
    const pattern: unknown = parse(data! + block);
    if (name === "checks") return expectLike(shown(state!.checkResults), pattern);
    if (name === "outputs") {
      const outputs = Object.entries(state?.outputs ?? {}).map(([key, { value }]) => [key, value]);
      return expectLike(shown(Object.fromEntries(outputs)), pattern);
    }
    expectLike(shown(state!.resources.find((one) => one.name === name)!.instances), pattern);
  }
}

function expectAddresses(state: State | undefined, rest: string): void {
  const held = (state?.resources ?? []).flatMap(({ mode, type, name, instances }) =>
    instances.map(({ indexKey }) => {
      const key = indexKey === undefined ? "" : `[${JSON.stringify(indexKey)}]`;
      return `${mode === "data" ? "data." : ""}${short(`${type}.${name}`)}${key}`;
    }),
  );
  expect(held.sort()).toEqual(rest === "nothing" ? [] : words(rest).sort());
}

/**
 * Expects these actions of a plan, such as `a=update`, and these moves, such as `a->b`. Does not check actions or moves if
 * none are written.
 */
function expectActions(plan: ExecutablePlan, written: readonly string[]): void {
  const isMove = (word: string) => /^[^=]+->[^=]+$/.test(word);
  const moves = written.filter(isMove);
  if (moves.length > 0) {
    const moved = plan.changes.filter(({ previousAddress }) => previousAddress !== undefined);
    const found = moved.map((one) => `${short(one.previousAddress!)}->${short(one.address)}`);
    expect(found.sort()).toEqual([...moves].sort());
  }
  const others = written.filter((word) => !isMove(word)).join(" ");
  if (others !== "") expect(actions(plan)).toEqual(pairs(others));
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

/** Declares the tests of transcripts. Each `== title` is a test with a separate stack. */
export const play = (...names: readonly string[]): void =>
  playTranscripts(__dirname, names, ({ texts }) => new Player(texts));
