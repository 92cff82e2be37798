import { hasErrors } from "../../diagnostics";
import type { ResourceDeclaration } from "../../language";
import type { State } from "../../state";
import { checkBlock, checkVariable } from "../checks/check-declarations";
import { evaluateOutput } from "../checks/outputs";
import type { Graph } from "../graph/graph";
import { type VisitOutcome, walk } from "../graph/walk";
import { createBeforeDestroyResources } from "../lifecycle/create-before-destroy";
import type { PlanMode } from "../model/plan";
import { moveObjects } from "../moves/move-objects";
import { checkMovesTargeted } from "../run/check-moves";
import { type RunContext, WIDTH } from "../run/context";
import { addProviders, type Node } from "../run/declarations";
import { type StackRun, withRun } from "../run/stack-run";
import { selectTargets, type Targets } from "../run/targets";
import { heldBack, movedUnsettled } from "../run/unsettled";
import { compareStacks, type StackOfApp } from "../stacks/compare-stacks";
import type { ExecutablePlan } from "../steps/executable-plan";
import { Identities } from "../steps/identities";
import { validateConfiguration } from "../validate/validate-configuration";
import { Arrivals } from "./arrivals";
import { checkReplacedAddresses, checkRequests } from "./check-requests";
import { holdBackEnds } from "./hold-back-ends";
import { keepDeclared } from "./kept-objects";
import { LiveObjects } from "./live-objects";
import { ObjectPlaces, type Relocation } from "./object-places";
import { Ends, isForgotten } from "./plan-ends";
import { type EvaluatedOutput, planResult } from "./plan-result";
import { PlannedSteps } from "./planned-steps";
import { ResourceVisits } from "./resource-visits";
import { visitWithoutPlanning } from "./visit-without-planning";

/**
 * Looks at the service and works out what applying the configuration would do. Problems with single objects on the
 * service are told and leave those objects out; a mistake in the declarations leaves nothing to apply.
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
    run.report(movedUnsettled(context, moved.previousAddresses));
    if (mode !== "destroy") run.previousAddresses = moved.previousAddresses;
    return new Planner(run, state, moved.state, mode).plan(stackOfApp);
  });
}

class Planner {
  readonly #run: StackRun;
  readonly #state: State | undefined;
  readonly #mode: PlanMode;
  readonly #targets: Targets;
  readonly #places: ObjectPlaces;
  readonly #live: LiveObjects;
  readonly #ends: Ends;
  readonly #arrivals: Arrivals;
  readonly #identities: Identities;
  readonly #steps = new PlannedSteps();
  readonly #visits: ResourceVisits;
  readonly #outputs = new Map<string, EvaluatedOutput>();
  readonly #blocked = new Set<string>();
  readonly #visited = new Set<string>();

  constructor(run: StackRun, state: State | undefined, movedState: State | undefined, mode: PlanMode) {
    this.#run = run;
    this.#state = state;
    this.#mode = mode;
    this.#places = new ObjectPlaces(run, movedState);
    const { current, deposed } = this.#places.objects;
    const managed = [...current.values(), ...deposed.values()]
      .flat()
      .filter(({ resource }) => resource.mode === "managed");
    addProviders(
      run.graph,
      managed.map(({ provider }) => provider),
    );
    const createsFirst = createBeforeDestroyResources(run.graph);
    this.#targets = selectTargets(run, current, { destroys: mode === "destroy" });
    run.report(checkReplacedAddresses(run));
    run.report(checkMovesTargeted(run.previousAddresses, this.#targets));
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
      objects: () => this.#places.objects,
      live: this.#live,
      steps: this.#steps,
    });
    this.#identities = new Identities(run);
    this.#arrivals = new Arrivals({
      run,
      targets: this.#targets,
      identities: this.#identities,
      isOwned: (object) => !isForgotten(run, mode, object),
      imported: (declaration, instance, id) => this.#live.imported(declaration, instance, id),
    });
    this.#arrivals.locate(this.#places.managed);
    this.#visits = new ResourceVisits({
      run,
      mode,
      targets: this.#targets,
      arrivals: this.#arrivals,
      live: this.#live,
      steps: this.#steps,
      createsFirst,
    });
  }

  async plan(stackOfApp: StackOfApp | undefined): Promise<ExecutablePlan> {
    const { context, graph, diagnostics } = this.#run;
    const isWalked = !hasErrors(diagnostics);
    if (isWalked) {
      await this.#walk(this.#targets.graph(graph));
      for (const { declaration, wanted } of this.#visits.all)
        await this.#ends.planSurplus(declaration, wanted);
      await this.#ends.planRest();
      const kept = await keepDeclared({
        run: this.#run,
        mode: this.#mode,
        targets: this.#targets,
        steps: this.#steps,
        identities: this.#identities,
        places: this.#places,
        visited: this.#visited,
        blocked: this.#blocked,
      });
      if (this.#mode === "normal")
        holdBackEnds({
          run: this.#run,
          steps: this.#steps,
          places: this.#places,
          blocked: this.#blocked,
          instancesOf: (resource) => this.#visits.get(resource)?.instances,
        });
      await this.#ends.checkAll(kept);
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
      movedState: this.#places.state,
      mode: this.#mode,
      isWalked,
      // What can't be read before a destroy isn't read after it either.
      steps: this.#mode === "destroy" ? steps.filter(({ change }) => change.action !== "read") : steps,
      drifted: this.#live.drifted,
      unchecked: this.#live.unchecked,
      blocked: this.#blocked,
      outputs: this.#outputs,
    });
  }

  /** Visits everything; what waited for its object to be found is visited again, with what depends on it. */
  async #walk(graph: Graph<Node>): Promise<void> {
    const { parallelism, stop: signal, failFast } = this.#run.context;
    const concurrency = Math.max(parallelism ?? WIDTH, WIDTH);
    for (let rest = graph; ; ) {
      const outcomes = await walk(rest, (id, node) => this.#run.guard(id, () => this.#visit(id, node)), {
        concurrency,
        signal,
        failFast,
      });
      const waiting = new Set([...outcomes].filter(([, one]) => one === "waiting").map(([id]) => id));
      for (const [id, outcome] of outcomes)
        if (outcome === "failed" || outcome === "skipped") this.#blocked.add(id);
        else if (outcome === "done") this.#visited.add(id);
      if (waiting.size === 0) return;
      const found = await this.#arrivals.settle((resource) =>
        this.#visits.has(resource) ? "done" : waiting.has(resource) ? "waiting" : "out of reach",
      );
      if (found.moving.length > 0) this.#relocate(found);
      rest = graph.subgraph(waiting);
    }
  }

  #relocate(relocation: Relocation): void {
    const objects = this.#places.relocate(relocation);
    this.#live.relocate(objects);
    this.#ends.relocate(objects);
    this.#arrivals.locate(this.#places.managed);
  }

  async #visit(id: string, node: Node): Promise<VisitOutcome> {
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

  async #visitResource(address: string, declaration: ResourceDeclaration): Promise<VisitOutcome> {
    if (this.#mode !== "normal" && declaration.mode === "managed")
      return visitWithoutPlanning(
        { run: this.#run, mode: this.#mode, places: this.#places, live: this.#live, ends: this.#ends },
        declaration,
      );
    // What ends needs no check.
    if (this.#mode === "destroy" && declaration.check !== undefined) return "done";
    const outcome = await this.#visits.visit(address, declaration);
    const visit = this.#visits.get(address);
    if (outcome !== "waiting" && visit !== undefined) await this.#ends.planSurplus(declaration, visit.wanted);
    return outcome;
  }

  /** Whether all was planned that there is to plan of a resource. */
  #isPlanned(resource: string): boolean {
    return this.#mode === "normal" && !this.#run.context.stop?.aborted && !this.#blocked.has(resource);
  }
}
