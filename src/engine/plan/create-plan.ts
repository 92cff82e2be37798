import { hasErrors } from "../../diagnostics";
import { type Resolution, whenKnown } from "../../framework";
import type { ResourceDeclaration } from "../../language";
import type { State } from "../../state";
import { checkBlock, checkVariable } from "../checks/check-declarations";
import { evaluateOutput } from "../checks/outputs";
import type { Graph } from "../graph/graph";
import type { VisitOutcome } from "../graph/walk";
import { createBeforeDestroyResources } from "../lifecycle/create-before-destroy";
import type { PlanMode } from "../model/plan";
import { checkMovesTargeted } from "../moves/move-diagnostics";
import { moveObjects } from "../moves/move-objects";
import { blameToken } from "../run/blame-token";
import type { RunContext } from "../run/context";
import { addProviders, type Node } from "../run/declarations";
import { moveRecoveryProblems, recoveryProblems } from "../run/pending-recovery";
import { type StackRun, withRun } from "../run/stack-run";
import { selectTargets, type Targets, withoutKey } from "../run/targets";
import { limitsOfWalk, type Visitor, visitNode, walkGuarded } from "../run/visitor";
import type { StackOfApp } from "../stacks/app-stacks";
import { compareStacks } from "../stacks/compare-stacks";
import { OtherStacks } from "../stacks/other-stacks";
import { Identities, learnContainers } from "../steps/identities";
import { changesState, deletesObject, type ExecutablePlan, isChange, type Step } from "../steps/steps";
import { validateConfiguration } from "../validate/validate-configuration";
import { checkReplacedAddresses, checkRequests } from "./check-requests";
import { type ComparedDeletes, compareDeletes } from "./compare-deletes";
import { Deletes, isForgotten } from "./deletes";
import { describePlan } from "./describe-plan";
import { ExistingObjects } from "./existing-objects";
import { LiveObjects } from "./live-objects";
import { MoveDetection } from "./move-detection";
import { type EvaluatedOutput, planResult } from "./plan-result";
import { PlannedSteps, PlanState, type Relocation } from "./plan-state";
import { ResourceVisits } from "./resource-visits";
import { handOver } from "./stack-hand-overs";
import { claimUnplanned, postponeDeletes, unplannedDeclarations } from "./unplanned-instances";
import { leftBehind, visitExisting } from "./visit-existing";

/**
 * Refreshes the objects and plans what applying the configuration would do. Problems with single objects are
 * reported and exclude those objects; invalid declarations leave nothing to apply.
 */
export function createPlan(
  context: RunContext,
  state: State | undefined,
  mode: PlanMode = "normal",
  stackOfApp?: StackOfApp,
): Promise<ExecutablePlan> {
  return withRun(context, (run) => {
    run.report(validateConfiguration(context));
    const moved = moveObjects(state, run);
    run.report(moved.diagnostics);
    run.report(moveRecoveryProblems(context, moved.previousAddresses));
    if (mode !== "destroy") run.previousAddresses = moved.previousAddresses;
    return new Planner(run, state, moved.state, mode, stackOfApp).plan();
  });
}

class Planner {
  readonly #targets: Targets;
  readonly #planState: PlanState;
  readonly #live: LiveObjects;
  readonly #deletes: Deletes;
  readonly #moveDetection: MoveDetection;
  readonly #identities: Identities;
  readonly #steps = new PlannedSteps();
  readonly #visits: ResourceVisits;
  readonly #outputs = new Map<string, EvaluatedOutput>();
  readonly #blocked = new Set<string>();
  readonly #visited = new Set<string>();
  readonly #others: OtherStacks | undefined;
  #hasRelocated = false;

  constructor(
    private readonly run: StackRun,
    private readonly state: State | undefined,
    movedState: State | undefined,
    private readonly mode: PlanMode,
    private readonly stackOfApp: StackOfApp | undefined,
  ) {
    this.#others = stackOfApp && new OtherStacks(run, stackOfApp, mode);
    this.#planState = new PlanState(run, movedState);
    const { current, deposed } = this.#planState.objects;
    const managed = [...current.values(), ...deposed.values()]
      .flat()
      .filter(({ resource }) => resource.mode === "managed");
    addProviders(
      run.graph,
      managed.map(({ provider }) => provider),
    );
    const createBeforeDestroy = createBeforeDestroyResources(run);
    this.#targets = selectTargets(run, current, { destroys: mode === "destroy" });
    run.report(checkReplacedAddresses(run));
    run.report(checkMovesTargeted(run, this.#targets));
    const readable = managed.filter(
      (object) =>
        this.#targets.object(object.address) &&
        !isForgotten(run, mode, object) &&
        recoveryProblems(run.context, object.address).length === 0,
    );
    this.#live = new LiveObjects(run, readable, mode);
    this.#deletes = new Deletes({
      run,
      mode,
      targets: this.#targets,
      objects: () => this.#planState.objects,
      live: this.#live,
      steps: this.#steps,
      others: this.#others,
    });
    this.#identities = new Identities(run);
    this.#moveDetection = new MoveDetection({
      run,
      targets: this.#targets,
      identities: this.#identities,
      isOwned: (object) => !isForgotten(run, mode, object),
      imported: (declaration, instance, target) => this.#live.imported(declaration, instance, target),
    });
    this.#moveDetection.setObjects(this.#planState.objects);
    this.#visits = new ResourceVisits({
      run,
      mode,
      targets: this.#targets,
      moveDetection: this.#moveDetection,
      live: this.#live,
      steps: this.#steps,
      existing: new ExistingObjects({
        run,
        identities: this.#identities,
        planState: this.#planState,
        others: this.#others,
      }),
      createBeforeDestroy,
    });
  }

  async plan(): Promise<ExecutablePlan> {
    const { context, graph, diagnostics } = this.run;
    const isWalked = !hasErrors(diagnostics);
    if (isWalked) {
      await this.#walk(this.#targets.graph(graph));
      if (this.#hasRelocated)
        for (const visit of this.#visits.all)
          if (this.#deletes.hasSurplus(visit)) await this.#deletes.planSurplus(visit);
      await this.#deletes.planUnvisited();
      const kept = await this.#compareDeclared();
      if (this.mode === "normal")
        postponeDeletes({
          run: this.run,
          steps: this.#steps,
          planState: this.#planState,
          blocked: this.#blocked,
          instancesOf: (resource) => this.#visits.get(resource)?.instances,
        });
      await this.#deletes.confirmAll(kept);
      if (this.#others !== undefined && this.mode === "normal")
        await handOver(this.run, this.#steps, this.#others);
      if (!context.failFast) await this.#live.reportUnchecked();
      this.run.report(
        checkRequests(
          this.run,
          this.#steps,
          (resource) => this.#isPlanned(resource),
          (address) => this.#exists(address),
        ),
      );
      // Other stacks may name by its path what this one names by its number.
      await learnContainers(this.run, this.#shown(this.#steps.all));
      if (this.stackOfApp !== undefined)
        this.run.report(await compareStacks(this.run, this.#steps.all, this.mode, this.stackOfApp));
      // Pending recoveries outside of the targets are reported as well.
      this.run.report(context.pendingRecovery?.diagnostics ?? []);
    }
    const steps = this.#steps.all;
    await blameToken(
      this.run,
      steps.filter(({ change }) => change.mode === "managed").map(({ change }) => change.address),
    );
    const described =
      isWalked && this.mode !== "refresh-only"
        ? await describePlan(this.run, steps, this.#live.unchecked, this.#blocked)
        : {};
    return planResult({
      run: this.run,
      described,
      state: this.state,
      movedState: this.#planState.state,
      leftBehind: leftBehind(this.#leaving),
      mode: this.mode,
      isWalked,
      // A data source that can't be read before a destroy is not read afterwards either.
      steps: this.mode === "destroy" ? steps.filter(({ change }) => change.action !== "read") : steps,
      drifted: this.#live.drifted,
      unchecked: this.#live.unchecked,
      blocked: this.#blocked,
      outputs: this.#outputs,
    });
  }

  /** What tells which objects are declared no longer. */
  get #leaving() {
    return {
      run: this.run,
      mode: this.mode,
      planState: this.#planState,
      steps: this.#steps,
      visits: this.#visits,
    };
  }

  /** Compares everything that is declared with what the plan deletes, and with each other. */
  async #compareDeclared(): Promise<ComparedDeletes> {
    const dependencies = {
      run: this.run,
      mode: this.mode,
      targets: this.#targets,
      steps: this.#steps,
      identities: this.#identities,
      planState: this.#planState,
      visited: this.#visited,
      blocked: this.#blocked,
    };
    const deletedTypes = new Set(this.#steps.all.filter(deletesObject).map(({ change }) => change.type));
    const unplanned = await unplannedDeclarations(dependencies, deletedTypes);
    if (this.mode === "normal") this.run.report(claimUnplanned(this.run, unplanned));
    return compareDeletes(dependencies, unplanned, leftBehind(this.#leaving));
  }

  /** The changes that the plan shows to people. */
  #shown(steps: readonly Step[]) {
    if (this.mode === "refresh-only")
      return this.#live.drifted.map(({ object: { resource, provider }, before }) => ({
        ...{ mode: resource.mode, type: resource.type, of: provider },
        ...{ before: before.attributes, after: null },
      }));
    return steps
      .filter((step) => isChange(step) || changesState(step))
      .map(({ change, provider }) => ({ ...change, of: provider }));
  }

  /** Visits all nodes. A node that waits for its object is visited again with its dependents. */
  async #walk(graph: Graph<Node>): Promise<void> {
    const [run, limits] = [this.run, limitsOfWalk(this.run)];
    const visit = (id: string, node: Node) => visitNode(run, this.#visitor, id, node);
    for (let rest = graph; ; ) {
      const outcomes = await walkGuarded(run, rest, visit, limits);
      const waiting = new Set<string>();
      outcomes.forEach((outcome, id) => {
        if (outcome === "waiting") waiting.add(id);
        else if (outcome === "done") this.#visited.add(id);
        else this.#blocked.add(id);
      });
      if (waiting.size === 0) return;
      const found = await this.#moveDetection.resolve((resource) =>
        this.#visits.has(resource) ? "done" : waiting.has(resource) ? "waiting" : "out of reach",
      );
      if (found.moving.length > 0) this.#relocate(found);
      rest = graph.subgraph(waiting);
    }
  }

  #relocate(relocation: Relocation): void {
    this.#hasRelocated = true;
    const objects = this.#planState.relocate(relocation);
    this.#live.relocate(objects);
    this.#deletes.relocate(objects);
    this.#moveDetection.setObjects(this.#planState.objects);
  }

  readonly #visitor: Visitor = {
    provider: ({ key, declaration }) => {
      const outcome = this.run.visitProvider(key, declaration, true);
      if (outcome !== "done") return outcome;
      const selected = this.run.leftOut?.select(key, this.#planState.objects.current.values());
      return whenKnown(selected ?? outcome, (known) => {
        this.#live.start(key);
        return known;
      });
    },
    output: ({ declaration }) => {
      const isOnlyWarning = this.mode !== "normal";
      const { value, diagnostics } = evaluateOutput(this.run, declaration, isOnlyWarning);
      this.#outputs.set(declaration.name, { value, sensitive: declaration.sensitive });
      return this.run.report(diagnostics);
    },
    variable: ({ declaration }) => this.run.report(checkVariable(this.run, declaration)),
    check: ({ declaration }, id) => {
      this.run.checks.declare("check", id);
      return this.mode === "destroy" ? "done" : this.run.report(checkBlock(this.run, declaration));
    },
    resource: ({ declaration }, address) => this.#visitResource(address, declaration),
  };

  #visitResource(address: string, declaration: ResourceDeclaration): Resolution<VisitOutcome> {
    if (this.mode !== "normal" && declaration.mode === "managed")
      return visitExisting(
        {
          run: this.run,
          mode: this.mode,
          planState: this.#planState,
          live: this.#live,
          deletes: this.#deletes,
        },
        declaration,
      );
    // Nothing that is destroyed needs a check.
    if (this.mode === "destroy" && declaration.check !== undefined) return "done";
    return whenKnown(this.#visits.visit(address, declaration), (outcome) => {
      const visit = this.#visits.get(address);
      if (outcome === "waiting" || visit === undefined || !this.#deletes.hasSurplus(visit)) return outcome;
      return this.#deletes.planSurplus(visit).then(() => outcome);
    });
  }

  /** Whether the resource is completely planned. */
  #isPlanned(resource: string): boolean {
    return this.mode === "normal" && !this.run.context.stop?.aborted && !this.#blocked.has(resource);
  }

  /** Whether an instance is declared or in the state, once its resource was visited. */
  #exists(address: string): boolean {
    const resource = withoutKey(address);
    const visit = this.#visits.get(resource);
    const isDeclared = visit === undefined || visit.instances.some((one) => one.address === address);
    const held = this.#planState.objects.current.get(resource) ?? [];
    return isDeclared || held.some((one) => one.address === address);
  }
}
