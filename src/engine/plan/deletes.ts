import type { StoredState } from "../../framework";
import { type ResourceDeclaration, resourceAddress } from "../../language";
import type { ValueObject } from "../../schema";
import type { FleetRecord, ResourceState } from "../../state";
import { preventDestroy } from "../lifecycle/plan-change";
import type { ActionReason, ResourceChange } from "../model/plan";
import { endsPostponed, newOwnerNotTargeted } from "../moves/move-diagnostics";
import { fleetRecord } from "../run/fleet-record";
import { foreignRemoval, removalOf } from "../run/foreign-objects";
import { at, foreignObjects, nameOf, type StateObject } from "../run/objects";
import { recoveryProblems } from "../run/pending-recovery";
import { restrictionOf } from "../run/targets";
import { isLeaving, objectMetadata, type Step } from "../steps/steps";
import { stateOf } from "../steps/upgrade";
import type { ComparedDeletes } from "./compare-deletes";
import { FleetLeavers } from "./fleet-leavers";
import { type FormerFleet, fleetUnknown, formerFleet } from "./former-fleets";
import type { PlanGraph } from "./plan-graph";
import type { ResourceVisit } from "./planned-instance";
import { takenOverLater } from "./stack-hand-overs";
import type { UnplannedInstance } from "./unplanned-instances";

/** Plans deletes: of objects that are no longer declared, and of all objects in a destroy. */
export class Deletes {
  readonly #leavers: FleetLeavers;
  /** Deletes and leaving objects that are not confirmed yet: they may still turn out to have moved. */
  readonly #unconfirmed: Step[] = [];
  #unplanned: ReadonlyMap<string, UnplannedInstance> = new Map();
  /** Fleets that were found for undeclared resources without a record in the state. */
  readonly foundFleets = new Map<string, FleetRecord>();

  constructor(private readonly plan: PlanGraph) {
    this.#leavers = new FleetLeavers(plan);
  }

  /** Whether the state holds other instances of a declaration. */
  hasSurplus(of: ResourceVisit): boolean {
    const held = this.plan.objects.current.get(of.declaration.address);
    return held?.some(({ address }) => !of.isDeclared(address)) === true;
  }

  /** Plans the deletes of instances that `count` or `for_each` no longer has. */
  async planSurplus(of: ResourceVisit): Promise<void> {
    const { declaration } = of;
    if (declaration.mode === "data") return;
    for (const object of this.plan.objects.current.get(declaration.address) ?? []) {
      if (of.isDeclared(object.address) || this.plan.steps.has(nameOf(object))) continue;
      const reason = surplusReason(declaration, object.instance.indexKey);
      const fleet = fleetRecord(this.plan.run.context.configuration, declaration);
      if (fleet == null || this.plan.mode !== "normal") await this.#planDeletion(object, reason);
      else await this.#planLeaving(object, fleet, reason);
    }
  }

  /**
   * Plans the deletes that no visit of a declaration reaches: objects without a declaration, and deposed
   * ones.
   *
   * @param isDeclared whether a declaration has an instance
   */
  async planUnvisited(isDeclared: (resource: string, instance: string) => boolean): Promise<void> {
    const { current, deposed } = this.plan.objects;
    const orphans: [address: string, objects: readonly StateObject[]][] = [];
    current.forEach((objects, address) => {
      if (this.plan.run.graph.has(address) || objects[0]?.resource.mode === "data") return;
      for (const object of objects) this.plan.begin(nameOf(object));
      orphans.push([address, objects]);
    });
    for (const [address, objects] of orphans) {
      const fleet = formerFleet(this.plan, address, objects, isDeclared);
      if (fleet.kind === "unknown") this.#refuseUnknown(objects, fleet.path);
      else for (const object of objects) await this.#planOrphan(object, fleet);
      if (fleet.kind === "fleet" && objects[0]!.resource.fleet === undefined)
        this.foundFleets.set(address, fleet.record);
    }
    for (const object of [...deposed.values()].flat()) {
      await this.plan.run.guard(object.address, () => this.#planRemoval(object, undefined));
    }
    for (const resource of this.plan.objects.foreign) await this.#planForeign(resource);
  }

  /** Plans what a `removed` block asks for objects of another provider, which can only be forgotten here. */
  async #planForeign(resource: ResourceState): Promise<void> {
    const removal = removalOf(this.plan.run.context.configuration, resource);
    if (removal === undefined || this.plan.mode !== "normal" || resource.mode === "data") return;
    for (const object of foreignObjects(resource)) {
      const name = nameOf(object);
      if (!this.plan.targets.isSelected(object.address)) continue;
      if (removal.destroy) this.plan.run.report([foreignRemoval(name, resource)]);
      else await this.#planRemoval(object, "delete_because_no_resource_config");
    }
  }

  async #planOrphan(object: StateObject, fleet: FormerFleet): Promise<void> {
    const isLeaving = fleet.kind === "fleet" && this.plan.mode === "normal" && !this.plan.isForgotten(object);
    await this.plan.run.guard(object.address, () =>
      isLeaving
        ? this.#planLeaving(object, fleet.record, "delete_because_each_key")
        : this.#planRemoval(object, this.#orphanReason(object)),
    );
  }

  #refuseUnknown(objects: readonly StateObject[], path: string | undefined): void {
    const selected = objects.filter(({ address }) => this.plan.targets.isSelected(address));
    if (selected.length > 0) this.plan.run.report([fleetUnknown(selected, path)]);
  }

  /** Plans what becomes of an object that its fleet no longer declares: it is forgotten, destroyed or kept. */
  async #planLeaving(object: StateObject, fleet: FleetRecord, reason: ActionReason) {
    const live = await this.#liveOf(object);
    if (live === "done" || live === "failed") return live;
    const { action, diagnostics } = await this.#leavers.decide(object, fleet);
    if (this.plan.run.report(diagnostics) === "failed" || action === "keep") return "failed";
    if (action === "delete") return this.#planDeletion(object, reason);
    this.#unconfirmed.push(this.#add("forget", object, live, reason));
    return "done";
  }

  /** The live object, unless it is gone or not targeted (`done`), or can't be read. */
  async #liveOf(object: StateObject): Promise<StoredState | "done" | "failed"> {
    if (!this.plan.targets.isSelected(object.address)) return "done";
    const refreshed = await this.plan.find(nameOf(object));
    if (refreshed === undefined || this.plan.run.report(refreshed.diagnostics) === "failed") return "failed";
    return refreshed.live ?? "done";
  }

  #orphanReason({ address }: StateObject): ActionReason {
    const isMoved = this.plan.run.previousAddresses.has(address);
    return isMoved ? "delete_because_no_move_target" : "delete_because_no_resource_config";
  }

  /** Plans the delete of an object, or that the state forgets it. */
  async #planRemoval(object: StateObject, reason: ActionReason | undefined): Promise<"done" | "failed"> {
    if (!this.plan.isForgotten(object)) return this.#planDeletion(object, reason);
    if (!this.plan.targets.isSelected(object.address)) return "done";
    if (recoveryProblems(this.plan.run.context, object.address).length > 0) return "failed";
    const identity = object.instance.identity?.values as ValueObject | undefined;
    this.#add("forget", object, { ...stateOf(object.instance), identity }, reason);
    return "done";
  }

  async #planDeletion(object: StateObject, reason: ActionReason | undefined): Promise<"done" | "failed"> {
    const live = await this.#liveOf(object);
    if (live === "done" || live === "failed") return live;
    if (this.plan.mode === "refresh-only") return "done";
    this.#unconfirmed.push(
      this.#add("delete", object, live, this.plan.mode === "destroy" ? undefined : reason),
    );
    return "done";
  }

  /**
   * Confirms the remaining deletes with their providers, once all moves and unplanned declarations are known.
   */
  async confirmAll({ unplanned, refused }: ComparedDeletes): Promise<void> {
    this.#unplanned = new Map(unplanned.map((one) => [one.address, one]));
    for (const step of this.#unconfirmed)
      await this.plan.run.guard(step.change.address, async () => {
        if (!this.plan.steps.isCurrent(step) || refused.has(step.change.address)) return "done";
        return isLeaving(step) ? this.#confirmLeaving(step) : this.#confirm(step);
      });
  }

  /** Plans and confirms a delete in a destroy. */
  async destroy(object: StateObject, live: StoredState): Promise<"done" | "failed"> {
    const step = this.#add("delete", object, live, undefined);
    return this.#confirm(step);
  }

  /**
   * Withdraws a delete that the provider or `prevent_destroy` rejects, and excludes the parts of an object
   * that stay.
   */
  async #confirm(step: Step): Promise<"done" | "failed"> {
    const { resource, provider } = step.object!;
    const { type, address, construct } = step.change;
    const elsewhere = await this.plan.others?.announce(step);
    const answer = await this.plan.run
      .configured(provider)
      .planDestroy({ type, address, prior: step.prior! });
    const { diagnostics, keptBy, leaves, adoptedBy = [], removedBy = [] } = answer;
    const claimants = [keptBy, ...adoptedBy, ...removedBy];
    const claimant = claimants.find((one) => one !== undefined && this.#unplanned.has(one));
    if (claimant !== undefined) return this.#postpone(step, this.#unplanned.get(claimant)!);
    const takers = new Map(elsewhere?.uncertain);
    for (const one of [keptBy, ...adoptedBy]) {
      const stack = one && elsewhere?.yetToTake.get(one);
      if (stack !== undefined) takers.set(one!, stack);
    }
    if (takers.size > 0) {
      this.plan.steps.remove(step);
      return this.plan.run.report([
        takenOverLater(step.change, takers, takers.size === elsewhere?.uncertain.size),
      ]);
    }
    this.#markTakenOver(address, adoptedBy);
    if (keptBy !== undefined) {
      const handedTo = adoptedBy.length > 0 ? adoptedBy : [keptBy];
      this.plan.steps.add({
        ...step,
        change: { ...step.change, action: "forget", sameAs: keptBy },
        handedTo,
      });
      return "done";
    }
    const declared = this.plan.run.context.configuration.resources.get(resourceAddress(resource));
    const problems = [
      ...at(diagnostics, address, construct),
      ...preventDestroy(this.plan.run, declared, step.change),
    ];
    const outcome = this.plan.run.report(problems);
    if (outcome === "failed") this.plan.steps.remove(step);
    else if (leaves !== undefined)
      this.plan.steps.add({
        ...step,
        change: { ...step.change, before: leaves },
        prior: { ...step.prior!, attributes: leaves },
        handedTo: adoptedBy,
      });
    else if (removedBy.length > 0) this.plan.steps.add({ ...step, handedTo: removedBy });
    return outcome;
  }

  /** Asks who else declares an object that leaves its fleet, or a part of it: the state keeps the object until they have it. */
  async #confirmLeaving(step: Step): Promise<"done" | "failed"> {
    const { type, address } = step.change;
    const asked = { type, address, prior: step.prior!, isForgotten: true };
    const { keptBy, adoptedBy = [] } = await this.plan.run.configured(step.provider).planDestroy(asked);
    const takers = new Set([...(keptBy === undefined ? [] : [keptBy]), ...adoptedBy]);
    const unplanned = [...takers].find((one) => this.#unplanned.has(one));
    if (unplanned !== undefined) return this.#postpone(step, this.#unplanned.get(unplanned)!);
    const change = keptBy === undefined ? step.change : { ...step.change, sameAs: keptBy };
    if (takers.size > 0) this.plan.steps.add({ ...step, change, handedTo: [...takers] });
    return "done";
  }

  /** Postpones a delete until the declaration that takes over the object is planned. */
  #postpone(step: Step, { address, why }: UnplannedInstance): "done" | "failed" {
    const { address: deleted } = step.change;
    if (why === "left out")
      return this.plan.run.report([
        newOwnerNotTargeted(restrictionOf(this.plan.run.context)!, deleted, address),
      ]);
    this.plan.steps.remove(step);
    return this.plan.run.report(endsPostponed([step], [address]));
  }

  /** Marks creates whose object exists already as a part of a deleted one. */
  #markTakenOver(address: string, newOwners: readonly string[]): void {
    for (const newOwner of newOwners) {
      const step = this.plan.steps.get(newOwner);
      if (step?.change.action === "create")
        this.plan.steps.add({ ...step, change: { ...step.change, takesOver: address } });
    }
  }

  #add(
    action: "delete" | "forget",
    object: StateObject,
    live: StoredState,
    reason: ActionReason | undefined,
  ): Step {
    const { instance, provider } = object;
    const facts = objectMetadata(this.plan.run, object);
    const change: ResourceChange = {
      ...facts,
      action,
      ...(reason && { reason }),
      before: live.attributes,
      after: null,
      ...(live.identity && { beforeIdentity: live.identity }),
      afterSensitive: [],
    };
    const step: Step = {
      change,
      provider,
      declared: undefined,
      object,
      prior: live,
      planned: undefined,
      config: undefined,
      sensitive: [],
      dependencies: instance.dependencies,
      createBeforeDestroy: instance.deposed !== undefined || (instance.createBeforeDestroy ?? false),
    };
    this.plan.steps.add(step);
    return step;
  }
}

function surplusReason({ count, forEach }: ResourceDeclaration, key: StateObject["instance"]["indexKey"]) {
  if (count !== undefined && typeof key === "number") return "delete_because_count_index";
  if (forEach !== undefined && typeof key === "string") return "delete_because_each_key";
  return "delete_because_wrong_repetition";
}
