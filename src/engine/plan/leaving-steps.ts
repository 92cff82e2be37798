import { type Diagnostic, hasErrors } from "../../diagnostics";
import {
  type Decision,
  decide,
  HELD,
  type Neighbour,
  type PlanDestroyResponse,
  type Row,
} from "../../framework";
import { resourceAddress } from "../../language";
import { groupBy, once } from "../../schema";
import { withoutKey } from "../declarations/address-keys";
import { at } from "../objects/objects";
import { preventDestroy } from "../steps/lifecycle";
import { isLeaving, type Step } from "../steps/steps";
import { type Leaving, stepOf } from "./leaving-objects";
import { mayDeclare, type SameObject, SameObjects, type UnplannedInstance } from "./neighbours";
import type { PlanGraph } from "./plan-graph";
import type { ResourceVisits } from "./resource-visits";
import { takersOf } from "./stack-relations";
import {
  endsPostponed,
  moveNotTargeted,
  newOwnerNotTargeted,
  replacedTooEarly,
  stillDeclared,
  takenOverLater,
} from "./verdict-messages";

/**
 * An object that the plan deletes, unless another declaration has it. The row and the neighbours are the input of the decision
 * table.
 */
interface Candidate {
  readonly row: Row;
  readonly neighbours: readonly Neighbour[];
  readonly step: Step;
}

/** Returns, for each address, the relations of the leaving object to the same object in other stacks. */
export type RelationsOf = (leaving: readonly Step[]) => Promise<ReadonlyMap<string, readonly Neighbour[]>>;

/** The response of the provider to the planned delete of a candidate, and the reasons why the object must not be destroyed. */
interface Asked {
  readonly answer: PlanDestroyResponse;
  readonly problems: readonly Diagnostic[];
}

/** Decides about undeclared objects, and about objects that replacements delete. */
export class LeavingSteps {
  #unplanned: ReadonlyMap<string, UnplannedInstance> = new Map();
  /**
   * Whether a destroy keeps a declaration and its objects, by the address of the declaration. A destroy keeps the
   * declaration if objects of the declaration, or of a dependency, must not be destroyed.
   */
  readonly #kept = new Map<string, boolean>();
  /** The addresses of leaving objects, by the addresses of the declarations that have parts of these objects. */
  readonly released = new Map<string, string>();

  /**
   * @param relationsOf returns, for each address, the relations of its object to the same object in other stacks
   * @param leftBehind returns the names of undeclared objects without a step
   */
  constructor(
    private readonly plan: PlanGraph,
    private readonly relationsOf: RelationsOf,
    private readonly leftBehind: () => ReadonlySet<string>,
  ) {}

  /** Decides about all leaving objects, after all other objects are planned. */
  async decideAll(
    replacements: readonly Step[],
    leaving: readonly Leaving[],
    visits: ResourceVisits,
  ): Promise<void> {
    const { plan } = this;
    const replaced = replacements.map(replacementOf);
    const candidates = [...replaced, ...leaving.flatMap((one) => this.#begin(one))];
    const steps = candidates.map(({ step }) => step);
    const same = await SameObjects.find(plan, steps, this.leftBehind);
    this.#unplanned = new Map(same.unplanned.map((one) => [one.address, one]));
    const apart: Candidate[] = [];
    for (const one of candidates) apart.push(...this.#separate(one, await same.of(one.step)));
    for (const one of this.#planned(await this.#withoutRefused(apart), visits)) {
      const { address } = one.step.change;
      const resource = withoutKey(address);
      if (plan.mode === "destroy" && this.#isKept(resource)) continue;
      const outcome = await plan.run.guard(address, () =>
        isReplacement(one) ? this.#confirmReplaced(one) : this.#confirm(one),
      );
      if (outcome === "failed" && plan.run.graph.has(resource)) this.#kept.set(resource, true);
    }
    if (plan.mode === "destroy") this.#blockKept();
  }

  /** Returns whether a destroy keeps a resource or one of its dependencies. The decisions about the dependencies come first. */
  #isKept(id: string): boolean {
    const { graph } = this.plan.run;
    const isDependencyKept = () => graph.has(id) && graph.dependenciesOf(id).some((one) => this.#isKept(one));
    return once(this.#kept, id, isDependencyKept);
  }

  #blockKept(): void {
    const { run, blocked } = this.plan;
    const kept = [...this.#kept].flatMap(([id, isKept]) => (isKept ? [id] : []));
    if (kept.length > 0) for (const id of [...kept, ...run.graph.dependents(kept)]) blocked.add(id);
  }

  /**
   * Plans an object that a `removed` block forgets. Returns any other object as a candidate: it is to be deleted, or it leaves
   * its fleet.
   */
  #begin(one: Leaving): readonly Candidate[] {
    const shown = this.plan.mode === "destroy" ? { ...one, reason: undefined } : one;
    const step = stepOf(this.plan.run, shown);
    if (step === undefined) return [];
    if (one.row.asked !== "forget") return [{ row: one.row, neighbours: [], step }];
    this.plan.steps.add(step);
    return [];
  }

  /** Decides about a candidate if another declaration is for the same object. Otherwise returns the candidate. */
  #separate(
    { row, step }: Candidate,
    { columns, neighbours, leftOut, deletesAfter }: SameObject,
  ): readonly Candidate[] {
    const { run, steps } = this.plan;
    const one = { row: { ...row, ...columns }, neighbours, step: withTypes(step, deletesAfter) };
    const decision = decide(one.row, neighbours);
    const { verdict, because } = decision;
    const [holder] = because;
    if (verdict === "delete" || verdict === "replace" || (verdict === "forget" && holder === undefined))
      return [one];
    const { change } = step;
    if (leftOut !== undefined)
      run.report([moveNotTargeted(run.restriction!, change.address, leftOut, [leftOut])]);
    if (holder === undefined) return [];
    steps.add({
      ...step,
      change: { ...change, action: "forget", decision, sameAs: holder.address },
      handedTo: [holder.address],
    });
    run.report([stillDeclared(change, holder.address)]);
    return [];
  }

  /** Leaves out candidates that the decision table refuses because another stack has their object. */
  async #withoutRefused(candidates: readonly Candidate[]): Promise<readonly Candidate[]> {
    const relations = await this.relationsOf(candidates.map(({ step }) => step));
    return candidates.filter(
      ({ row, step }) => decide(row, relations.get(step.change.address)).verdict !== "refuse",
    );
  }

  /**
   * Postpones a candidate if it may be the object of a declaration that could not be planned. Returns the candidates that are not
   * postponed.
   */
  #planned(candidates: readonly Candidate[], visits: ResourceVisits): readonly Candidate[] {
    const { plan } = this;
    const takers = plan.mode === "normal" ? mayDeclare(plan, visits) : new Map<string, readonly string[]>();
    const decided = candidates.map(({ neighbours, ...one }) => {
      const failed = (takers.get(one.step.change.type) ?? []).map(
        (address): Neighbour => ({ relation: "failed may be it", address }),
      );
      const all = [...neighbours, ...failed];
      const decision = decide(one.row, all);
      const isPostponed = decision.verdict === "postpone";
      if (isPostponed) plan.steps.postpone(one.step, decision);
      return { ...one, neighbours: all, isPostponed };
    });
    const postponed = groupBy(
      decided.filter(({ isPostponed }) => isPostponed),
      ({ step }) => step.change.type,
    );
    for (const [type, waiting] of takers) {
      const steps = (postponed.get(type) ?? []).map(({ step }) => step);
      plan.run.report(endsPostponed(steps, waiting));
    }
    return decided.filter(({ isPostponed }) => !isPostponed);
  }

  /** Finds the owners of parts of an object, and decides about the object. */
  async #confirm({ row, neighbours, step }: Candidate): Promise<"done" | "failed"> {
    const { run, others } = this.plan;
    const { type, address, construct } = step.change;
    const client = run.configured(step.provider);
    if (isLeaving(step)) {
      const request = { type, address, prior: step.prior!, isForgotten: true };
      // The plan only forgets the object, so the owner of a set does not remove the object from the set.
      const answer = { ...(await client.planDestroy(request)), removedBy: [] };
      const takers = this.#partsOf(answer);
      return this.#conclude(step, decide(row, takers), takers, { answer, problems: [] });
    }
    const elsewhere = await others?.announce(step);
    const answer = await client.planDestroy({ type, address, prior: step.prior! });
    const declared = run.context.configuration.resources.get(resourceAddress(step.object!.resource));
    const problems = [
      ...at(answer.diagnostics, address, construct),
      ...preventDestroy(run, declared, step.change),
    ];
    const destroy = hasErrors(problems) ? "refused" : "allowed";
    const all = [...neighbours, ...this.#partsOf(answer), ...takersOf(answer, elsewhere)];
    return this.#conclude(step, decide({ ...row, destroy }, all), all, { answer, problems });
  }

  /** Keeps the replaced object if one of its parts belongs to another stack, or to a declaration without a step. */
  async #confirmReplaced({ row, neighbours, step }: Candidate): Promise<"done" | "failed"> {
    const { run, steps, others } = this.plan;
    const elsewhere = await others?.announce(step);
    const isElsewhere = elsewhere !== undefined && elsewhere.yetToTake.size + elsewhere.uncertain.size > 0;
    if (this.#unplanned.size === 0 && !isElsewhere) {
      steps.add(step);
      return "done";
    }
    const { type, address } = step.change;
    const answer = await run.configured(step.provider).planDestroy({ type, address, prior: step.prior! });
    const all = [...neighbours, ...this.#partsOf(answer), ...takersOf(answer, elsewhere)];
    const decided = decide(row, all);
    return this.#conclude(step, decided, all, { answer, problems: [] });
  }

  /** Returns the declarations of this stack that have parts of an object. */
  #partsOf({ keptBy, leaves, adoptedBy = [], removedBy = [] }: PlanDestroyResponse): readonly Neighbour[] {
    const whole = keptBy === undefined ? [] : [keptBy];
    const parts = leaves === undefined ? [] : adoptedBy;
    const claims = [...whole, ...adoptedBy, ...removedBy].flatMap((address): Neighbour[] => {
      const unplanned = this.#unplanned.get(address);
      if (unplanned === undefined) return [];
      return [{ relation: unplanned.why === "left out" ? "left out has part" : "failed has part", address }];
    });
    return [
      ...claims,
      ...whole.map((address): Neighbour => ({ relation: "all parts stay", address })),
      ...parts.map((address): Neighbour => ({ relation: "some parts stay", address })),
      ...removedBy.map((address): Neighbour => ({ relation: "owner removes", address })),
    ];
  }

  /** Adds the step for a verdict of the decision table. If the verdict needs no step, reports the reason. */
  #conclude(
    step: Step,
    decision: Decision,
    neighbours: readonly Neighbour[],
    { answer, problems }: Asked,
  ): "done" | "failed" {
    const { run, steps } = this.plan;
    const { verdict, why, because } = decision;
    const { change } = step;
    const { leaves, adoptedBy = [], removedBy = [] } = answer;
    const [first] = because;
    if (verdict === "postpone") steps.postpone(step, decision);
    if (why === "left out has part")
      return run.report([newOwnerNotTargeted(run.restriction!, change, first!.address)]);
    if (why === "failed has part") return run.report(endsPostponed([step], [first!.address]));
    if (verdict === "refuse" && first?.stack !== undefined)
      return run.report([replacedTooEarly(change, because)]);
    if (verdict === "postpone") return run.report([takenOverLater(change, neighbours)]);
    // An object that leaves its fleet stays on the service. Without a delete, no declaration has to take over parts of it.
    if (verdict !== "replace" && !isLeaving(step))
      for (const address of adoptedBy) this.released.set(address, change.address);
    if (verdict === "forget") {
      const sameAs = first?.address;
      const handedTo = adoptedBy.length > 0 || sameAs === undefined ? adoptedBy : [sameAs];
      steps.add({
        ...step,
        change: { ...change, action: "forget", decision, ...(sameAs !== undefined && { sameAs }) },
        ...(handedTo.length > 0 && { handedTo }),
      });
      return "done";
    }
    if (verdict === "replace") steps.add(step);
    else if (verdict === "delete" && leaves !== undefined)
      steps.add({
        ...step,
        change: { ...change, decision, before: leaves },
        prior: { ...step.prior!, attributes: leaves },
        handedTo: adoptedBy,
      });
    else if (verdict === "delete")
      steps.add(
        removedBy.length > 0 ? { ...step, change: { ...change, decision }, handedTo: removedBy } : step,
      );
    return run.report(problems);
  }
}

const replacementOf = (step: Step): Candidate => ({
  row: { ...HELD, difference: "replace" },
  neighbours: [],
  step,
});

const isReplacement = ({ row }: Candidate): boolean => row.difference === "replace";

const withTypes = (step: Step, deletesAfter: Step["deletesAfter"]): Step =>
  deletesAfter === undefined ? step : { ...step, deletesAfter };
