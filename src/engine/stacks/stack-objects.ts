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
  /** The service of the object's provider; undefined if it is unknown. */
  readonly service: string | undefined;
  /** The place where the object was found. `both` means that the values in the state contain all declared values. */
  readonly source: "configuration" | "state" | "both";
  /** Whether an interrupted run began to create the object. The object can exist on the service. */
  readonly isBegun?: boolean;
  /** The object's identity on the service, if a plan found it. */
  readonly identity?: string;
  /** The parts of shared sets that the object owns. */
  readonly shares?: readonly Share[];
}

/** A declaration that could not be evaluated: its instances, or the values of an instance, are unknown. */
export interface UnknownObjects {
  readonly address: string;
  readonly type: string;
  /** The service of the declaration's provider; undefined if it is unknown. */
  readonly service: string | undefined;
}

/** The values of data sources that were read for a stack, by address. */
export type ReadLists = Map<string, Value>;

/** The objects of a stack, as far as its state, its configuration and the lists of the service show them. */
export interface StackObjects {
  readonly objects: readonly StackObject[];
  /**
   * Declarations that could not be evaluated. `diagnostics` contains the errors that prevented reads.
   */
  readonly unknown: readonly UnknownObjects[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Returns the objects that a stack declares, and the objects in its last state. Reads the data sources on which `count` or
 * `for_each` depends, because the lists of the service can change. Also reads needed data sources that the state lacks. All
 * other data sources, and computed attributes, have their values from the state.
 *
 * @param begun addresses of objects that an interrupted run began to create
 * @param lists the values of data sources that were read before and are not read again; the function adds each value that it
 * reads
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
  /** Instances in the state that already have all declared values. */
  readonly #declaredAsHeld = new Set<InstanceState>();
  readonly #unknown: UnknownObjects[] = [];
  /** The addresses of the data sources to read. */
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
      // An object that a `removed` block only forgets is left out, because another stack can declare it.
      .filter(({ resource }) => removalOf(configuration, resource)?.destroy !== false);
    addProviders(
      run.graph,
      this.#held.map(({ provider }) => provider),
    );
    this.#read = this.#dataToRead();
  }

  /**
   * Returns the addresses of the data sources that `count` and `for_each` refer to, and of needed data sources that the state
   * lacks.
   */
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
    // If the declarations are invalid, only the providers are visited. The objects in the state can then still be compared.
    const isSound = !run.diagnostics.some(isConfigurationError);
    const nodes = isSound
      ? graph
      : graph.subgraph(graph.closure(graph.ids.filter((id) => graph.value(id)?.kind === "provider")));
    // Each visit counts as done, so that no dependent is skipped. Dependents of an invalid declaration use unknown values.
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

  /**
   * Sets the value of a data source. Reads the data source, unless an earlier comparison of this command has read it. After a
   * failed read, the value is unknown.
   */
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
    // The value is created on first use, because most resources are never referenced.
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
   * @returns the configuration of the instance; undefined if it could not be evaluated
   */
  #declare(declaration: ResourceDeclaration, instance: Instance, held: StateObject | undefined) {
    const { type, provider } = declaration;
    const found = instanceConfig(this.run, declaration, instance);
    if (hasErrors(found.diagnostics)) {
      this.#addUnknown(instance.address, declaration);
      return undefined;
    }
    // If the state has all declared values, the declaration adds no further object.
    if (held !== undefined && isSubset(found.config, held.instance.attributes as ValueObject))
      this.#declaredAsHeld.add(held.instance);
    else {
      // The private bytes of the object in the state contain ids for paths, and the declaration can use the same paths.
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
 * Returns whether a diagnostic is an error of the configuration. Returns false for variables without a value and for unreadable
 * lists. An unknown value matters only to objects that depend on the value.
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
