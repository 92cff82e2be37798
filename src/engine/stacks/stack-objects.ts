import { type Diagnostic, diagnosticsOf, hasErrors } from "../../diagnostics";
import type { IdentifyRequest, Share } from "../../framework";
import { DYNAMIC, type ResourceDeclaration, resourceAddress, unknown, type Value } from "../../language";
import { isObject, type Value as PlainValue, UNKNOWN, type ValueObject } from "../../schema";
import type { InstanceState, State } from "../../state";
import { storedValue } from "../data/data-sources";
import type { VisitOutcome } from "../graph/walk";
import type { RunContext } from "../run/context";
import { addProviders } from "../run/declarations";
import {
  aggregate,
  expand,
  type Instance,
  type InstanceConfig,
  type InstanceKey,
  instanceConfig,
} from "../run/instances";
import { objectsOf, type StateObject } from "../run/objects";
import { markedValue } from "../run/redaction";
import { type StackRun, type Visitor, visitNode, walkGuarded, withRun } from "../run/stack-run";

/** An object that a stack declares or that its state holds. */
export interface StackObject {
  readonly address: string;
  readonly request: IdentifyRequest;
  /** The service of its provider; undefined if unknown. */
  readonly service: string | undefined;
  /** `both` if it is declared exactly as the state holds it. */
  readonly source: "configuration" | "state" | "both";
  /** Whether an interrupted run began to create it: the service may have it. */
  readonly isBegun?: boolean;
  /** The object's identity on the service, if a plan found it. */
  readonly identity?: string;
  /** The parts that it owns of sets with several owners. */
  readonly shares?: readonly Share[];
}

/** The objects of a stack, as far as they are known without a request. */
export interface StackObjects {
  readonly objects: readonly StackObject[];
  /**
   * Declarations that could not be evaluated, by type, and the errors that prevented reading parts of the
   * stack.
   */
  readonly unknown: readonly { readonly address: string; readonly type: string }[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The objects that a stack declares and that its last state holds. Data sources and computed attributes have
 * their values from that state.
 *
 * @param begun addresses of the state whose objects an interrupted run began to create
 */
export async function stackObjects(
  context: RunContext,
  state: State | undefined,
  begun: ReadonlySet<string> = new Set(),
): Promise<StackObjects> {
  try {
    return await withRun(context, (run) => new StackReader(run, state, begun).read());
  } catch (problem) {
    return { objects: [], unknown: [], diagnostics: diagnosticsOf(problem) };
  }
}

class StackReader {
  readonly #current: ReadonlyMap<string, StateObject[]>;
  readonly #held: readonly StateObject[];
  readonly #found: StackObject[] = [];
  /** Instances of the state that are declared exactly as the state holds them. */
  readonly #declaredAsHeld = new Set<InstanceState>();
  readonly #unknown: { address: string; type: string }[] = [];

  constructor(
    private readonly run: StackRun,
    state: State | undefined,
    private readonly begun: ReadonlySet<string>,
  ) {
    const { current, deposed } = objectsOf(state, run);
    const { removals } = run.context.configuration;
    this.#current = current;
    this.#held = [...current.values(), ...deposed.values()]
      .flat()
      .filter(({ resource }) => resource.mode === "managed")
      // Another stack may declare what a `removed` block releases.
      .filter(({ resource }) => removals.get(resourceAddress(resource))?.destroy !== false);
    addProviders(
      run.graph,
      this.#held.map(({ provider }) => provider),
    );
  }

  async read(): Promise<StackObjects> {
    const run = this.run;
    const { graph } = run;
    // The state is compared even if the declarations are invalid.
    const isSound = !run.diagnostics.some(isConfigurationError);
    const nodes = isSound
      ? graph
      : graph.subgraph(graph.closure(graph.ids.filter((id) => graph.value(id)?.kind === "provider")));
    // Never fails: an invalid declaration is unknown to its dependents.
    const visitor: Visitor = { resource: ({ declaration }) => this.#visitResource(declaration) };
    await walkGuarded(run, nodes, async (id, node): Promise<VisitOutcome> => {
      await visitNode(run, visitor, id, node);
      return "done";
    });
    for (const { address, resource, instance, provider } of this.#held) {
      const attributes = instance.attributes as ValueObject;
      const source = this.#declaredAsHeld.has(instance) ? "both" : "state";
      this.#add(address, provider, source, { type: resource.type, attributes, private: instance.private });
    }
    return {
      objects: this.#found,
      unknown: this.#unknown,
      diagnostics: run.diagnostics.filter(isConfigurationError),
    };
  }

  #visitResource(declaration: ResourceDeclaration): "done" {
    const { address, mode, type } = declaration;
    const held = new Map(this.#current.get(address)?.map((object) => [object.address, object]));
    const notCreated = new Map<InstanceKey, InstanceConfig>();
    if (mode === "managed") {
      const { instances, diagnostics } = expand(declaration, this.run.evaluation);
      if (hasErrors(diagnostics)) this.#unknown.push({ address, type });
      for (const instance of instances) {
        const object = held.get(instance.address);
        const config = this.#declare(declaration, instance, object);
        if (object === undefined && config !== undefined) notCreated.set(instance.key, config);
      }
    }
    // Most resources are never referenced.
    this.run.evaluation.setLazily(address, () =>
      this.#resourceValue(declaration, [...held.values()], notCreated),
    );
    return "done";
  }

  /**
   * The value of a declaration in expressions: its objects in the state, and the configuration of those not
   * created yet.
   */
  #resourceValue(
    declaration: ResourceDeclaration,
    held: readonly StateObject[],
    notCreated: ReadonlyMap<InstanceKey, InstanceConfig>,
  ): Value {
    const run = this.run;
    const values = new Map<InstanceKey, Value>();
    for (const { instance } of held) values.set(instance.indexKey, storedValue(run, declaration, instance));
    for (const [key, { config, sensitive }] of notCreated) {
      const known = Object.entries(config).map(([name, one]): [string, PlainValue] => [name, one ?? UNKNOWN]);
      values.set(key, markedValue(run.schema(declaration).attributes, Object.fromEntries(known), sensitive));
    }
    return (values.size === 0 ? undefined : aggregate(declaration, values)) ?? unknown(DYNAMIC);
  }

  /**
   * Records a declared instance.
   *
   * @returns its configuration; undefined if it could not be evaluated
   */
  #declare(declaration: ResourceDeclaration, instance: Instance, held: StateObject | undefined) {
    const { type, provider } = declaration;
    const found = instanceConfig(this.run, declaration, instance);
    if (hasErrors(found.diagnostics)) {
      this.#unknown.push({ address: instance.address, type });
      return undefined;
    }
    // If the state has all declared values, it is the same object.
    if (held !== undefined && isSubset(found.config, held.instance.attributes as ValueObject))
      this.#declaredAsHeld.add(held.instance);
    else {
      // Paths that the state's object remembers hold for its declaration too.
      const request = { type, attributes: found.config, private: held?.instance.private };
      this.#add(instance.address, provider, "configuration", request);
    }
    return found;
  }

  #add(address: string, provider: string, source: StackObject["source"], request: IdentifyRequest): void {
    const service = this.run.configured(provider)?.service;
    const isBegun = source !== "configuration" && this.begun.has(address);
    this.#found.push({
      ...{ address, source, service, request: { ...request, isCacheOnly: true } },
      ...(isBegun && { isBegun }),
    });
  }
}

/** A variable without a value is unknown rather than an error: it matters only if an object depends on it. */
const isConfigurationError = ({ severity, code }: Diagnostic): boolean =>
  severity === "error" && code !== "missing_variable";

function isSubset(declared: PlainValue, held: PlainValue | undefined): boolean {
  if (declared === null || declared === held) return true;
  if (Array.isArray(declared))
    return (
      Array.isArray(held) &&
      declared.length === held.length &&
      declared.every((element: PlainValue, at) => isSubset(element, held[at] as PlainValue))
    );
  if (!isObject(declared) || held === undefined || !isObject(held)) return false;
  return Object.entries(declared).every(([name, value]) => isSubset(value, held[name]));
}
