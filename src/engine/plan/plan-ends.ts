import type { StoredState } from "../../framework";
import { type ResourceDeclaration, resourceAddress } from "../../language";
import type { ValueObject } from "../../schema";
import { preventDestroy } from "../lifecycle/prevent-destroy";
import type { ActionReason, PlanMode, ResourceChange } from "../model/plan";
import { deletesPostponed, newOwnerNotTargeted } from "../moves/move-diagnostics";
import { at, nameOf, type StateObject, type StateObjects } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import type { Targets } from "../run/targets";
import { withoutKey } from "../run/targets";
import { heldBack } from "../run/unsettled";
import { objectMetadata } from "../steps/change-metadata";
import { priorOf, type Step } from "../steps/steps";
import type { Kept } from "./kept-objects";
import type { LiveObjects } from "./live-objects";
import { nameOfStep, type PlannedSteps } from "./planned-steps";
import type { Unplanned } from "./unplanned";

/** What ends are planned from. */
interface Surroundings {
  readonly run: StackRun;
  readonly mode: PlanMode;
  readonly targets: Targets;
  /** The objects of the state, where they are by now. */
  readonly objects: () => StateObjects;
  readonly live: LiveObjects;
  readonly steps: PlannedSteps;
}

/** Whether a `removed` block says that the object stays, and the state alone forgets it. It is not even looked at. */
export function isForgotten(run: StackRun, mode: PlanMode, { resource }: StateObject): boolean {
  const removal = run.context.configuration.removals.get(resourceAddress(resource));
  return mode === "normal" && removal?.destroy === false;
}

/** Plans the ends of objects: of those that are declared no more, and of all of them in a destroy. */
export class Ends {
  readonly #run: StackRun;
  readonly #mode: PlanMode;
  readonly #targets: Targets;
  readonly #objects: () => StateObjects;
  readonly #live: LiveObjects;
  readonly #steps: PlannedSteps;
  /** Ends that nobody was asked about yet: their objects may still turn out to have moved. */
  readonly #open: Step[] = [];
  #unplanned: ReadonlyMap<string, Unplanned> = new Map();

  constructor({ run, mode, targets, objects, live, steps }: Surroundings) {
    this.#run = run;
    this.#mode = mode;
    this.#targets = targets;
    this.#objects = objects;
    this.#live = live;
    this.#steps = steps;
  }

  /** Instances that the state has and `count` or `for_each` has no more. */
  async planSurplus(declaration: ResourceDeclaration, wanted: ReadonlySet<string>): Promise<void> {
    if (declaration.mode === "data") return;
    for (const object of this.#objects().current.get(declaration.address) ?? []) {
      if (!wanted.has(object.address) && !this.#steps.has(nameOf(object)))
        await this.#planDeletion(object, surplusReason(declaration, object.instance.indexKey));
    }
  }

  /** What no visit of a declaration comes to: objects whose declaration is gone, or whose replacements were made. */
  async planRest(): Promise<void> {
    const { current, deposed } = this.#objects();
    for (const [address, objects] of current) {
      if (this.#run.graph.has(address) || objects[0]?.resource.mode === "data") continue;
      for (const object of objects) await this.#run.guard(object.address, () => this.#planOrphan(object));
    }
    for (const object of [...deposed.values()].flat()) {
      await this.#run.guard(object.address, () => this.#planDeletion(object, undefined));
    }
  }

  async #planOrphan(object: StateObject): Promise<"done" | "failed"> {
    const wasMoved = this.#run.previousAddresses.has(object.address);
    const reason = wasMoved ? "delete_because_no_move_target" : "delete_because_no_resource_config";
    if (!isForgotten(this.#run, this.#mode, object)) return this.#planDeletion(object, reason);
    if (!this.#targets.object(object.address)) return "done";
    if (heldBack(this.#run.context, object.address).length > 0) return "failed";
    const attributes = object.instance.attributes as ValueObject;
    this.#add("forget", object, { attributes, private: object.instance.private }, reason);
    return "done";
  }

  async #planDeletion(object: StateObject, reason: ActionReason | undefined): Promise<"done" | "failed"> {
    if (!this.#targets.object(object.address)) return "done";
    const refreshed = await this.#live.find(nameOf(object));
    if (refreshed === undefined || this.#run.report(refreshed.diagnostics) === "failed") return "failed";
    if (refreshed.live === undefined || this.#mode === "refresh-only") return "done";
    this.#open.push(
      this.#add("delete", object, refreshed.live, this.#mode === "destroy" ? undefined : reason),
    );
    return "done";
  }

  /** Takes back the ends of objects that have moved elsewhere. */
  relocate(moved: ReadonlyMap<string, StateObject>): void {
    for (const [at, step] of [...this.#open.entries()].reverse()) {
      if (!moved.has(nameOfStep(step))) continue;
      this.#open.splice(at, 1);
      this.#steps.remove(step);
    }
  }

  /** Asks about the ends that are left, once it is known that their objects end, and what is declared and not planned. */
  async checkAll({ unplanned, refused }: Kept): Promise<void> {
    this.#unplanned = new Map(unplanned.map((one) => [one.address, one]));
    for (const step of this.#open)
      await this.#run.guard(step.change.address, async () => {
        if (!this.#steps.holds(step) || refused.has(step.change.address)) return "done";
        return this.#settle(step);
      });
  }

  /** Plans an object's end in a destroy, where nothing is against it. */
  async plan(object: StateObject, live: StoredState): Promise<"done" | "failed"> {
    const step = this.#add("delete", object, live, undefined);
    return this.#settle(step);
  }

  /** Takes back an end that the provider or the declaration has something against; leaves out of it what stays. */
  async #settle(step: Step): Promise<"done" | "failed"> {
    const { resource, provider } = step.object!;
    const { type, address, construct } = step.change;
    const answer = await this.#run.configured(provider).planDestroy({ type, address, prior: priorOf(step)! });
    const { diagnostics, keptBy, leaves, takenOverBy = [] } = answer;
    const wanting = [keptBy, ...takenOverBy].find((one) => one !== undefined && this.#unplanned.has(one));
    if (wanting !== undefined) return this.#leave(step, this.#unplanned.get(wanting)!);
    this.#takeOver(address, takenOverBy);
    if (keptBy !== undefined) {
      this.#steps.add({ ...step, change: { ...step.change, action: "forget", sameAs: keptBy } });
      return "done";
    }
    const declared = this.#run.context.configuration.resources.get(resourceAddress(resource));
    const problems = [...at(diagnostics, address, construct), ...preventDestroy(declared, step.change)];
    const outcome = this.#run.report(problems);
    if (outcome === "failed") this.#steps.remove(step);
    else if (leaves !== undefined) this.#steps.add({ ...step, change: { ...step.change, before: leaves } });
    return outcome;
  }

  /** Leaves an end for a run that plans the declaration which takes over what there is of it. */
  #leave(step: Step, { address, why }: Unplanned): "done" | "failed" {
    const { address: ending } = step.change;
    if (why === "left out") return this.#run.report([newOwnerNotTargeted(ending, address)]);
    this.#steps.remove(step);
    return this.#run.report([deletesPostponed([ending], [address])]);
  }

  /** Notes on new objects that they are there already, as a part of one that ends. */
  #takeOver(address: string, takers: readonly string[]): void {
    for (const taker of takers)
      for (const step of this.#steps.of(withoutKey(taker)))
        if (step.change.address === taker && step.change.action === "create")
          this.#steps.add({ ...step, change: { ...step.change, takesOver: address } });
  }

  #add(
    action: "delete" | "forget",
    object: StateObject,
    live: StoredState,
    reason: ActionReason | undefined,
  ): Step {
    const { instance, provider } = object;
    const facts = objectMetadata(this.#run, object);
    const change: ResourceChange = {
      ...facts,
      action,
      ...(reason && { reason }),
      before: live.attributes,
      after: null,
      afterSensitive: [],
    };
    const step: Step = {
      change,
      provider,
      declared: undefined,
      object,
      private: { prior: live.private },
      config: undefined,
      sensitive: [],
      dependencies: instance.dependencies,
      createBeforeDestroy: instance.deposed !== undefined || (instance.createBeforeDestroy ?? false),
    };
    this.#steps.add(step);
    return step;
  }
}

function surplusReason(
  { count, forEach }: ResourceDeclaration,
  key: StateObject["instance"]["indexKey"],
): ActionReason {
  if (count !== undefined && typeof key === "number") return "delete_because_count_index";
  if (forEach !== undefined && typeof key === "string") return "delete_because_each_key";
  return "delete_because_wrong_repetition";
}
