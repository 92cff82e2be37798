import { error } from "../../../src/diagnostics";
import type {
  ApplyRequest,
  ConfiguredProvider,
  FunctionResponse,
  Provider,
  StoredState,
} from "../../../src/framework/protocol/protocol";
import {
  computed,
  isUnknown,
  optional,
  optionalComputed,
  planAttributes,
  required,
  UNKNOWN,
  type Value,
  type ValueObject,
  validateAttributes,
} from "../../../src/schema";

export const SOURCE = "registry.steward.example/test/memory";

const thing = {
  id: computed.string({ description: "Its id." }),
  name: required.string({ description: "Its name.", replaces: true }),
  size: optional.number({ description: "Its size." }),
  colour: optionalComputed.string({ description: "Its colour; grey unless painted." }),
  tags: optional.setOfStrings({ description: "Its tags." }),
  secret: optional.string({ description: "Something nobody may see.", sensitive: true }),
  serial: computed.number({ description: "Counts the things ever made." }),
};

const lookup = {
  name: required.string({ description: "Whom to look for." }),
  found: computed.string({ description: "What was found." }),
};

/** A provider whose objects, called things, exist only in memory. This provider is for tests that need only the engine. */
export class MemoryProvider implements Provider {
  /** The live things by id. A test changes them to make a manual change. */
  readonly things = new Map<string, Record<string, Value>>();
  /**
   * The operations that the engine has requested, in order, such as `create a`, `read a`, `update a`, `delete a` or `look a`.
   */
  readonly asked: string[] = [];
  /** All requested changes. */
  readonly sent: ApplyRequest[] = [];
  /** Operations that end with an error, such as `create b`. */
  readonly failing = new Set<string>();
  /** Things whose create succeeds and also returns an error. A thing that is `unsound` becomes tainted. */
  readonly half = new Map<string, "sound" | "unsound">();
  /** Operations that throw, as only an internal error does. */
  readonly crashing = new Set<string>();
  /** Operations that throw after their effect, as if the process was killed before the response. */
  readonly crashingAfter = new Set<string>();
  /** The start time of each change that the provider was asked to recover, in milliseconds since 1970. */
  readonly begun: (number | undefined)[] = [];
  /** The ids of live things that the plan of a new thing reports as `observed`. The key is the name of the new thing. */
  readonly observed = new Map<string, readonly string[]>();
  /** Whether the plan of a new thing reports a live thing with the same name. */
  tellsExisting = false;
  /** Called during each operation. The operation waits until the returned promise resolves. */
  during: ((what: string) => Promise<void>) | undefined;
  /** The service address that the provider reports. */
  service: string | undefined;
  /** The highest number of concurrent operations so far. */
  widest = 0;
  #underWay = 0;
  #made = 0;

  readonly schema = {
    source: SOURCE,
    provider: {
      version: 0,
      description: "Memory.",
      attributes: { region: optional.string({ description: "Where." }) },
    },
    resources: {
      memory_thing: {
        version: 0,
        description: "A thing.",
        attributes: thing,
        identity: {
          version: 0,
          attributes: {
            name: required.string({ description: "Its name." }),
            shelf: optional.number({ description: "Where it is." }),
          },
        },
      },
    },
    dataSources: { memory_lookup: { version: 0, description: "A look.", attributes: lookup } },
    functions: {
      paint: {
        summary: "Names a colour",
        description: "Names a colour.",
        parameters: {
          shade: required.string({ description: "A shade." }),
          depth: optional.number({ description: "A depth; may be null." }),
        },
        returns: computed.string({ description: "The colour." }),
      },
    },
  };
  callFunction = (_name: string, [shade, depth]: readonly Value[]): FunctionResponse =>
    shade === "none"
      ? { error: { text: "There is no such shade. Shades are red and blue.", argument: 0 } }
      : { result: isUnknown(depth) ? UNKNOWN : `${String(shade)} ${depth ?? "flat"}` };

  validateProvider = (config: ValueObject) => validateAttributes(this.schema.provider.attributes, config);
  validateResource = (_type: string, config: ValueObject) => validateAttributes(thing, config);
  validateDataSource = (_type: string, config: ValueObject) => validateAttributes(lookup, config);
  upgradeResource = (_type: string, _version: number, attributes: ValueObject) => ({
    attributes,
    diagnostics: [],
  });
  moveResource = () => ({ diagnostics: [refused("move")] });
  configure = () => ({ provider: this.#configured(), diagnostics: [] });

  #configured(): ConfiguredProvider {
    return {
      ...(this.service !== undefined && { service: this.service }),
      identify: async ({ type, attributes: { name = null } }) =>
        isUnknown(name) || name === null ? undefined : `${type} ${String(name)}`,
      readResource: async ({ state }) => {
        const id = String(state.attributes["id"]);
        if (!(await this.#ask(`read ${id}`))) return { state, diagnostics: [refused(`read ${id}`)] };
        const live = this.things.get(id);
        return live === undefined ? { diagnostics: [] } : { state: { attributes: live }, diagnostics: [] };
      },
      planResource: async ({ prior, config, existing }) => {
        const plan = planAttributes(
          thing,
          prior?.attributes,
          config,
          (_attribute, one, other) => JSON.stringify(one) === JSON.stringify(other),
        );
        const ids = prior === undefined ? this.observed.get(String(config["name"])) : undefined;
        const name = String(config["name"]);
        const isThere = prior === undefined && existing === "tell" && this.things.has(name);
        return {
          ...(this.tellsExisting && isThere && { existing: { id: name, problem: taken(name) } }),
          ...(ids && { observed: { ids } }),
          planned: { attributes: plan.planned },
          requiresReplace: plan.requiresReplace,
          diagnostics: [],
        };
      },
      planDestroy: async () => ({ diagnostics: [] }),
      applyResource: async (request) => {
        this.sent.push(request);
        const { prior, planned, config } = request;
        const name = String((config ?? prior!.attributes)["name"]);
        const write = prior === undefined ? "create" : "update";
        const verb = planned === undefined ? "delete" : write;
        const done = await this.#ask(`${verb} ${name}`);
        const before = prior && { state: prior };
        if (!done) return { ...before, diagnostics: [refused(`${verb} ${name}`)] };
        const written = verb === "delete" ? this.#remove(prior!) : this.#write(prior, planned!);
        if (this.crashingAfter.has(`${verb} ${name}`)) throw new Error(`a fault after ${verb} ${name}`);
        const half = this.half.get(name);
        return half === undefined
          ? written
          : { ...written, isSound: half === "sound", diagnostics: [refused(`finish ${name}`)] };
      },
      recoverResource: async ({ prior, planned, begunAt }) => {
        this.begun.push(begunAt);
        const { attributes } = planned ?? prior!;
        const name = String(attributes["name"]);
        if (!(await this.#ask(`recover ${name}`))) return { diagnostics: [refused(`recover ${name}`)] };
        const live = this.things.get(name);
        const state = live && { attributes: live };
        const matches = Object.entries(attributes).every(
          ([key, value]) => JSON.stringify(live?.[key]) === JSON.stringify(value),
        );
        if (planned === undefined)
          return { outcome: live ? "not-done" : "done", ...(state && { state }), diagnostics: [] };
        if (live === undefined || (!matches && prior === undefined))
          return { outcome: live ? "foreign" : "not-done", diagnostics: [] };
        return { outcome: matches ? "done" : "not-done", state: state!, diagnostics: [] };
      },
      importResource: async ({ id, identity }) => {
        const name = id ?? String(identity["name"]);
        const found = await this.#ask(`import ${name}`);
        const live = this.things.get(name);
        if (found && live !== undefined) return { state: { attributes: live }, diagnostics: [] };
        return { diagnostics: [refused(`import ${name}`)] };
      },
      listResource: async () => ({ objects: [], diagnostics: [] }),
      readDataSource: async ({ config }) => {
        const name = String(config["name"]);
        if (!(await this.#ask(`look ${name}`))) return { diagnostics: [refused(`look ${name}`)] };
        return { attributes: { name, found: `found ${name}` }, diagnostics: [] };
      },
      close: async () => undefined,
    };
  }

  #write(prior: StoredState | undefined, { attributes }: StoredState) {
    const serial = prior === undefined ? ++this.#made : (prior.attributes["serial"] ?? 0);
    const colour = typeof attributes["colour"] === "string" ? attributes["colour"] : "grey";
    const id = String(attributes["name"]);
    const live = { ...attributes, id, serial, colour };
    this.things.set(id, live);
    return { state: { attributes: live }, diagnostics: [] };
  }

  #remove(prior: StoredState) {
    this.things.delete(String(prior.attributes["id"]));
    return { diagnostics: [] };
  }

  /**
   * Records an operation, and waits, so that other operations can run at the same time. Returns false if the operation must
   * fail.
   */
  async #ask(what: string): Promise<boolean> {
    this.asked.push(what);
    this.#underWay++;
    this.widest = Math.max(this.widest, this.#underWay);
    await new Promise((resolve) => setImmediate(resolve));
    await this.during?.(what);
    this.#underWay--;
    if (this.crashing.has(what)) throw new Error(`a fault in ${what}`);
    return !this.failing.has(what);
  }
}

const taken = (name: string) =>
  error({
    code: "already_exists",
    summary: "Already exists",
    detail: `"${name}" is live.`,
    action: { kind: "import", id: name },
  });

const refused = (what: string) =>
  error({ code: "forbidden", summary: "Refused", detail: `The test refuses to ${what}.` });
