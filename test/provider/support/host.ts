import { type Diagnostic, hasErrors } from "../../../src/diagnostics";
import type { HostName } from "../../../src/framework/protocol/connection";
import type {
  ApplyResponse,
  ConfiguredProvider,
  PlanResponse,
  StateResponse,
  StoredState,
} from "../../../src/framework/protocol/protocol";
import type { ResourceSchema, Schema, Value, ValueObject } from "../../../src/schema";
import { differences } from "../../../src/schema";
import { appliedBy } from "../samples";
import { checkApplied, checkIdentity, checkPlan } from "./core-rules";
import type { World } from "./world";

export interface Planned extends PlanResponse {
  readonly prior: StoredState | undefined;
  readonly config: ValueObject;
  /** The names of the attributes that would change. */
  readonly changed: readonly string[];
  /** The action that Terraform would take with this plan. */
  readonly action: "create" | "update" | "replace" | "none";
  /** The plan of the new object, if the object is replaced. */
  readonly replacement?: PlanResponse;
}

/**
 * A minimal host. The host does with one object what Terraform does, each operation in its own run. The host checks
 * every response against the rules of Terraform's core.
 */
export class Host {
  readonly #world: World;
  readonly #type: string;
  readonly #token: string | undefined;
  readonly #host: HostName;

  constructor(world: World, type: string, token?: string, host: HostName = "steward") {
    this.#world = world;
    this.#type = type;
    this.#token = token;
    this.#host = host;
  }

  get schema(): ResourceSchema {
    return this.#world.provider.schema.resources[this.#type]!;
  }

  /** Starts a new run, which has read nothing yet. */
  connect(): ConfiguredProvider {
    return this.#world.connect(this.#token, { host: this.#host });
  }

  /** Starts a run of a user who can apply changes. */
  #connectToApply(): ConfiguredProvider {
    return this.#world.connect(this.#token ?? appliedBy(this.#type), { host: this.#host });
  }

  /** Returns a configuration as hosts send it: omitted arguments are null, also in elements. */
  config(given: ValueObject): ValueObject {
    return withNulls(this.schema.attributes, given);
  }

  validate(given: ValueObject): readonly Diagnostic[] {
    return this.#world.provider.validateResource(this.#type, this.config(given));
  }

  async read(state: StoredState, run = this.connect()): Promise<StateResponse> {
    const answer = await run.readResource({ type: this.#type, state });
    if (answer.state !== undefined) checkIdentity(this.schema, state, answer.state);
    return answer;
  }

  /** Announces the reads of a run to the provider, as some hosts do. */
  expectReads(
    states: readonly StoredState[],
    run: ConfiguredProvider,
    dataSources: readonly string[] = [],
  ): void {
    const objects = states.map(({ attributes }) => ({ type: this.#type, id: String(attributes["id"]) }));
    run.expectReads!(objects, dataSources);
  }

  /** Reads an object and returns its live state. Fails if there are diagnostics. */
  async refresh(state: StoredState, run = this.connect()): Promise<StoredState | undefined> {
    const answer = await this.read(state, run);
    expect(answer.diagnostics).toEqual([]);
    return answer.state;
  }

  async plan(prior: StoredState | undefined, given: ValueObject, run = this.connect()): Promise<Planned> {
    const config = this.config(given);
    const invalid = this.#world.provider.validateResource(this.#type, config);
    if (hasErrors(invalid)) {
      return { prior, config, requiresReplace: [], diagnostics: invalid, changed: [], action: "none" };
    }
    const answer = await run.planResource({ type: this.#type, prior, config });
    const { attributes } = this.schema;
    if (answer.planned === undefined) return { prior, config, ...answer, changed: [], action: "none" };
    checkPlan(attributes, prior?.attributes, config, answer.planned.attributes);
    checkIdentity(this.schema, prior, answer.planned);
    if (prior === undefined) {
      const shown = await this.#withReplaced(answer, config, run);
      return { prior, config, ...shown, changed: Object.keys(attributes), action: "create" };
    }
    const changed = differences(attributes, prior.attributes, answer.planned.attributes).map(
      ({ name }) => name,
    );
    if (answer.requiresReplace.length > 0) {
      const replacement = await run.planResource({ type: this.#type, prior: undefined, config });
      return { prior, config, ...answer, changed, action: "replace", replacement };
    }
    return { prior, config, ...answer, changed, action: changed.length === 0 ? "none" : "update" };
  }

  /**
   * Adds live elements to the plan of a new list: the elements that the create of the list removes. The embedded engine
   * also shows these elements.
   */
  async #withReplaced(
    answer: PlanResponse,
    config: ValueObject,
    run: ConfiguredProvider,
  ): Promise<PlanResponse> {
    const planned = answer.planned!;
    if (this.#host === "terraform") return answer;
    const replaced = await run.replacedValues?.({ type: this.#type, config, private: planned.private });
    if (replaced?.private === undefined) return answer;
    const { private: bytes, observed, diagnostics = [] } = replaced;
    return {
      ...answer,
      ...(observed && { observed }),
      planned: { ...planned, private: bytes },
      diagnostics: [...answer.diagnostics, ...diagnostics],
    };
  }

  /** Executes a plan. For a replacement, it first deletes the object. */
  async apply(plan: Planned, run = this.#connectToApply()): Promise<ApplyResponse> {
    expect(plan.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    const replaces = plan.action === "replace";
    if (replaces) {
      const gone = await this.destroy(plan.prior!, run);
      if (gone.state !== undefined) return gone;
    }
    const { planned } = replaces ? plan.replacement! : plan;
    const answer = await run.applyResource({
      type: this.#type,
      prior: replaces ? undefined : plan.prior,
      planned,
      config: plan.config,
    });
    if (answer.state !== undefined && !hasErrors(answer.diagnostics)) {
      checkApplied(this.schema.attributes, planned!.attributes, answer.state.attributes);
      checkIdentity(this.schema, planned, answer.state);
    }
    return answer;
  }

  /** Plans and applies. Returns the state, and fails if there are diagnostics. */
  async bring(prior: StoredState | undefined, given: ValueObject): Promise<StoredState> {
    const { state, diagnostics } = await this.apply(await this.plan(prior, given));
    expect(diagnostics).toEqual([]);
    return state!;
  }

  destroy(prior: StoredState, run = this.#connectToApply()): Promise<ApplyResponse> {
    return run.applyResource({ type: this.#type, prior, planned: undefined, config: undefined });
  }

  async import(id: string, run = this.connect()): Promise<StoredState> {
    return this.#imported(await run.importResource({ type: this.#type, id }));
  }

  async importIdentity(identity: ValueObject, run = this.connect()): Promise<StoredState> {
    return this.#imported(await run.importResource({ type: this.#type, identity }));
  }

  #imported({ state, diagnostics }: StateResponse): StoredState {
    expect(diagnostics).toEqual([]);
    checkIdentity(this.schema, undefined, state!);
    return state!;
  }

  /** Returns the names of the attributes that a refresh and a plan would change. */
  async drift(state: StoredState, given: ValueObject): Promise<readonly string[]> {
    const run = this.connect();
    const live = await this.refresh(state, run);
    const { changed, diagnostics } = await this.plan(live, given, run);
    expect(diagnostics).toEqual([]);
    return changed;
  }
}

export function withNulls(attributes: Schema["attributes"], given: ValueObject): ValueObject {
  const unknown = Object.keys(given).filter((name) => !(name in attributes));
  if (unknown.length > 0) throw new Error(`The schema has no ${unknown.join(", ")}.`);
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { type }]): [string, Value] => {
      const value = given[name] ?? null;
      const isSetOfObjects = "nested" in type && Array.isArray(value);
      return [
        name,
        isSetOfObjects
          ? value.map((element: Value) =>
              typeof element === "object" && element !== null && element.constructor === Object
                ? withNulls(type.nested, element as ValueObject)
                : element,
            )
          : value,
      ];
    }),
  );
}
