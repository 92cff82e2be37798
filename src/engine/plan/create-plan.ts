import { hasErrors } from "../../diagnostics";
import type { Attributes } from "../../provider/schema";
import { withIdToCome } from "../builtin/terraform-data";
import { checkBlock, checkVariable } from "../checks/check-declarations";
import type { ResourceDeclaration } from "../config";
import { fromPlain, impliedType } from "../evaluate/plain";
import { walk } from "../graph/walk";
import { importTargets } from "../import/import-targets";
import { createdBeforeDestroyed } from "../lifecycle/create-before-destroy";
import { checkInstance, expectConditions, hasConditions } from "../lifecycle/instance-conditions";
import { checkMovedInstances, checkMovesTargeted } from "../moves/check-moves";
import { moveObjects } from "../moves/move-objects";
import { type RunContext, WIDTH } from "../run/context";
import { addProviders, type Node } from "../run/declarations";
import { aggregate, expand, type Instance, type InstanceKey } from "../run/instances";
import { objectsOf, type StateObjects } from "../run/objects";
import { StackRun } from "../run/stack-run";
import { selectTargets, type Targets } from "../run/targets";
import { heldBack, movedUnsettled } from "../run/unsettled";
import { compareStacks, type StackOfApp } from "../stacks/compare-stacks";
import type { State } from "../state/model";
import { validateConfiguration } from "../validate/validate-configuration";
import { DYNAMIC, markPaths, unknown, type Value } from "../values";
import { checkReplacedAddresses, checkRequests } from "./check-requests";
import { LiveObjects } from "./live-objects";
import type { PlanMode } from "./model";
import { nestedInCheck, readAgainInCheck } from "./nested-data";
import type { Plan } from "./plan";
import { planData } from "./plan-data";
import { Ends, isForgotten } from "./plan-ends";
import { type PlannedStep, planManaged } from "./plan-managed";
import { evaluateOutput } from "./plan-outputs";
import { type EvaluatedOutput, planResult } from "./plan-result";
import { PlannedSteps } from "./planned-steps";
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
  stackOfApp?: StackOfApp,
): Promise<Plan> {
  const run = new StackRun(context);
  run.report(validateConfiguration(context));
  const moved = moveObjects(state, run);
  run.report(moved.diagnostics);
  run.report(movedUnsettled(context, moved.previous));
  if (mode !== "destroy") run.previousAddresses = moved.previous;
  try {
    return await new Planner(run, state, moved.state, mode).plan(stackOfApp);
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
  readonly #objects: StateObjects;
  readonly #live: LiveObjects;
  readonly #ends: Ends;
  readonly #steps = new PlannedSteps();
  readonly #outputs = new Map<string, EvaluatedOutput>();
  readonly #createsFirst: ReadonlySet<string>;
  readonly #blocked = new Set<string>();

  constructor(run: StackRun, state: State | undefined, movedState: State | undefined, mode: PlanMode) {
    this.#run = run;
    this.#state = state;
    this.#movedState = movedState;
    this.#mode = mode;
    this.#objects = objectsOf(hasErrors(run.diagnostics) ? undefined : movedState, run);
    const { current, deposed } = this.#objects;
    this.#createsFirst = createdBeforeDestroyed(run.graph);
    this.#targets = selectTargets(run, current, { destroys: mode === "destroy" });
    run.report(checkReplacedAddresses(run));
    run.report(checkMovesTargeted(run.previousAddresses, this.#targets));
    const managed = [...current.values(), ...deposed.values()]
      .flat()
      .filter(({ resource }) => resource.mode === "managed");
    const lookedAt = managed.filter(
      (object) =>
        this.#targets.object(object.address) &&
        !isForgotten(run, mode, object) &&
        heldBack(run.context, object.address).length === 0,
    );
    this.#live = new LiveObjects(run, lookedAt, mode);
    this.#ends = new Ends({
      run,
      mode,
      targets: this.#targets,
      objects: this.#objects,
      live: this.#live,
      steps: this.#steps,
    });
    addProviders(
      run.graph,
      managed.map(({ provider }) => provider),
    );
  }

  async plan(stackOfApp: StackOfApp | undefined): Promise<Plan> {
    const { context, graph, diagnostics } = this.#run;
    const isWalked = !hasErrors(diagnostics);
    if (isWalked) {
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
      await this.#ends.planRest();
      if (!context.failFast) await this.#live.tellUnchecked();
      this.#run.report(checkRequests(this.#run, this.#steps, (resource) => this.#isPlanned(resource)));
      if (stackOfApp !== undefined)
        this.#run.report(await compareStacks(this.#run, this.#steps.all, this.#mode, stackOfApp));
      // What the targets leave out is told as well: the run before this one left it open.
      this.#run.report(context.unsettled?.diagnostics ?? []);
    }
    const steps = this.#steps.all;
    return planResult({
      run: this.#run,
      state: this.#state,
      movedState: this.#movedState,
      mode: this.#mode,
      isWalked,
      // What can't be read before a destroy isn't read after it either.
      steps: this.#mode === "destroy" ? steps.filter(({ change }) => change.action !== "read") : steps,
      moved: this.#live.moved,
      unchecked: this.#live.unchecked,
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
        if (outcome === "done") this.#live.start(node.key);
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
    const steps = new Map<InstanceKey, Step>();
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
                await this.#live.ofInstance(declaration, instance, imports),
                {
                  createsBeforeDestroying: this.#createsFirst.has(address),
                  stepsOf: (resource) => this.#steps.of(resource),
                },
              );
        if (planned.step !== undefined) {
          this.#steps.add(planned.step);
          steps.set(instance.key, planned.step);
        }
        return this.#run.report(planned.diagnostics);
      }),
    );
    // Most resources are referred to by nothing.
    this.#run.evaluation.setLazily(address, () => {
      const values = instances.map(({ key }): [InstanceKey, Value] => {
        const step = steps.get(key);
        return [key, step === undefined ? unknown(DYNAMIC) : valueOfStep(step, attributes)];
      });
      return aggregate(declaration, new Map(values)) ?? unknown(DYNAMIC);
    });
    await this.#ends.planSurplus(declaration, new Set(wanted));
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
    for (const object of this.#objects.current.get(declaration.address) ?? []) {
      const open = heldBack(this.#run.context, object.address);
      if (open.length > 0) outcome = this.#run.report(open);
      const refreshed = await this.#live.find(object.address);
      if (refreshed === undefined) continue;
      if (this.#run.report(refreshed.diagnostics) === "failed") outcome = "failed";
      if (refreshed.live !== undefined) {
        values.set(object.instance.indexKey, fromPlain(refreshed.live.attributes, impliedType(attributes)));
        if (this.#mode === "destroy" && outcome === "done")
          outcome = await this.#ends.plan(object, refreshed.live, undefined);
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
      const refreshed = await this.#live.find(instance.address);
      const sensitive = sensitivePathsOf(refreshed?.object.instance, attributes);
      this.#run.report(checkInstance(stage, "precondition", undefined, true));
      this.#run.report(
        checkInstance(stage, "postcondition", { values: refreshed?.live?.attributes, sensitive }, true),
      );
    }
  }

  /** Whether all was planned that there is to plan of a resource. */
  #isPlanned(resource: string): boolean {
    return this.#mode === "normal" && !this.#run.context.stop?.aborted && !this.#blocked.has(resource);
  }

  /** Whether changes of a resource are planned; where nothing is, what it is now is what it stays. */
  #isPending(resource: string): boolean {
    return this.#mode === "normal" && this.#steps.isPending(resource);
  }
}

function valueOfStep({ change, sensitive }: Step, attributes: Attributes): Value {
  const value = markPaths(fromPlain(change.after, impliedType(attributes)), sensitive);
  return change.type === "terraform_data" ? withIdToCome(value) : value;
}
