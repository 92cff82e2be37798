import { hasErrors } from "../../diagnostics";
import { decide, NEW, type Neighbour, type Row, type Verdict } from "../../framework";
import { type ResourceAddress, resourceAddress } from "../../language";
import { append, groupBy, once } from "../../schema";
import type { InstanceMove } from "../../state";
import { type ImportTarget, importAlreadyManaged } from "../import/import-blocks";
import type { StateObject, StateObjects } from "../objects/objects";
import { moveRecoveryProblems, recoveryProblems } from "../recovery/pending-recovery";
import { describeTarget, type ImportTargets } from "./existing-objects";
import { displacements, type HeldObject, type Join, joinByIdentity } from "./moves";
import type { PlanGraph, Relocation } from "./plan-graph";
import type { PlannedInstance } from "./planned-steps";
import { ambiguousMove, moveNotTargeted } from "./verdict-messages";

/** The progress of the plan for one resource. */
export type PlanProgress = "done" | "waiting" | "out of reach";

/** An instance that may have moved, because the state does not hold its object at the declared address. */
interface MoveCandidate {
  readonly one: PlannedInstance;
  readonly identity: string;
  /** The object that the `import` block of the instance names; undefined without an `import` block. */
  readonly importing: ImportTarget | undefined;
}

/** The objects that may move: all objects except the objects that a `removed` block forgets. */
class MovableObjects {
  readonly of: StateObjects;
  readonly all: readonly StateObject[];
  /** The objects, by type and then by identity. */
  readonly byIdentity = new Map<string, Promise<ReadonlyMap<string, readonly StateObject[]>>>();
  #byId: Map<string, StateObject> | undefined;

  constructor(plan: PlanGraph) {
    this.of = plan.objects;
    this.all = plan.managed.filter((object) => !plan.isForgotten(object));
  }

  /** The objects, by type and id. */
  get byId(): ReadonlyMap<string, StateObject> {
    if (this.#byId !== undefined) return this.#byId;
    this.#byId = new Map();
    for (const object of this.all)
      once(this.#byId, `${object.resource.type} ${String(object.instance.attributes["id"])}`, () => object);
    return this.#byId;
  }
}

/**
 * Finds moves without a `moved` block. If the object of an instance may be at another address of the state, the instance waits
 * until all other declarations are planned. Then the object moves to the instance, and the instance is planned.
 */
export class MoveDetection {
  #movable: MovableObjects | undefined;
  readonly #waiting = new Map<string, MoveCandidate>();
  /** The decisions about instances that have waited. */
  readonly #resolved = new Map<string, "planned" | "refused">();

  /**
   * @param isSurplus returns whether the resource of an object was visited, and no longer declares the instance of this object
   */
  constructor(
    private readonly plan: PlanGraph,
    private readonly isSurplus: (object: StateObject) => boolean,
  ) {}

  /** The objects of the state that may move, at their current addresses. */
  get #objects(): MovableObjects {
    if (this.#movable?.of !== this.plan.objects) this.#movable = new MovableObjects(this.plan);
    return this.#movable;
  }

  /** Returns whether an instance has waited, and its move is decided. */
  isResolved(address: string): boolean {
    return this.#resolved.has(address);
  }

  /** Returns whether an instance can be planned now, must wait, or can't be planned. */
  async status(one: PlannedInstance, imports: ImportTargets): Promise<"planned" | "waits" | "refused"> {
    const resolved = this.#resolved.get(one.address);
    if (resolved !== undefined) return resolved;
    const candidate = await this.#candidate(one, imports.targets.get(one.address));
    if (candidate === undefined) return "planned";
    this.#waiting.set(one.address, candidate);
    return "waits";
  }

  async #candidate(one: PlannedInstance, target: ImportTarget | undefined) {
    const own = this.plan.movable(one.address);
    if (recoveryProblems(one.run.context.pendingRecovery, one.address).length > 0) return undefined;
    const holders = await this.#holders(one.declaration.type);
    if (holders.size === 0) return undefined;
    const importing = own === undefined ? target : undefined;
    const identity =
      importing === undefined
        ? await this.#declaredIdentity(one, own)
        : await this.#importedIdentity(one, importing);
    if (identity === undefined) return undefined;
    if (own === undefined) {
      if (!holders.has(identity)) return undefined;
    } else if (identity === ((await this.plan.identities.identifyObject(own)) ?? identity)) return undefined;
    return { one, identity, importing };
  }

  async #declaredIdentity(one: PlannedInstance, own: StateObject | undefined): Promise<string | undefined> {
    const { provider, type } = one.declaration;
    const { config: attributes, diagnostics, invalid } = one.config;
    if (hasErrors(diagnostics) || hasErrors(invalid)) return undefined;
    // The private bytes of the object contain the ids for its paths, so these paths need no request.
    return this.plan.identities.identify(provider, type, { attributes, private: own?.instance.private });
  }

  async #importedIdentity(one: PlannedInstance, target: ImportTarget): Promise<string | undefined> {
    const { identities } = this.plan;
    const { type, provider } = one.declaration;
    const known = target.id === undefined ? undefined : this.#objects.byId.get(`${type} ${target.id}`);
    if (known !== undefined) return identities.identifyObject(known);
    const { live, diagnostics } = await this.plan.imported(one, target);
    return hasErrors(diagnostics) || live === undefined
      ? undefined
      : identities.identify(provider, type, live);
  }

  /** Returns the objects of a type by identity. */
  #holders(type: string): Promise<ReadonlyMap<string, readonly StateObject[]>> {
    const { all, byIdentity } = this.#objects;
    return once(byIdentity, type, () => this.#identify(all.filter(({ resource }) => resource.type === type)));
  }

  async #identify(objects: readonly StateObject[]): Promise<ReadonlyMap<string, readonly StateObject[]>> {
    const holders = new Map<string, StateObject[]>();
    for (const object of objects) {
      const identity = await this.plan.identities.identifyObject(object);
      if (identity !== undefined) append(holders, identity, object);
    }
    return holders;
  }

  /**
   * Decides about waiting instances, once no other instance can be planned. If the place of the object is unknown for
   * each of these instances, all these instances are planned without a move.
   */
  async resolve(progressOf: (resource: string) => PlanProgress): Promise<Relocation> {
    const held = await this.#heldObjects(progressOf);
    const wanted = [...this.#waiting].map(([address, { identity }]) => ({ address, identity }));
    const joined = joinByIdentity(held, wanted);
    const isStuck = [...joined.values()].every((one) => one.held === undefined);
    const holders = groupBy(held, ({ identity }) => identity);
    const moves = new Map<string, string>();
    const decided: string[] = [];
    for (const [address, join] of joined) {
      if (join.held === undefined && !isStuck) continue;
      decided.push(address);
      const { importing, identity } = this.#waiting.get(address)!;
      const holder = importing && holders.get(identity)?.find((one) => one.address !== address);
      const taken = holder && { id: describeTarget(importing), holder: holder.address };
      const verdict = this.#verdict(address, join, taken);
      if (verdict === "move") moves.set(join.from[0]!, address);
      this.#resolved.set(address, verdict === "refuse" ? "refused" : "planned");
    }
    const displaced = displacements(moves, (address) => this.plan.movable(address) !== undefined);
    const moving = this.#moving(moves, displaced);
    for (const address of decided) this.#waiting.delete(address);
    return { moving, moves, displaced };
  }

  /**
   * Decides whether a waiting instance can be planned, and whether an object first moves to this instance. If the
   * instance can't be planned, reports the reason.
   *
   * @param taken the id of the object that the instance imports, and an address that has this object
   */
  #verdict(
    address: string,
    { held = "no", from, to }: Join,
    taken: { readonly id: string; readonly holder: string } | undefined,
  ): Verdict {
    const { run, targets } = this.plan;
    const [origin] = from;
    const isMove = held === "elsewhere";
    const left = isMove ? [origin!, address].filter((one) => !targets.isSelected(one)) : [];
    const open = isMove
      ? moveRecoveryProblems(run.context.pendingRecovery, new Map([[address, origin!]]))
      : [];
    const row: Row = {
      ...NEW,
      held,
      selected: left.length > 0 ? "partly" : "yes",
      journal: open.length > 0 ? "open" : "settled",
    };
    const second: readonly Neighbour[] =
      held === "no" && taken !== undefined ? [{ relation: "declared twice", address: taken.holder }] : [];
    const { verdict, why } = decide(row, second);
    if (verdict !== "refuse") return verdict;
    run.report([
      ...(why === "several addresses" && address === to[0] ? [ambiguousMove({ from, to })] : []),
      ...(left.length > 0 ? [moveNotTargeted(run.restriction!, origin!, address, left)] : []),
      ...open,
      ...(why === "declared twice" ? [importAlreadyManaged(address, taken!.id, taken!.holder)] : []),
    ]);
    return verdict;
  }

  /** Returns the objects that match waiting instances, and whether each object leaves its address. */
  async #heldObjects(progressOf: (resource: string) => PlanProgress): Promise<HeldObject[]> {
    const found = new Map<string, HeldObject>();
    for (const [wanting, { one, identity }] of this.#waiting) {
      for (const object of (await this.#holders(one.declaration.type)).get(identity) ?? []) {
        if (object.address !== wanting)
          found.set(object.address, {
            address: object.address,
            identity,
            released: this.#released(object, progressOf(resourceAddress(object.resource))),
          });
      }
    }
    return [...found.values()];
  }

  #released(object: StateObject, progress: PlanProgress): HeldObject["released"] {
    const { run, targets } = this.plan;
    const { address, resource } = object;
    const isDeclared = run.graph.has(resourceAddress(resource)) && !this.isSurplus(object);
    if (!isDeclared || this.#waiting.has(address) || !targets.isSelected(address)) return "yes";
    return progress === "waiting" ? "not known yet" : "no";
  }

  #moving(moves: ReadonlyMap<string, string>, displaced: ReadonlyMap<string, string>): InstanceMove[] {
    const moved = [...moves].map(([from, to]): InstanceMove => {
      const { declaration, instance } = this.#waiting.get(to)!.one;
      return { ...this.plan.movable(from)!, to: newAddress(declaration, instance.key) };
    });
    const freed = [...displaced].map(([from, to]): InstanceMove => {
      const { resource, instance } = this.plan.movable(to)!;
      return { ...this.plan.movable(from)!, to: newAddress(resource, instance.indexKey) };
    });
    return [...moved, ...freed];
  }
}

const newAddress = (
  { mode, type, name }: Pick<ResourceAddress, "mode" | "type" | "name">,
  key: string | number | undefined,
): ResourceAddress => ({ mode, type, name, ...(key !== undefined && { indexKey: key }) });
