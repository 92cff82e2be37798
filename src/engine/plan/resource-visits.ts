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
import type { Arrivals } from "./arrivals";
import { type ImportTargets, importTargets } from "./import-targets";
import type { LiveObjects } from "./live-objects";
import { planManaged } from "./plan-managed";
import type { PlannedSteps } from "./planned-steps";

/** How far the instances of one declaration are planned. */
export interface ResourceVisit {
  readonly declaration: ResourceDeclaration;
  readonly instances: readonly Instance[];
  readonly imports: ImportTargets;
  /** The addresses of the instances. */
  readonly wanted: ReadonlySet<string>;
  readonly outcomes: Map<string, "done" | "failed">;
  readonly steps: Map<InstanceKey, Step>;
}

/** What the visits work with. */
interface Parts {
  readonly run: StackRun;
  readonly mode: PlanMode;
  readonly targets: Targets;
  readonly arrivals: Arrivals;
  readonly live: LiveObjects;
  readonly steps: PlannedSteps;
  /** The resources whose replacements are created before what they replace is destroyed. */
  readonly createsFirst: ReadonlySet<string>;
}

/** Plans the instances of declarations. A visit that waits for an object to be found is taken up where it stopped. */
export class ResourceVisits {
  readonly #run: StackRun;
  readonly #mode: PlanMode;
  readonly #targets: Targets;
  readonly #arrivals: Arrivals;
  readonly #live: LiveObjects;
  readonly #steps: PlannedSteps;
  readonly #createsFirst: ReadonlySet<string>;
  readonly #visits = new Map<string, ResourceVisit>();

  constructor({ run, mode, targets, arrivals, live, steps, createsFirst }: Parts) {
    this.#run = run;
    this.#mode = mode;
    this.#targets = targets;
    this.#arrivals = arrivals;
    this.#live = live;
    this.#steps = steps;
    this.#createsFirst = createsFirst;
  }

  get all(): Iterable<ResourceVisit> {
    return this.#visits.values();
  }

  /** Nothing where the resource was not visited, or its declaration has errors. */
  get(resource: string): ResourceVisit | undefined {
    return this.#visits.get(resource);
  }

  has(resource: string): boolean {
    return this.#visits.has(resource);
  }

  /** Plans what can be planned now of a resource, and tells expressions its value once all of it is. */
  async visit(address: string, declaration: ResourceDeclaration): Promise<VisitOutcome> {
    const visit = this.#visits.get(address) ?? this.#begin(declaration);
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
    // Most resources are referred to by nothing.
    this.#run.evaluation.setLazily(address, () => {
      const values = visit.instances.map(({ key }): [InstanceKey, Value] => {
        const step = visit.steps.get(key);
        return [key, step === undefined ? unknown(DYNAMIC) : valueOfStep(step, attributes)];
      });
      return aggregate(declaration, new Map(values)) ?? unknown(DYNAMIC);
    });
    return answers.includes("failed") ? "failed" : "done";
  }

  #begin(declaration: ResourceDeclaration): ResourceVisit | undefined {
    const { address } = declaration;
    const { instances, diagnostics } = expand(declaration, this.#run.evaluation);
    const imports = importTargets(this.#run, declaration, instances);
    const moves = checkMovedInstances(this.#run.context.configuration, declaration, instances);
    if (this.#run.report([...diagnostics, ...imports.diagnostics, ...moves]) === "failed") return undefined;
    const wanted = new Set(instances.map((instance) => instance.address));
    registerConditions(this.#run, declaration, [...wanted]);
    this.#arrivals.expect(address, wanted);
    const visit = { declaration, instances, imports, wanted, outcomes: new Map(), steps: new Map() };
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
      const standing = await this.#arrivals.standing(declaration, instance, imports);
      if (standing !== "planned") return standing === "waits" ? "waiting" : "failed";
    }
    if (this.#run.context.recorded?.isBlocked(declaration.address, instance.address)) return "failed";
    const { step, diagnostics } =
      declaration.mode === "data"
        ? await this.#planData(declaration, instance)
        : await planManaged(
            this.#run,
            declaration,
            instance,
            await this.#live.ofInstance(declaration, instance, imports),
            {
              createsBeforeDestroying: this.#createsFirst.has(declaration.address),
              config: () => this.#arrivals.config(declaration, instance),
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

  /** Whether changes of a resource are planned; where nothing is, what it is now is what it stays. */
  #isPending(resource: string): boolean {
    return this.#mode === "normal" && this.#steps.isPending(resource);
  }
}

function valueOfStep({ change, sensitive }: Step, attributes: Attributes): Value {
  const value = markPaths(fromPlain(change.after, impliedType(attributes)), sensitive);
  return change.type === "terraform_data" ? withNonNullId(value) : value;
}
