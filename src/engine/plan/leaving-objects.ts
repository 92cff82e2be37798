import { decide, LEAVING, type Row, type StoredState } from "../../framework";
import type { ResourceDeclaration } from "../../language";
import { once, type ValueObject } from "../../schema";
import type { FleetRecord, ResourceState } from "../../state";
import {
  foreignObjects,
  foreignRemoval,
  nameOf,
  removalOf,
  type StateObject,
  stateOf,
} from "../objects/objects";
import { recoveryProblems } from "../recovery/pending-recovery";
import type { ActionReason, ResourceChange } from "../results/plan";
import type { StackRun } from "../stack-run/stack-run";
import { fleetRecord, objectMetadata, type Step } from "../steps/steps";
import { FleetLeavers, type FormerFleet, formerFleet } from "./fleets";
import type { PlanGraph } from "./plan-graph";
import type { ResourceVisit } from "./planned-steps";
import { fleetUnknown } from "./verdict-messages";

/** An object of the state without a declaration. */
export interface Leaving {
  readonly object: StateObject;
  readonly row: Row;
  /**
   * The live object, or the stored object if the live object was not read. Undefined if there is nothing to forget or to delete.
   */
  readonly values: StoredState | undefined;
  readonly reason: ActionReason | undefined;
}

/** Returns whether a resource declares an instance. The arguments are addresses. */
type DeclaredTest = (resource: string, instance: string) => boolean;

/** Finds the objects without a declaration, and the facts with which the decision table decides about them. */
export class LeavingObjects {
  #fleets: FleetLeavers | undefined;
  readonly #surplus = new Set<ResourceVisit>();
  readonly #known = new Map<StateObject, Promise<Leaving>>();
  readonly #destroyed: Leaving[] = [];
  /** The fleets of undeclared resources, if the state does not record these fleets and `formerFleet` found them. */
  readonly foundFleets = new Map<string, FleetRecord>();

  constructor(private readonly plan: PlanGraph) {}

  /** Adds a declared object that a destroy removes. */
  destroy(object: StateObject, live: StoredState): void {
    this.#destroyed.push({ object, row: LEAVING, values: live, reason: undefined });
  }

  /** Returns the objects of a declaration whose `count` or `for_each` no longer contains the keys of these objects. */
  async surplus(of: ResourceVisit): Promise<readonly Leaving[]> {
    const { declaration } = of;
    if (declaration.mode === "data") return [];
    this.#surplus.add(of);
    const found: Leaving[] = [];
    for (const object of this.plan.objects.current.get(declaration.address) ?? [])
      if (!of.isDeclared(object.address))
        found.push(await once(this.#known, object, () => this.#surplusObject(object, declaration)));
    return found;
  }

  #surplusObject(object: StateObject, declaration: ResourceDeclaration): Promise<Leaving> {
    const reason = surplusReason(declaration, object.instance.indexKey);
    const record = fleetRecord(this.plan.run.context.configuration, declaration);
    const isOfFleet = record != null && this.plan.mode === "normal";
    return this.#leaving(object, isOfFleet ? { kind: "fleet", record } : NONE, reason);
  }

  /**
   * Returns all leaving objects.
   *
   * @param visits the visits of declared resources, if objects have moved since these visits began
   */
  async all(visits: Iterable<ResourceVisit>, isDeclared: DeclaredTest): Promise<readonly Leaving[]> {
    const found = [...this.#destroyed];
    const add = async (object: StateObject, leaving: () => Promise<Leaving>): Promise<void> => {
      await this.plan.run.guard(object.address, async () => {
        found.push(await leaving());
        return "done";
      });
    };
    for (const visit of new Set([...this.#surplus, ...visits]))
      if (this.plan.hasSurplus(visit)) found.push(...(await this.surplus(visit)));
    for (const [address, objects] of this.#orphans()) {
      const fleet = formerFleet(this.plan, address, objects, isDeclared);
      if (fleet.kind === "unknown") this.#refuseUnknown(objects, fleet.path);
      if (fleet.kind === "fleet" && objects[0]!.resource.fleet === undefined)
        this.foundFleets.set(address, fleet.record);
      for (const object of objects) await add(object, () => this.#orphan(object, fleet));
    }
    for (const object of [...this.plan.objects.deposed.values()].flat())
      await add(object, () => this.#leaving(object, NONE, undefined));
    for (const object of this.plan.objects.foreign.flatMap((resource) => this.#forgottenOf(resource)))
      await add(object, () => this.#leaving(object, NONE, "delete_because_no_resource_config"));
    return found;
  }

  /** Returns the objects of undeclared resources, by the addresses of these resources. Starts the reads of these objects. */
  #orphans(): (readonly [address: string, objects: readonly StateObject[]])[] {
    const orphans: [address: string, objects: readonly StateObject[]][] = [];
    this.plan.objects.current.forEach((objects, address) => {
      if (this.plan.run.graph.has(address) || objects[0]?.resource.mode === "data") return;
      for (const object of objects) this.plan.begin(nameOf(object));
      orphans.push([address, objects]);
    });
    return orphans;
  }

  #orphan(object: StateObject, fleet: FormerFleet): Promise<Leaving> {
    const isOfFleet = fleet.kind === "fleet" && this.plan.mode === "normal" && !this.plan.isForgotten(object);
    if (isOfFleet || fleet.kind === "unknown") return this.#leaving(object, fleet, "delete_because_each_key");
    const isMoved = this.plan.run.previousAddresses.has(object.address);
    const reason = isMoved ? "delete_because_no_move_target" : "delete_because_no_resource_config";
    return this.#leaving(object, NONE, reason);
  }

  /**
   * Returns the objects of a resource whose provider is not part of the run, if a `removed` block forgets these
   * objects. If the block would destroy the objects, reports errors, because only the provider of the objects can
   * destroy them.
   */
  #forgottenOf(resource: ResourceState): readonly StateObject[] {
    const removal = removalOf(this.plan.run.context.configuration, resource);
    if (removal === undefined || this.plan.mode !== "normal" || resource.mode === "data") return [];
    const objects = foreignObjects(resource).filter(({ address }) => this.plan.targets.isSelected(address));
    if (!removal.destroy) return objects;
    for (const object of objects) this.plan.run.report([foreignRemoval(nameOf(object), resource)]);
    return [];
  }

  #refuseUnknown(objects: readonly StateObject[], path: string | undefined): void {
    const selected = objects.filter(({ address }) => this.plan.targets.isSelected(address));
    if (selected.length > 0) this.plan.run.report([fleetUnknown(selected, path)]);
  }

  /**
   * Returns an object without a declaration, with the facts that the decision about the object needs. Reports the reason if the
   * object could not be read.
   */
  async #leaving(
    object: StateObject,
    fleet: FormerFleet,
    reason: ActionReason | undefined,
  ): Promise<Leaving> {
    const { plan } = this;
    const { instance, address } = object;
    const row: Row = { ...LEAVING, held: instance.deposed === undefined ? "here" : "deposed" };
    const unread = (columns: Partial<Row>, values?: StoredState): Leaving => ({
      object,
      row: { ...row, live: "not read", ...columns },
      values,
      reason,
    });
    if (!plan.targets.isSelected(address)) return unread({ selected: "no" });
    if (recoveryProblems(plan.run.context.pendingRecovery, address).length > 0)
      return unread({ journal: "open" });
    if (plan.isForgotten(object)) {
      const identity = instance.identity?.values as ValueObject | undefined;
      return unread({ asked: "forget" }, { ...stateOf(instance), identity });
    }
    if (fleet.kind === "unknown") return unread({ fleet: "not recorded" });
    const read = await plan.find(nameOf(object));
    if (read === undefined || plan.run.report(read.diagnostics) === "failed")
      return unread({ live: "unreadable" });
    const { live } = read;
    if (live === undefined) return unread({ live: "absent" });
    const column = fleet.kind === "fleet" ? await this.#fleetColumn(object, fleet.record) : "none";
    return { object, row: { ...row, fleet: column }, values: live, reason };
  }

  async #fleetColumn(object: StateObject, record: FleetRecord): Promise<Row["fleet"]> {
    this.#fleets ??= new FleetLeavers(this.plan);
    const { fleet, diagnostics } = await this.#fleets.decide(object, record);
    return this.plan.run.report(diagnostics) === "failed" ? "not proven" : fleet;
  }
}

const NONE: FormerFleet = { kind: "none" };

function surplusReason({ count, forEach }: ResourceDeclaration, key: StateObject["instance"]["indexKey"]) {
  if (count !== undefined && typeof key === "number") return "delete_because_count_index";
  if (forEach !== undefined && typeof key === "string") return "delete_because_each_key";
  return "delete_because_wrong_repetition";
}

/** Returns the step that deletes or forgets an object; undefined if the verdict of the decision table has no step. */
export function stepOf(run: StackRun, { object, row, values, reason }: Leaving): Step | undefined {
  const decision = decide(row);
  const action = decision.verdict;
  if (action !== "delete" && action !== "forget") return undefined;
  const { instance, provider } = object;
  const facts = objectMetadata(run, object);
  const prior = values!;
  const change: ResourceChange = {
    ...facts,
    action,
    ...(reason && { reason }),
    decision,
    before: prior.attributes,
    after: null,
    ...(prior.identity && { beforeIdentity: prior.identity }),
    afterSensitive: [],
  };
  return {
    change,
    provider,
    declared: undefined,
    object,
    prior,
    planned: undefined,
    config: undefined,
    sensitive: [],
    dependencies: instance.dependencies,
    createBeforeDestroy: instance.deposed !== undefined || (instance.createBeforeDestroy ?? false),
  };
}
