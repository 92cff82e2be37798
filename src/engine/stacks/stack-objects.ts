import { type Diagnostic, DiagnosticError, hasErrors } from "../../diagnostics";
import type { IdentifyRequest } from "../../provider/protocol";
import { type Value as PlainValue, UNKNOWN, type ValueObject } from "../../provider/schema";
import type { ResourceDeclaration } from "../config";
import { walk } from "../graph/walk";
import { valueFrom } from "../import/evaluate-needed";
import { sensitivePathsOf } from "../plan/sensitivity";
import { type RunContext, WIDTH } from "../run/context";
import { addProviders, type Node } from "../run/declarations";
import { instanceConfig } from "../run/instance-config";
import { aggregate, expand, type Instance, type InstanceKey } from "../run/instances";
import { objectsOf, type StateObject } from "../run/objects";
import { StackRun } from "../run/stack-run";
import { resourceAddress } from "../state/address";
import type { State } from "../state/model";
import { DYNAMIC, unknown, type Value } from "../values";

/** One object that a stack declares, or that its state holds. */
export interface StackObject {
  readonly address: string;
  readonly request: IdentifyRequest;
  /** The service that its provider talks to; nothing where that is not known. */
  readonly service: string | undefined;
  readonly source: "configuration" | "state";
  /** What it is for the service, where a plan found that out. */
  readonly identity?: string;
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
    const run = new StackRun(context);
    try {
      return await new Reader(run, state).read();
    } finally {
      await run.close();
    }
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
    const isSound = !run.diagnostics.some(
      ({ severity, code }) => severity === "error" && code !== "missing_variable",
    );
    const nodes = isSound
      ? graph
      : graph.only(graph.closure(graph.ids.filter((id) => graph.value(id)?.kind === "provider")));
    await walk(nodes, (id, node) => run.guard(id, () => this.#visit(node)), { width: WIDTH });
    for (const { address, resource, instance, provider } of this.#held) {
      const attributes = instance.attributes as ValueObject;
      this.#add(address, provider, "state", { type: resource.type, attributes, private: instance.private });
    }
    return {
      objects: this.#found,
      unknown: this.#unknown,
      diagnostics: run.diagnostics.filter(({ severity }) => severity === "error"),
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
    const values = new Map<InstanceKey, Value>();
    const held = new Map(this.#current.get(address)?.map((object) => [object.address, object]));
    for (const { instance } of held.values()) {
      const sensitive = sensitivePathsOf(instance, this.#run.schema(declaration).attributes);
      values.set(instance.indexKey, valueFrom(this.#run, declaration, instance.attributes, sensitive));
    }
    if (mode === "managed") {
      const { instances, diagnostics } = expand(declaration, this.#run.evaluation);
      if (hasErrors(diagnostics)) this.#unknown.push({ address, type });
      for (const instance of instances) {
        const value = this.#declare(declaration, instance, held.get(instance.address));
        if (!values.has(instance.key)) values.set(instance.key, value);
      }
    }
    const value = values.size === 0 ? undefined : aggregate(declaration, values);
    this.#run.evaluation.set(address, value ?? unknown(DYNAMIC));
  }

  /** Answers with what is known of an object that the state does not have yet. */
  #declare(declaration: ResourceDeclaration, instance: Instance, held: StateObject | undefined): Value {
    const { type, provider } = declaration;
    const { config, diagnostics, sensitive } = instanceConfig(this.#run, declaration, instance);
    if (hasErrors(diagnostics)) {
      this.#unknown.push({ address: instance.address, type });
      return unknown(DYNAMIC);
    }
    // What the object's state remembers of paths holds for its declaration as well.
    const request = { type, attributes: config, private: held?.instance.private };
    this.#add(instance.address, provider, "configuration", request);
    const known = Object.entries(config).map(([name, one]): [string, PlainValue] => [name, one ?? UNKNOWN]);
    return valueFrom(this.#run, declaration, Object.fromEntries(known), sensitive);
  }

  #add(address: string, provider: string, source: StackObject["source"], request: IdentifyRequest): void {
    const service = this.#run.configured(provider)?.service;
    this.#found.push({ address, source, service, request: { ...request, asksNothing: true } });
  }
}
