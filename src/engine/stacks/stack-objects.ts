import { type Diagnostic, DiagnosticError, hasErrors } from "../../diagnostics";
import type { IdentifyRequest, Share } from "../../framework";
import { DYNAMIC, type ResourceDeclaration, resourceAddress, unknown, type Value } from "../../language";
import { isObject, type Value as PlainValue, UNKNOWN, type ValueObject } from "../../schema";
import type { InstanceState, State } from "../../state";
import { valueFrom } from "../data/evaluate-needed";
import { walk } from "../graph/walk";
import { type RunContext, WIDTH } from "../run/context";
import { addProviders, type Node } from "../run/declarations";
import { type InstanceConfig, instanceConfig } from "../run/instance-config";
import { aggregate, expand, type Instance, type InstanceKey } from "../run/instances";
import { objectsOf, type StateObject } from "../run/objects";
import { sensitivePathsOf } from "../run/sensitivity";
import { type StackRun, withRun } from "../run/stack-run";

/** One object that a stack declares, or that its state holds. */
export interface StackObject {
  readonly address: string;
  readonly request: IdentifyRequest;
  /** The service that its provider talks to; nothing where that is not known. */
  readonly service: string | undefined;
  /** `both` where it is declared just as the state holds it. */
  readonly source: "configuration" | "state" | "both";
  /** What it is for the service, where a plan found that out. */
  readonly identity?: string;
  /** What it owns of sets that others may own too. */
  readonly shares?: readonly Share[];
}

/** What a stack has, as far as that is known without asking the service. */
export interface StackObjects {
  readonly objects: readonly StackObject[];
  /** Declarations of which it is not known what they declare, by type; and why parts could not be looked at at all. */
  readonly unknown: readonly { readonly address: string; readonly type: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

/** What a stack declares and what its last state holds. Data sources and attributes of objects are what that state says. */
export async function stackObjects(context: RunContext, state: State | undefined): Promise<StackObjects> {
  try {
    return await withRun(context, (run) => new Reader(run, state).read());
  } catch (problem) {
    if (!(problem instanceof DiagnosticError)) throw problem;
    return { objects: [], unknown: [], diagnostics: problem.diagnostics };
  }
}

class Reader {
  readonly #run: StackRun;
  readonly #current: ReadonlyMap<string, StateObject[]>;
  readonly #held: readonly StateObject[];
  readonly #found: StackObject[] = [];
  /** Objects that are declared as the state has them. */
  readonly #asHeld = new Set<InstanceState>();
  readonly #unknown: { address: string; type: string }[] = [];

  constructor(run: StackRun, state: State | undefined) {
    const { current, deposed } = objectsOf(state, run);
    const { removals } = run.context.configuration;
    this.#run = run;
    this.#current = current;
    this.#held = [...current.values(), ...deposed.values()]
      .flat()
      .filter(({ resource }) => resource.mode === "managed")
      // What a `removed` block lets go of is free to be declared elsewhere.
      .filter(({ resource }) => removals.get(resourceAddress(resource))?.destroy !== false);
    addProviders(
      run.graph,
      this.#held.map(({ provider }) => provider),
    );
  }

  async read(): Promise<StackObjects> {
    const run = this.#run;
    const { graph } = run;
    // Where the declarations are wrong, the state is compared all the same.
    const isSound = !run.diagnostics.some(isMistake);
    const nodes = isSound
      ? graph
      : graph.only(graph.closure(graph.ids.filter((id) => graph.value(id)?.kind === "provider")));
    await walk(nodes, (id, node) => run.guard(id, () => this.#visit(node)), { width: WIDTH });
    for (const { address, resource, instance, provider } of this.#held) {
      const attributes = instance.attributes as ValueObject;
      const source = this.#asHeld.has(instance) ? "both" : "state";
      this.#add(address, provider, source, { type: resource.type, attributes, private: instance.private });
    }
    return {
      objects: this.#found,
      unknown: this.#unknown,
      diagnostics: run.diagnostics.filter(isMistake),
    };
  }

  /** Never fails: what is wrong with one declaration is unknown to those that depend on it. */
  async #visit(node: Node): Promise<"done"> {
    if (node.kind === "local") this.#run.visitLocal(node.name, node);
    else if (node.kind === "provider") this.#run.visitProvider(node.key, node.declaration, true);
    else if (node.kind === "resource") this.#visitResource(node.declaration);
    return "done";
  }

  #visitResource(declaration: ResourceDeclaration): void {
    const { address, mode, type } = declaration;
    const held = new Map(this.#current.get(address)?.map((object) => [object.address, object]));
    const toCome = new Map<InstanceKey, InstanceConfig>();
    if (mode === "managed") {
      const { instances, diagnostics } = expand(declaration, this.#run.evaluation);
      if (hasErrors(diagnostics)) this.#unknown.push({ address, type });
      for (const instance of instances) {
        const object = held.get(instance.address);
        const config = this.#declare(declaration, instance, object);
        if (object === undefined && config !== undefined) toCome.set(instance.key, config);
      }
    }
    // Most resources are referred to by nothing.
    this.#run.evaluation.setLazily(address, () => this.#value(declaration, [...held.values()], toCome));
  }

  /** What expressions see of a declaration: the objects that the state has, and what is declared of those that it has not. */
  #value(
    declaration: ResourceDeclaration,
    held: readonly StateObject[],
    toCome: ReadonlyMap<InstanceKey, InstanceConfig>,
  ): Value {
    const run = this.#run;
    const { attributes } = run.schema(declaration);
    const values = new Map<InstanceKey, Value>();
    for (const { instance } of held)
      values.set(
        instance.indexKey,
        valueFrom(run, declaration, instance.attributes, sensitivePathsOf(instance, attributes)),
      );
    for (const [key, { config, sensitive }] of toCome) {
      const known = Object.entries(config).map(([name, one]): [string, PlainValue] => [name, one ?? UNKNOWN]);
      values.set(key, valueFrom(run, declaration, Object.fromEntries(known), sensitive));
    }
    return (values.size === 0 ? undefined : aggregate(declaration, values)) ?? unknown(DYNAMIC);
  }

  /** Answers with what is declared, where that can be told. */
  #declare(
    declaration: ResourceDeclaration,
    instance: Instance,
    held: StateObject | undefined,
  ): InstanceConfig | undefined {
    const { type, provider } = declaration;
    const found = instanceConfig(this.#run, declaration, instance);
    if (hasErrors(found.diagnostics)) {
      this.#unknown.push({ address: instance.address, type });
      return undefined;
    }
    if (held !== undefined && isAsHeld(found.config, held)) this.#asHeld.add(held.instance);
    else {
      // What the object's state remembers of paths holds for its declaration as well.
      const request = { type, attributes: found.config, private: held?.instance.private };
      this.#add(instance.address, provider, "configuration", request);
    }
    return found;
  }

  #add(address: string, provider: string, source: StackObject["source"], request: IdentifyRequest): void {
    const service = this.#run.configured(provider)?.service;
    this.#found.push({ address, source, service, request: { ...request, asksNothing: true } });
  }
}

/** What has no value is unknown, and counts where an object depends on it. */
const isMistake = ({ severity, code }: Diagnostic): boolean =>
  severity === "error" && code !== "missing_variable";

/** Whether an object is declared as the state has it, in all that it is declared with: then it is the same one. */
const isAsHeld = (config: ValueObject, { instance: { attributes } }: StateObject): boolean =>
  isWithin(config, attributes as ValueObject);

function isWithin(declared: PlainValue, held: PlainValue | undefined): boolean {
  if (declared === null || declared === held) return true;
  if (Array.isArray(declared))
    return (
      Array.isArray(held) &&
      declared.length === held.length &&
      declared.every((element: PlainValue, at) => isWithin(element, held[at] as PlainValue))
    );
  if (!isObject(declared) || held === undefined || !isObject(held)) return false;
  return Object.entries(declared).every(([name, value]) => isWithin(value, held[name]));
}
