import { type Diagnostic, hasErrors } from "../../diagnostics";
import type { StoredState } from "../../framework";
import {
  DYNAMIC,
  type ResourceDeclaration,
  referencedDeclaration,
  references,
  unknown,
  type Value,
} from "../../language";
import { type Attributes, isUnknown, isWhollyKnown, UNKNOWN, type ValueObject } from "../../schema";
import type { InstanceState } from "../../state";
import { type Node, providerNode, resourceDependencies } from "../declarations/declarations";
import type { Graph } from "../declarations/graph";
import { at, type StateObject } from "../objects/objects";
import type { ActionReason } from "../results/plan";
import { markedValue, sensitivePathsOf } from "../results/redaction";
import {
  checkInstance,
  hasConditions,
  type InstanceContext,
  reportNestedRead,
} from "../stack-run/conditions";
import {
  aggregate,
  expand,
  type InstanceConfig,
  type InstanceKey,
  instanceConfig,
} from "../stack-run/instances";
import { type StackRun, type Visitor, visitNode, walkGuarded } from "../stack-run/stack-run";
import { changeOf, type PlannedStep, type Step } from "./steps";

/** The plan of an instance of a data source. */
export class DataSourcePlan {
  #body: InstanceConfig | undefined;

  /** @param isPending whether changes of a resource are planned; a read that depends on these changes is deferred to apply */
  constructor(
    private readonly of: InstanceContext,
    private readonly isPending: (resource: string) => boolean = () => false,
  ) {}

  get #config(): InstanceConfig {
    this.#body ??= instanceConfig(this.of.run, this.of.declaration, this.of.instance);
    return this.#body;
  }

  /** Checks the preconditions, reads the data source or defers the read, and checks the postconditions. */
  async plan(isOnlyWarning = false): Promise<PlannedStep> {
    const { preconditions, postconditions } = this.of.declaration.lifecycle;
    const before =
      preconditions.length === 0 ? [] : checkInstance(this.of, "precondition", undefined, isOnlyWarning);
    if (hasErrors(before)) return { step: undefined, diagnostics: before };
    const { step, diagnostics } = await this.#readOrDefer();
    const self = step && { values: step.change.after, sensitive: step.sensitive };
    const isChecked = self !== undefined && postconditions.length > 0;
    const after = isChecked ? checkInstance(this.of, "postcondition", self, isOnlyWarning) : [];
    return { step: hasErrors(after) ? undefined : step, diagnostics: [...before, ...diagnostics, ...after] };
  }

  /**
   * Returns the plan of a data source inside a check. If the data source can't be read, the check fails, and the plan still
   * succeeds.
   */
  nested(planned: PlannedStep): PlannedStep {
    const { run, declaration } = this.of;
    const diagnostics = reportNestedRead(run, declaration.check!, planned.diagnostics);
    if (!hasErrors(planned.diagnostics)) return planned;
    const values = deferredValues(this.#config.config, run.schema(declaration).attributes);
    return { step: this.#step(values, "read_because_check_nested"), diagnostics };
  }

  async #readOrDefer(): Promise<PlannedStep> {
    const { run, declaration, instance } = this.of;
    const { type, provider, construct } = declaration;
    const { attributes } = run.schema(declaration);
    const { config, ...body } = this.#config;
    if (hasErrors(body.diagnostics)) return { step: undefined, diagnostics: body.diagnostics };
    const invalid = at(body.invalid, instance.address, construct);
    if (hasErrors(invalid)) return { step: undefined, diagnostics: invalid };
    const reason = this.#deferReason(config);
    const recorded =
      reason === undefined
        ? run.context.recorded?.data(instance.address, attributes)
        : deferredValues(config, attributes);
    const planned =
      recorded === undefined
        ? await run.configured(provider).readDataSource({ type, config, address: instance.address })
        : { attributes: recorded, diagnostics: [] };
    const diagnostics = [...body.diagnostics, ...at(planned.diagnostics, instance.address, construct)];
    const step = planned.attributes && this.#step(planned.attributes, reason);
    return { step, diagnostics };
  }

  /** Returns the step of a data source. If apply reads the data source, `reason` is the reason for this. */
  #step(values: ValueObject, reason?: ActionReason): Step {
    const { run, declaration, instance } = this.of;
    const { config, sensitive } = this.#config;
    const planned = { attributes: values };
    const prior = reason === undefined ? planned : undefined;
    const change = changeOf(run, declaration, instance, {
      action: reason === undefined ? "no-op" : "read",
      before: prior,
      after: planned,
      beforeSensitive: sensitive,
      afterSensitive: sensitive,
    });
    if (reason !== undefined) change.reason = reason;
    return {
      change,
      provider: declaration.provider,
      declared: { declaration, instance },
      object: undefined,
      prior,
      planned,
      config,
      sensitive,
      dependencies: resourceDependencies(run.graph, declaration.address),
      createBeforeDestroy: false,
    };
  }

  /**
   * Returns the reason to defer a read: an argument is unknown, or a dependency has planned changes. Returns undefined if there
   * is no reason to defer the read.
   */
  #deferReason(config: ValueObject): ActionReason | undefined {
    if (!isWhollyKnown(config)) return "read_because_config_unknown";
    return this.#dependencies().some(this.isPending) ? "read_because_dependency_pending" : undefined;
  }

  /**
   * Returns the managed resources whose planned changes defer the read, as in Terraform. The result contains the
   * resources to which the data source refers, and the resources that `depends_on` reaches without passing another
   * resource. If the data source has conditions, the result contains all its dependencies.
   */
  #dependencies(): readonly string[] {
    const { declaration, run } = this.of;
    const { graph } = run;
    const { body, count, forEach, dependsOn, address } = declaration;
    if (hasConditions(declaration.lifecycle)) return resourceDependencies(graph, address);
    const expressions = [...body.values(), count, forEach].filter((expression) => expression !== undefined);
    const named = expressions.flatMap(references).map((one) => referencedDeclaration(one).address);
    const waitsFor = dependsOn.flatMap((traversal) => {
      const subject = referencedDeclaration(traversal);
      const isResource = subject.kind === "resource" || subject.kind === "data";
      return isResource ? [subject.address] : resourceDependencies(graph, subject.address);
    });
    return [...named, ...waitsFor];
  }
}

/** Returns the planned values of a deferred read: the arguments, and unknown values for computed attributes. */
const deferredValues = (config: ValueObject, attributes: Attributes): ValueObject =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { presence }]) => {
      const given = config[name] ?? null;
      const isUnknown = presence === "computed" || (presence === "optionalComputed" && given === null);
      return [name, isUnknown ? UNKNOWN : given];
    }),
  );

/** Returns the attributes of an object for the state. As under Terraform, unknown attributes become null. */
export const unknownsAsNull = ({ attributes }: StoredState): StoredState => ({
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, isUnknown(value) ? null : value]),
  ),
});

/**
 * Changes the step of a check's data source, so that apply reads the data source again. The check is about the service at the
 * time of the apply.
 */
export function rereadAtApply(step: Step): Step {
  if (step.change.action === "read") return step;
  return {
    ...step,
    change: { ...step.change, action: "read", reason: "read_because_check_nested", before: null },
    prior: undefined,
  };
}

type Objects = ReadonlyMap<string, readonly StateObject[]>;

/**
 * Evaluates the values that an import into a declaration needs: its `count` or `for_each`, and some provider
 * configurations. These provider configurations belong to the declaration, and to all objects that can be the imported
 * object. Reads data sources. Managed resources have their values from the state.
 */
export async function evaluateForImport(
  run: StackRun,
  declaration: ResourceDeclaration,
  objects: Objects,
): Promise<void> {
  const repetition = [declaration.count, declaration.forEach].flatMap((expression) => expression ?? []);
  const named = repetition.flatMap(references).map((traversal) => referencedDeclaration(traversal).address);
  const alike = [...objects.values()].flat().filter(({ resource }) => resource.type === declaration.type);
  const providers = [declaration, ...alike].map(({ provider }) => providerNode(provider));
  await evaluateNodes(run, [...providers, ...named], objects);
}

/** Evaluates nodes and their dependencies, except nodes in `done`. Managed resources have their values from the state. */
export async function evaluateNodes(
  run: StackRun,
  needed: readonly string[],
  objects: Objects,
  done?: Graph<Node>,
): Promise<void> {
  const left = [...run.graph.closure(needed)].filter((id) => done?.has(id) !== true);
  const graph = run.graph.subgraph(new Set(left));
  const visitor: Visitor = {
    resource: ({ declaration }) =>
      declaration.mode === "data" ? readData(run, declaration) : useState(run, declaration, objects),
  };
  await walkGuarded(run, graph, (id, node) => visitNode(run, visitor, id, node));
}

/**
 * Reads the instances of a data source now, regardless of planned changes. Values that can't be read are unknown.
 *
 * @param onFailure receives the reason why an instance could not be read
 */
export async function readData(
  run: StackRun,
  declaration: ResourceDeclaration,
  onFailure?: (found: readonly Diagnostic[]) => void,
): Promise<"done" | "failed"> {
  const { instances, diagnostics } = expand(declaration, run.evaluation);
  const values = new Map<InstanceKey, Value>();
  const outcomes = await Promise.all(
    instances.map(async (instance) => {
      const { step, diagnostics: found } = await new DataSourcePlan({ run, declaration, instance }).plan();
      const read =
        step?.change.after &&
        markedValue(run.schema(declaration).attributes, step.change.after, step.sensitive);
      values.set(instance.key, read ?? unknown(DYNAMIC));
      const outcome = run.report(found);
      if (outcome === "failed") onFailure?.(found);
      return outcome;
    }),
  );
  run.evaluation.set(declaration.address, aggregate(declaration, values) ?? unknown(DYNAMIC));
  return outcomes.includes("failed") ? "failed" : run.report(diagnostics);
}

function useState(run: StackRun, declaration: ResourceDeclaration, objects: Objects): "done" {
  const values = new Map<InstanceKey, Value>();
  for (const { instance } of objects.get(declaration.address) ?? [])
    values.set(instance.indexKey, storedValue(run, declaration, instance));
  const known = values.size === 0 ? undefined : aggregate(declaration, values);
  run.evaluation.set(declaration.address, known ?? unknown(DYNAMIC));
  return "done";
}

/** Returns the value of an object in the state, with marks for its sensitive parts. */
export function storedValue(run: StackRun, declaration: ResourceDeclaration, instance: InstanceState): Value {
  const { attributes } = run.schema(declaration);
  return markedValue(attributes, instance.attributes as ValueObject, sensitivePathsOf(instance, attributes));
}
