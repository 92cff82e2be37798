import { type Diagnostic, diagnosticsOf, hasErrors, isServiceProblem } from "../../diagnostics";
import type { IdentifyRequest, Share } from "../../framework";
import {
  DYNAMIC,
  type ResourceDeclaration,
  referencedDeclaration,
  references,
  unknown,
  type Value,
} from "../../language";
import { isObject, type Value as PlainValue, UNKNOWN, type ValueObject } from "../../schema";
import type { InstanceState, State } from "../../state";
import { addProviders } from "../declarations/declarations";
import type { VisitOutcome } from "../declarations/walk";
import { objectsOf, removalOf, type StateObject } from "../objects/objects";
import { markedValue } from "../results/redaction";
import type { RunContext } from "../stack-run/context";
import {
  aggregate,
  expand,
  type Instance,
  type InstanceConfig,
  type InstanceKey,
  instanceConfig,
} from "../stack-run/instances";
import { type StackRun, type Visitor, visitNode, walkGuarded, withRun } from "../stack-run/stack-run";
import { readData, storedValue } from "../steps/data-sources";

/** An object that a stack declares or that its state holds. */
export interface StackObject {
  readonly address: string;
  readonly request: IdentifyRequest;
  /** The service of its provider; undefined if unknown. */
  readonly service: string | undefined;
  /** `both` if the declared values equal the values in the state. */
  readonly source: "configuration" | "state" | "both";
  /** Whether an interrupted run began to create the object. The service may have it. */
  readonly isBegun?: boolean;
  /** The object's identity on the service, if a plan found it. */
  readonly identity?: string;
  /** The parts of sets with several owners that the object owns. */
  readonly shares?: readonly Share[];
}

/** A declaration that could not be evaluated: its instances, or the values of an instance, are unknown. */
export interface UnknownObjects {
  readonly address: string;
  readonly type: string;
  /** The service of its provider; undefined if unknown. */
  readonly service: string | undefined;
}

/** The values of data sources that were read for a stack, by address. */
export type ReadLists = Map<string, Value>;

/** The objects of a stack that can be found from its state and the lists of the service. */
export interface StackObjects {
  readonly objects: readonly StackObject[];
  /**
   * Declarations that could not be evaluated, by type, and the errors that prevented reading parts of the
   * stack.
   */
  readonly unknown: readonly UnknownObjects[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns the objects that a stack declares and that its last state holds. Reads the data sources that a `count` or `for_each`
 * depends on, because lists change. Also reads needed data sources that the state does not hold. Other data sources and computed
 * attributes have their values from that state.
 *
 * @param begun addresses of the state whose objects an interrupted run began to create
 * @param lists earlier results, which are not read again; receives new results
 */
export async function stackObjects(
  context: RunContext,
  state: State | undefined,
  begun: ReadonlySet<string> = new Set(),
  lists: ReadLists = new Map(),
): Promise<StackObjects> {
  try {
    return await withRun(context, (run) => new StackReader(run, state, begun, lists).read());
  } catch (problem) {
    return { objects: [], unknown: [], diagnostics: diagnosticsOf(problem) };
  }
}

class StackReader {
  readonly #current: ReadonlyMap<string, StateObject[]>;
  readonly #held: readonly StateObject[];
  readonly #found: StackObject[] = [];
  /** Instances whose declared values equal the values in the state. */
  readonly #declaredAsHeld = new Set<InstanceState>();
  readonly #unknown: UnknownObjects[] = [];
  /** Data sources to read. */
  readonly #read: ReadonlySet<string>;

  constructor(
    private readonly run: StackRun,
    state: State | undefined,
    private readonly begun: ReadonlySet<string>,
    private readonly lists: ReadLists,
  ) {
    const { current, deposed } = objectsOf(state, run);
    const { configuration } = run.context;
    this.#current = current;
    this.#held = [...current.values(), ...deposed.values()]
      .flat()
      .filter(({ resource }) => resource.mode === "managed")
      // A `removed` block releases objects that another stack may declare.
      .filter(({ resource }) => removalOf(configuration, resource)?.destroy !== false);
    addProviders(
      run.graph,
      this.#held.map(({ provider }) => provider),
    );
    this.#read = this.#dataToRead();
  }

  /** The data sources that lists of declarations depend on, and needed data sources that the state does not hold. */
  #dataToRead(): ReadonlySet<string> {
    const { graph, context } = this.run;
    const managed = [...context.configuration.resources.values()].filter(({ mode }) => mode === "managed");
    const repetitions = managed.flatMap(({ count, forEach }) => [count ?? forEach ?? []].flat());
    const ofLists = repetitions.flatMap(references).map((one) => referencedDeclaration(one).address);
    const isData = (id: string) => {
      const node = graph.value(id);
      return node?.kind === "resource" && node.mode === "data";
    };
    const needed = graph.closure(managed.flatMap(({ address }) => graph.dependenciesOf(address)));
    return new Set([
      ...[...graph.closure(ofLists)].filter(isData),
      ...[...needed].filter((id) => isData(id) && !this.#current.has(id)),
    ]);
  }

  async read(): Promise<StackObjects> {
    const run = this.run;
    const { graph } = run;
    // The state is compared even if the declarations are invalid.
    const isSound = !run.diagnostics.some(isConfigurationError);
    const nodes = isSound
      ? graph
      : graph.subgraph(graph.closure(graph.ids.filter((id) => graph.value(id)?.kind === "provider")));
    // The visitor never fails. Dependents of an invalid declaration see unknown values.
    const visitor: Visitor = {
      resource: ({ declaration }) =>
        this.#read.has(declaration.address) ? this.#readList(declaration) : this.#visitResource(declaration),
    };
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

  /** Reads a data source, once for all uses. After a failed read its value is unknown. */
  async #readList(declaration: ResourceDeclaration): Promise<"done"> {
    const { address, provider } = declaration;
    const { evaluation, context } = this.run;
    const known = this.lists.get(address);
    if (known !== undefined) evaluation.set(address, known);
    else if (this.run.configured(provider) === undefined || context.refresh === false)
      return this.#visitResource(declaration);
    else {
      await readData(this.run, declaration);
      this.lists.set(address, evaluation.get(address)!);
    }
    return "done";
  }

  #visitResource(declaration: ResourceDeclaration): "done" {
    const { address, mode } = declaration;
    const held = new Map(this.#current.get(address)?.map((object) => [object.address, object]));
    const notCreated = new Map<InstanceKey, InstanceConfig>();
    if (mode === "managed") {
      const { instances, diagnostics } = expand(declaration, this.run.evaluation);
      if (hasErrors(diagnostics)) this.#addUnknown(address, declaration);
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
   * Returns the value of a declaration in expressions: its objects in the state, and the configuration of instances without an
   * object.
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
      this.#addUnknown(instance.address, declaration);
      return undefined;
    }
    // The object is the same if the state has all declared values.
    if (held !== undefined && isSubset(found.config, held.instance.attributes as ValueObject))
      this.#declaredAsHeld.add(held.instance);
    else {
      // The declaration of the state's object uses the paths that this object remembers.
      const request = { type, attributes: found.config, private: held?.instance.private };
      this.#add(instance.address, provider, "configuration", request);
    }
    return found;
  }

  #addUnknown(address: string, { type, provider }: ResourceDeclaration): void {
    this.#unknown.push({ address, type, service: this.run.configured(provider)?.service });
  }

  #add(address: string, provider: string, source: StackObject["source"], request: IdentifyRequest): void {
    const service = this.run.configured(provider)?.service;
    const isBegun = source !== "configuration" && this.begun.has(address);
    this.#found.push({
      address,
      source,
      service,
      request: { ...request, isCacheOnly: true },
      ...(isBegun && { isBegun }),
    });
  }
}

/**
 * Returns true for an error of the configuration. Variables without a value and unreadable lists are unknown values, and matter
 * only if an object depends on them.
 */
const isConfigurationError = ({ severity, code }: Diagnostic): boolean =>
  severity === "error" && code !== "missing_variable" && !isServiceProblem(code);

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
