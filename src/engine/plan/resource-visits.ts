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
import { planNestedData, rereadAtApply } from "../data/nested-data";
import { planData } from "../data/plan-data";
import type { VisitOutcome } from "../graph/walk";
import { registerConditions } from "../lifecycle/instance-conditions";
import type { PlanMode } from "../model/plan";
import { checkMovedInstances } from "../run/check-moves";
import { aggregate, expand, type Instance, type InstanceKey } from "../run/instances";
import type { StackRun } from "../run/stack-run";
import type { Targets } from "../run/targets";
import type { PlannedStep, Step } from "../steps/steps";
import { type ImportTargets, importTargets } from "./import-targets";
import type { LiveObjects } from "./live-objects";
import type { MoveDetection } from "./move-detection";
import { planManaged } from "./plan-managed";
import type { PlannedSteps } from "./planned-steps";

/** The planning progress of one declaration. */
export interface ResourceVisit {
  readonly declaration: ResourceDeclaration;
  readonly instances: readonly Instance[];
  readonly imports: ImportTargets;
  /** The addresses of its instances. */
  readonly addresses: ReadonlySet<string>;
  readonly outcomes: Map<string, "done" | "failed">;
  readonly steps: Map<InstanceKey, Step>;
}

/** What the visits depend on. */
interface VisitDependencies {
  readonly run: StackRun;
  readonly mode: PlanMode;
  readonly targets: Targets;
  readonly moveDetection: MoveDetection;
  readonly live: LiveObjects;
  readonly steps: PlannedSteps;
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
  readonly #createBeforeDestroy: ReadonlySet<string>;
  readonly #visits = new Map<string, ResourceVisit>();

  constructor({ run, mode, targets, moveDetection, live, steps, createBeforeDestroy }: VisitDependencies) {
    this.#run = run;
    this.#mode = mode;
    this.#targets = targets;
    this.#moveDetection = moveDetection;
    this.#live = live;
    this.#steps = steps;
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
  async visit(address: string, declaration: ResourceDeclaration): Promise<VisitOutcome> {
    const visit = this.#visits.get(address) ?? this.#start(declaration);
    if (visit === undefined) return "failed";
    const answers = await Promise.all(
      visit.instances.map(async (instance): Promise<VisitOutcome> => {
        const known = visit.outcomes.get(instance.address);
        if (known !== undefined) return known;
        const outcome = await this.#visitInstance(declaration, instance, visit);
        if (outcome !== "waiting") visit.outcomes.set(instance.address, outcome);
        return outcome;
      }),
    );
    if (answers.includes("waiting")) return "waiting";
    const { attributes } = this.#run.schema(declaration);
    // Most resources are never referenced.
    this.#run.evaluation.setLazily(address, () => {
      const values = visit.instances.map(({ key }): [InstanceKey, Value] => {
        const step = visit.steps.get(key);
        return [key, step === undefined ? unknown(DYNAMIC) : valueOfStep(step, attributes)];
      });
      return aggregate(declaration, new Map(values)) ?? unknown(DYNAMIC);
    });
    return answers.includes("failed") ? "failed" : "done";
  }

  #start(declaration: ResourceDeclaration): ResourceVisit | undefined {
    const { address } = declaration;
    const { instances, diagnostics } = expand(declaration, this.#run.evaluation);
    const imports = importTargets(this.#run, declaration, instances);
    const moves = checkMovedInstances(this.#run.context.configuration, declaration, instances);
    if (this.#run.report([...diagnostics, ...imports.diagnostics, ...moves]) === "failed") return undefined;
    const addresses = new Set(instances.map((instance) => instance.address));
    registerConditions(this.#run, declaration, [...addresses]);
    this.#moveDetection.setInstances(address, addresses);
    const visit = { declaration, instances, imports, addresses, outcomes: new Map(), steps: new Map() };
    this.#visits.set(address, visit);
    return visit;
  }

  async #visitInstance(
    declaration: ResourceDeclaration,
    instance: Instance,
    { imports, steps }: ResourceVisit,
  ): Promise<VisitOutcome> {
    if (!this.#targets.object(instance.address)) return "done";
    if (declaration.mode === "managed") {
      const status = await this.#moveDetection.status(declaration, instance, imports);
      if (status !== "planned") return status === "waits" ? "waiting" : "failed";
    }
    if (this.#run.context.recorded?.isBlocked(declaration.address, instance.address)) return "failed";
    const { step, diagnostics } =
      declaration.mode === "data"
        ? await this.#planData(declaration, instance)
        : await planManaged(
            this.#run,
            declaration,
            instance,
            await this.#live.forInstance(declaration, instance, imports),
            {
              createBeforeDestroy: this.#createBeforeDestroy.has(declaration.address),
              config: () => this.#moveDetection.config(declaration, instance),
              stepsOf: (resource) => this.#steps.of(resource),
            },
          );
    if (step !== undefined) {
      this.#steps.add(step);
      steps.set(instance.key, step);
    }
    return this.#run.report(diagnostics);
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

function valueOfStep({ change, sensitive }: Step, attributes: Attributes): Value {
  const value = markPaths(fromPlain(change.after, impliedType(attributes)), sensitive);
  return change.type === "terraform_data" ? withNonNullId(value) : value;
}
