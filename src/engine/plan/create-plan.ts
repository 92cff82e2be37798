import { hasErrors } from "../../diagnostics";
import type { StoredState } from "../../provider/protocol";
import type { Attributes, ValueObject } from "../../provider/schema";
import { withIdToCome } from "../builtin/terraform-data";
import { checkBlock, checkVariable } from "../checks/check-declarations";
import type { ResourceDeclaration } from "../config";
import { fromPlain, impliedType, shown } from "../evaluate/plain";
import { walk } from "../graph/walk";
import { importForPlan } from "../import/import-for-plan";
import { type ImportTargets, importTargets } from "../import/import-targets";
import { createdBeforeDestroyed } from "../lifecycle/create-before-destroy";
import { checkInstance, expectConditions, hasConditions } from "../lifecycle/instance-conditions";
import { preventDestroy } from "../lifecycle/prevent-destroy";
import { checkMovedInstances, checkMovesTargeted } from "../moves/check-moves";
import { moveObjects } from "../moves/move-objects";
import { type RunContext, WIDTH } from "../run/context";
import { addProviders, type Node } from "../run/declarations";
import { aggregate, expand, type Instance, type InstanceKey } from "../run/instances";
import { at, constructOf, nameOf, objectsOf, type StateObject } from "../run/objects";
import { StackRun } from "../run/stack-run";
import { selectTargets, type Targets, withoutKey } from "../run/targets";
import { resourceAddress } from "../state/address";
import type { State } from "../state/model";
import { validateConfiguration } from "../validate/validate-configuration";
import { DYNAMIC, markPaths, unknown, type Value } from "../values";
import { differingAttributes } from "./differences";
import { objectFacts } from "./facts";
import type { ActionReason, PlanMode, ResourceChange } from "./model";
import { nestedInCheck, readAgainInCheck } from "./nested-data";
import type { Plan } from "./plan";
import { planData } from "./plan-data";
import { type PlannedStep, planManaged } from "./plan-managed";
import { evaluateOutput } from "./plan-outputs";
import { type EvaluatedOutput, planResult } from "./plan-result";
import { type Refreshed, Refresher } from "./refresh";
import { sensitivePathsOf } from "./sensitivity";
import type { Step } from "./steps";

/**
 * Looks at the service and works out what applying the configuration would do. Problems with single objects on the
 * service are told and leave those objects out; a mistake in the declarations leaves nothing to apply.
 */
export async function createPlan(
  context: RunContext,
  state: State | undefined,
  mode: PlanMode = "normal",
): Promise<Plan> {
  const run = new StackRun(context);
  run.report(await validateConfiguration(context));
  const moved = moveObjects(state, run);
  run.report(moved.diagnostics);
  if (mode !== "destroy") run.previousAddresses = moved.previous;
  try {
    return await new Planner(run, state, moved.state, mode).plan();
  } finally {
    await run.close();
  }
}

class Planner {
  readonly #run: StackRun;
  readonly #state: State | undefined;
  readonly #movedState: State | undefined;
  readonly #mode: PlanMode;
  readonly #targets: Targets;
  readonly #objects: ReadonlyMap<string, StateObject[]>;
  readonly #deposed: ReadonlyMap<string, StateObject[]>;
  readonly #refresher: Refresher;
  readonly #steps: Step[] = [];
  readonly #moved = new Map<string, Refreshed>();
  readonly #outputs = new Map<string, EvaluatedOutput>();
  readonly #createsFirst: ReadonlySet<string>;
  /** What was planned so far, by resource. */
  readonly #planned = new Map<string, Step[]>();
  readonly #blocked = new Set<string>();

  constructor(run: StackRun, state: State | undefined, movedState: State | undefined, mode: PlanMode) {
    this.#run = run;
    this.#state = state;
    this.#movedState = movedState;
    this.#mode = mode;
    const { current, deposed } = objectsOf(hasErrors(run.diagnostics) ? undefined : movedState, run);
    this.#objects = current;
    this.#deposed = deposed;
    this.#createsFirst = createdBeforeDestroyed(run.graph);
    this.#targets = selectTargets(run, this.#objects, { destroys: mode === "destroy" });
    run.report(checkMovesTargeted(run.previousAddresses, this.#targets));
    const managed = [...current.values(), ...deposed.values()]
      .flat()
      .filter(({ resource }) => resource.mode === "managed");
    this.#refresher = new Refresher(
      run,
      managed.filter((object) => this.#targets.object(object.address) && !this.#isForgotten(object)),
    );
    addProviders(
      run.graph,
      managed.map(({ provider }) => provider),
    );
  }

  async plan(): Promise<Plan> {
    const { context, graph, diagnostics } = this.#run;
    if (!hasErrors(diagnostics)) {
      const { parallelism, stop, failFast } = context;
      const outcomes = await walk(
        this.#targets.graph(graph),
        (id, node) => this.#run.guard(id, () => this.#visit(id, node)),
        {
          width: Math.max(parallelism ?? WIDTH, WIDTH),
          signal: stop,
          failFast,
        },
      );
      for (const [id, outcome] of outcomes) if (outcome !== "done") this.#blocked.add(id);
      await this.#planOrphans();
      await this.#planDeposed();
    }
    return planResult({
      run: this.#run,
      state: this.#state,
      movedState: this.#movedState,
      mode: this.#mode,
      // What can't be read before a destroy isn't read after it either.
      steps:
        this.#mode === "destroy" ? this.#steps.filter(({ change }) => change.action !== "read") : this.#steps,
      moved: [...this.#moved.values()],
      blocked: this.#blocked,
      outputs: this.#outputs,
    });
  }

  async #visit(id: string, node: Node): Promise<"done" | "failed"> {
    switch (node.kind) {
      case "local":
        return this.#run.visitLocal(node.name, node);
      case "provider": {
        const outcome = this.#run.visitProvider(node.key, node.declaration, true);
        if (outcome === "done") this.#refresher.start(node.key);
        return outcome;
      }
      case "output": {
        const onlyWarns = this.#mode !== "normal";
        const { value, diagnostics } = evaluateOutput(this.#run, node.declaration, onlyWarns);
        this.#outputs.set(node.declaration.name, { value, sensitive: node.declaration.sensitive });
        return this.#run.report(diagnostics);
      }
      case "variable":
        return this.#run.report(checkVariable(this.#run, node.declaration));
      case "check":
        this.#run.checks.declare("check", id);
        return this.#mode === "destroy" ? "done" : this.#run.report(checkBlock(this.#run, node.declaration));
      case "resource":
        return this.#visitResource(id, node.declaration);
    }
  }

  async #visitResource(address: string, declaration: ResourceDeclaration): Promise<"done" | "failed"> {
    if (this.#mode !== "normal" && declaration.mode === "managed")
      return this.#visitWithoutPlanning(declaration);
    // What ends needs no check.
    if (this.#mode === "destroy" && declaration.check !== undefined) return "done";
    const { instances, diagnostics } = expand(declaration, this.#run.evaluation);
    const imports = importTargets(this.#run, declaration, instances);
    const moves = checkMovedInstances(this.#run.context.configuration, declaration, instances);
    const outcome = this.#run.report([...diagnostics, ...imports.diagnostics, ...moves]);
    if (outcome === "failed") return outcome;
    const wanted = instances.map((instance) => instance.address);
    expectConditions(this.#run, declaration, wanted);
    const { attributes } = this.#run.schema(declaration);
    const values = new Map<InstanceKey, Value>();
    const outcomes = await Promise.all(
      instances.map(async (instance) => {
        if (!this.#targets.object(instance.address)) return "done";
        const planned =
          declaration.mode === "data"
            ? await this.#planData(declaration, instance)
            : await planManaged(
                this.#run,
                declaration,
                instance,
                await this.#live(declaration, instance, imports),
                {
                  createsBeforeDestroying: this.#createsFirst.has(address),
                  stepsOf: (resource) => this.#planned.get(resource) ?? [],
                },
              );
        if (planned.step !== undefined) {
          this.#addStep(planned.step);
          values.set(instance.key, valueOfStep(planned.step, attributes));
        }
        return this.#run.report(planned.diagnostics);
      }),
    );
    const ordered = new Map(instances.map(({ key }) => [key, values.get(key) ?? unknown(DYNAMIC)]));
    this.#run.evaluation.set(address, aggregate(declaration, ordered) ?? unknown(DYNAMIC));
    await this.#planSurplus(address, declaration, new Set(wanted));
    return outcomes.includes("failed") ? "failed" : "done";
  }

  async #planData(declaration: ResourceDeclaration, instance: Instance): Promise<PlannedStep> {
    const isPending = (resource: string) => this.#isPending(resource);
    const planned = await planData(this.#run, declaration, instance, isPending, this.#mode !== "normal");
    if (declaration.check === undefined) return planned;
    const nested = nestedInCheck(this.#run, declaration, instance, planned);
    if (this.#mode === "normal") return { ...nested, step: nested.step && readAgainInCheck(nested.step) };
    return { ...nested, step: planned.step };
  }

  /** In the other modes an object is what the state, refreshed, says; a destroy plans its end. */
  async #visitWithoutPlanning(declaration: ResourceDeclaration): Promise<"done" | "failed"> {
    expectConditions(this.#run, declaration);
    const { attributes } = this.#run.schema(declaration);
    const values = new Map<InstanceKey, Value>();
    let outcome: "done" | "failed" = "done";
    for (const object of this.#objects.get(declaration.address) ?? []) {
      const refreshed = await this.#refreshed(object.address);
      if (refreshed === undefined) continue;
      if (this.#run.report(refreshed.diagnostics) === "failed") outcome = "failed";
      if (refreshed.live !== undefined) {
        values.set(object.instance.indexKey, fromPlain(refreshed.live.attributes, impliedType(attributes)));
        if (this.#mode === "destroy" && outcome === "done")
          outcome = await this.#planEnd(object, refreshed.live, undefined);
      }
    }
    const value = aggregate(declaration, values) ?? unknown(impliedType(attributes));
    this.#run.evaluation.set(declaration.address, value);
    if (this.#mode === "refresh-only") await this.#checkRefreshed(declaration);
    return outcome;
  }

  /** A look at what is there doesn't fail because of conditions; it tells of them. */
  async #checkRefreshed(declaration: ResourceDeclaration): Promise<void> {
    if (!hasConditions(declaration)) return;
    const { instances, diagnostics } = expand(declaration, this.#run.evaluation);
    this.#run.report(diagnostics);
    expectConditions(
      this.#run,
      declaration,
      instances.map(({ address }) => address),
    );
    const { attributes } = this.#run.schema(declaration);
    for (const instance of instances) {
      const stage = { run: this.#run, declaration, instance };
      const refreshed = await this.#refreshed(instance.address);
      const sensitive = sensitivePathsOf(refreshed?.object.instance, attributes);
      this.#run.report(checkInstance(stage, "precondition", undefined, true));
      this.#run.report(checkInstance(stage, "postcondition", { planned: refreshed?.live, sensitive }, true));
    }
  }

  /** Instances that the state has and `count` or `for_each` has no more. */
  async #planSurplus(
    address: string,
    declaration: ResourceDeclaration,
    wanted: ReadonlySet<string>,
  ): Promise<void> {
    if (declaration.mode === "data") return;
    for (const object of this.#objects.get(address) ?? []) {
      if (wanted.has(object.address)) continue;
      const { indexKey } = object.instance;
      const reason: ActionReason =
        declaration.count !== undefined && typeof indexKey === "number"
          ? "delete_because_count_index"
          : declaration.forEach !== undefined && typeof indexKey === "string"
            ? "delete_because_each_key"
            : "delete_because_wrong_repetition";
      await this.#planDeletion(object, reason);
    }
  }

  /** Objects whose declaration is gone. */
  async #planOrphans(): Promise<void> {
    for (const [address, objects] of this.#objects) {
      if (this.#run.graph.has(address) || objects[0]?.resource.mode === "data") continue;
      for (const object of objects) await this.#run.guard(object.address, () => this.#planOrphan(object));
    }
  }

  /** Objects whose replacements were made, and that are still there. */
  async #planDeposed(): Promise<void> {
    for (const object of [...this.#deposed.values()].flat()) {
      await this.#run.guard(object.address, () => this.#planDeletion(object, undefined));
    }
  }

  async #planOrphan(object: StateObject): Promise<"done" | "failed"> {
    const wasMoved = this.#run.previousAddresses.has(object.address);
    const reason = wasMoved ? "delete_because_no_move_target" : "delete_because_no_resource_config";
    if (!this.#isForgotten(object)) return this.#planDeletion(object, reason);
    if (!this.#targets.object(object.address)) return "done";
    const attributes = object.instance.attributes as ValueObject;
    this.#addEnd("forget", object, { attributes, private: object.instance.private }, reason);
    return "done";
  }

  /** Whether a `removed` block says that the object stays, and the state alone forgets it. It is not even looked at. */
  #isForgotten({ resource }: StateObject): boolean {
    const removal = this.#run.context.configuration.removals.get(resourceAddress(resource));
    return this.#mode === "normal" && removal?.destroy === false;
  }

  async #planDeletion(object: StateObject, reason: ActionReason | undefined): Promise<"done" | "failed"> {
    if (!this.#targets.object(object.address)) return "done";
    const refreshed = await this.#refreshed(nameOf(object));
    if (refreshed === undefined || this.#run.report(refreshed.diagnostics) === "failed") return "failed";
    if (refreshed.live === undefined || this.#mode === "refresh-only") return "done";
    return this.#planEnd(object, refreshed.live, this.#mode === "destroy" ? undefined : reason);
  }

  /** Plans an object's end, where the provider has nothing against it. */
  async #planEnd(
    object: StateObject,
    live: StoredState,
    reason: ActionReason | undefined,
  ): Promise<"done" | "failed"> {
    const { address, resource, provider } = object;
    const { diagnostics } = await this.#run
      .configured(provider)
      .planDestroy({ type: resource.type, prior: live });
    const construct = constructOf(this.#run.context.configuration, resource);
    if (this.#run.report(at(diagnostics, address, construct)) === "failed") return "failed";
    this.#addEnd("delete", object, live, reason);
    return "done";
  }

  #addEnd(
    action: "delete" | "forget",
    object: StateObject,
    live: StoredState,
    reason: ActionReason | undefined,
  ): void {
    const { instance, provider } = object;
    const declared = this.#run.context.configuration.resources.get(resourceAddress(object.resource));
    const facts = objectFacts(this.#run, object);
    const change: ResourceChange = {
      ...facts,
      action,
      ...(reason && { reason }),
      before: shown(facts.attributes, live.attributes),
      after: null,
      afterSensitive: [],
    };
    if (this.#run.report(preventDestroy(declared, change)) === "failed") return;
    this.#addStep({
      change,
      provider,
      declared: undefined,
      object,
      prior: live,
      planned: undefined,
      config: undefined,
      sensitive: [],
      dependencies: instance.dependencies,
      createsBeforeDestroying: instance.deposed !== undefined || (instance.createBeforeDestroy ?? false),
    });
  }

  /** Whether changes of a resource are planned; where nothing is, what it is now is what it stays. */
  #isPending(resource: string): boolean {
    if (this.#mode !== "normal") return false;
    return (this.#planned.get(resource) ?? []).some(
      ({ change: { mode, action } }) => mode === "managed" && action !== "no-op",
    );
  }

  #addStep(step: Step): void {
    this.#steps.push(step);
    const resource = withoutKey(step.change.address);
    const known = this.#planned.get(resource);
    if (known === undefined) this.#planned.set(resource, [step]);
    else known.push(step);
  }

  /** The outcome of an object's read; it is noted where it differs from the state. */
  async #refreshed(name: string) {
    const refreshed = await this.#refresher.result(name);
    if (refreshed === undefined) return undefined;
    const { object, before, live } = refreshed;
    const { attributes } = objectFacts(this.#run, object);
    const changed =
      live === undefined || differingAttributes(attributes, before.attributes, live.attributes).length > 0;
    const isTold = this.#mode === "refresh-only" && this.#run.previousAddresses.has(name);
    if (changed || isTold) this.#moved.set(name, refreshed);
    return refreshed;
  }

  /** What there is of an instance: the object of the state, or one that an `import` block takes over. */
  async #live(declaration: ResourceDeclaration, instance: Instance, { ids }: ImportTargets) {
    const refreshed = await this.#refreshed(instance.address);
    const id = ids.get(instance.address);
    if (refreshed !== undefined || id === undefined) return refreshed;
    return importForPlan(this.#run, declaration, instance, id);
  }
}

function valueOfStep({ change, planned, sensitive }: Step, attributes: Attributes): Value {
  const value = markPaths(fromPlain(planned!.attributes, impliedType(attributes)), sensitive);
  return change.type === "terraform_data" ? withIdToCome(value) : value;
}
