import { type Resolution, whenKnown } from "../../framework";
import {
  DYNAMIC,
  fromPlain,
  impliedType,
  markPaths,
  type ResourceDeclaration,
  unknown,
  type Value,
} from "../../language";
import type { Attributes } from "../../schema";
import { withNonNullId } from "../builtin/terraform-data";
import { planData, planNestedData, rereadAtApply } from "../data/plan-data";
import type { VisitOutcome } from "../graph/walk";
import { registerConditions } from "../lifecycle/instance-conditions";
import type { PlanMode } from "../model/plan";
import { checkMovedInstances } from "../run/check-blocks";
import { resourceDependencies } from "../run/declarations";
import { aggregate, expand, type Instance, type InstanceKey } from "../run/instances";
import type { StackRun } from "../run/stack-run";
import type { Targets } from "../run/targets";
import type { PlannedStep, Step } from "../steps/steps";
import type { ExistingObjects } from "./existing-objects";
import { type ImportTargets, importTargets } from "./import-targets";
import type { LiveObjects } from "./live-objects";
import type { DeclaredInstances, MoveDetection, PlannedInstance } from "./move-detection";
import { type InstancePlanDependencies, planManaged } from "./plan-managed";
import type { PlannedSteps } from "./plan-state";

/** An instance, and what was planned for it. */
interface VisitedInstance {
  readonly instance: PlannedInstance;
  outcome: "done" | "failed" | undefined;
  step: Step | undefined;
}

/** The planning progress of one declaration. */
export class ResourceVisit implements DeclaredInstances {
  /** Addresses of the resources and data sources that it depends on, once an instance needs them. */
  dependencies: readonly string[] | undefined;
  readonly visited: readonly VisitedInstance[];
  #addresses: ReadonlySet<string> | undefined;

  constructor(
    readonly declaration: ResourceDeclaration,
    readonly instances: readonly PlannedInstance[],
    readonly imports: ImportTargets,
  ) {
    this.visited = instances.map((instance) => ({ instance, outcome: undefined, step: undefined }));
  }

  declares(address: string): boolean {
    // Most declarations have one instance.
    if (this.instances.length === 1) return this.instances[0]!.address === address;
    this.#addresses ??= new Set(this.instances.map((instance) => instance.address));
    return this.#addresses.has(address);
  }
}

/** What the visits depend on. */
interface VisitDependencies {
  readonly run: StackRun;
  readonly mode: PlanMode;
  readonly targets: Targets;
  readonly moveDetection: MoveDetection;
  readonly live: LiveObjects;
  readonly steps: PlannedSteps;
  readonly existing: ExistingObjects;
  /** The resources whose replacement is created before the old object is destroyed. */
  readonly createBeforeDestroy: ReadonlySet<string>;
}

/** Plans the instances of declarations. A visit that waits for an object resumes where it stopped. */
export class ResourceVisits {
  readonly #run: StackRun;
  readonly #mode: PlanMode;
  readonly #targets: Targets;
  readonly #moveDetection: MoveDetection;
  readonly #live: LiveObjects;
  readonly #steps: PlannedSteps;
  readonly #existing: ExistingObjects;
  readonly #createBeforeDestroy: ReadonlySet<string>;
  readonly #visits = new Map<string, ResourceVisit>();

  constructor({
    run,
    mode,
    targets,
    moveDetection,
    live,
    steps,
    existing,
    createBeforeDestroy,
  }: VisitDependencies) {
    this.#run = run;
    this.#mode = mode;
    this.#targets = targets;
    this.#moveDetection = moveDetection;
    this.#live = live;
    this.#steps = steps;
    this.#existing = existing;
    this.#createBeforeDestroy = createBeforeDestroy;
  }

  get all(): Iterable<ResourceVisit> {
    return this.#visits.values();
  }

  /** Undefined if the resource was not visited or its declaration is invalid. */
  get(resource: string): ResourceVisit | undefined {
    return this.#visits.get(resource);
  }

  has(resource: string): boolean {
    return this.#visits.has(resource);
  }

  /**
   * Plans the instances of a resource that can be planned now. Once all are planned, sets the resource's
   * value for expressions.
   */
  visit(address: string, declaration: ResourceDeclaration): Resolution<VisitOutcome> {
    const visit = this.#visits.get(address) ?? this.#start(declaration);
    if (visit === undefined) return "failed";
    const { visited } = visit;
    const all =
      visited.length === 1
        ? this.#visitOnce(visited[0]!, visit)
        : Promise.all(visited.map((one) => this.#visitOnce(one, visit))).then(worst);
    return whenKnown(all, (outcome) => {
      if (outcome !== "waiting") this.#setValue(visit);
      return outcome;
    });
  }

  /** Sets the value of a completely planned resource for expressions. */
  #setValue({ declaration, visited }: ResourceVisit): void {
    // Most resources are never referenced.
    this.#run.evaluation.setLazily(declaration.address, () => {
      const { attributes } = this.#run.schema(declaration);
      const values = visited.map(({ instance: { key }, step }): [InstanceKey, Value] => [
        key,
        step === undefined ? unknown(DYNAMIC) : valueOfStep(step, attributes),
      ]);
      return aggregate(declaration, new Map(values)) ?? unknown(DYNAMIC);
    });
  }

  #start(declaration: ResourceDeclaration): ResourceVisit | undefined {
    const { address } = declaration;
    const { instances, diagnostics } = expand(declaration, this.#run.evaluation);
    this.#run.leftOut?.leave(declaration, instances);
    const imports = importTargets(this.#run, declaration, instances);
    const moves = checkMovedInstances(this.#run.context.configuration, declaration, instances);
    if (diagnostics.length + imports.diagnostics.length + moves.length > 0)
      if (this.#run.report([...diagnostics, ...imports.diagnostics, ...moves]) === "failed") return undefined;
    registerConditions(this.#run, declaration, instances);
    const visit = new ResourceVisit(declaration, instances, imports);
    this.#moveDetection.setInstances(visit);
    this.#visits.set(address, visit);
    return visit;
  }

  /** Visits an instance, unless an earlier visit has planned it. */
  #visitOnce(visited: VisitedInstance, visit: ResourceVisit): Resolution<VisitOutcome> {
    const { declaration } = visit;
    const { instance, outcome } = visited;
    const { address } = instance;
    if (outcome !== undefined) return outcome;
    if (!this.#targets.object(address)) return "done";
    if (declaration.mode === "managed" && !this.#moveDetection.isInPlace(declaration, instance))
      return this.#visitMoving(visited, visit);
    return this.#plan(visited, visit);
  }

  async #visitMoving(visited: VisitedInstance, visit: ResourceVisit): Promise<VisitOutcome> {
    const status = await this.#moveDetection.status(visit.declaration, visited.instance, visit.imports);
    if (status === "planned") return this.#plan(visited, visit);
    if (status === "waits") return "waiting";
    visited.outcome = "failed";
    return "failed";
  }

  #plan(visited: VisitedInstance, visit: ResourceVisit): Resolution<VisitOutcome> {
    return whenKnown(this.#planned(visited.instance, visit), ({ step, diagnostics }) => {
      if (step !== undefined) {
        this.#steps.add(step);
        visited.step = step;
      }
      visited.outcome = this.#run.report(diagnostics);
      return visited.outcome;
    });
  }

  #planned(instance: PlannedInstance, visit: ResourceVisit): Resolution<PlannedStep> {
    const { declaration, imports } = visit;
    if (declaration.mode === "data") return this.#planData(declaration, instance);
    return whenKnown(this.#live.forInstance(declaration, instance, imports), (refreshed) =>
      planManaged(
        { run: this.#run, declaration, instance },
        refreshed,
        this.#dependencies(declaration, instance, visit),
      ),
    );
  }

  #dependencies(
    declaration: ResourceDeclaration,
    instance: Instance,
    visit: ResourceVisit,
  ): InstancePlanDependencies {
    return {
      createBeforeDestroy: this.#createBeforeDestroy.has(declaration.address),
      config: () => this.#moveDetection.config(declaration, instance),
      stepsOf: (resource) => this.#steps.of(resource),
      existing: this.#existing,
      dependencies: () => {
        visit.dependencies ??= resourceDependencies(this.#run.graph, declaration.address);
        return visit.dependencies;
      },
    };
  }

  async #planData(declaration: ResourceDeclaration, instance: Instance): Promise<PlannedStep> {
    const isPending = (resource: string) => this.#isPending(resource);
    const planned = await planData(this.#run, declaration, instance, isPending, this.#mode !== "normal");
    if (declaration.check === undefined) return planned;
    const nested = planNestedData(this.#run, declaration, instance, planned);
    if (this.#mode === "normal") return { ...nested, step: nested.step && rereadAtApply(nested.step) };
    return { ...nested, step: planned.step };
  }

  /** Whether changes of a resource are planned. In other modes than normal its present values stay. */
  #isPending(resource: string): boolean {
    return this.#mode === "normal" && this.#steps.isPending(resource);
  }
}

const worst = (outcomes: readonly VisitOutcome[]): VisitOutcome =>
  (["waiting", "failed"] as const).find((one) => outcomes.includes(one)) ?? "done";

function valueOfStep({ change, sensitive }: Step, attributes: Attributes): Value {
  const value = markPaths(fromPlain(change.after, impliedType(attributes)), sensitive);
  return change.type === "terraform_data" ? withNonNullId(value) : value;
}
