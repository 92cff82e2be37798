import { type Diagnostic, hasErrors } from "../../diagnostics";
import { type ResourceAddress, type ResourceDeclaration, resourceAddress } from "../../language";
import {
  attributeEntries,
  isCollectionOfPrimitives,
  isNested,
  sameValue,
  type ValueObject,
} from "../../schema";
import type { InstanceMove } from "../../state";
import { ambiguousMove, importAlreadyManaged, moveNotTargeted } from "../moves/move-diagnostics";
import { displacements, type HeldObject, pairByIdentity } from "../moves/pair-by-identity";
import { type InstanceConfig, instanceConfig } from "../run/instance-config";
import type { Instance } from "../run/instances";
import type { StateObject } from "../run/objects";
import type { StackRun } from "../run/stack-run";
import type { Targets } from "../run/targets";
import { heldBack, movedUnsettled } from "../run/unsettled";
import type { Identities } from "../steps/identities";
import type { Refreshed } from "../steps/refresh";
import type { ImportTargets } from "./import-targets";
import type { Relocation } from "./object-places";

/** How far a plan has come with a resource. */
export type Reach = "done" | "waiting" | "out of reach";

interface Surroundings {
  readonly run: StackRun;
  readonly targets: Targets;
  readonly identities: Identities;
  /** Looks up the object that an instance is imported from. */
  /** Whether an object may be taken elsewhere: one that a `removed` block forgets may not. */
  readonly isOwned: (object: StateObject) => boolean;
  readonly imported: (declaration: ResourceDeclaration, instance: Instance, id: string) => Promise<Refreshed>;
}

/** An instance that wants an object which the state does not have at its address. */
interface Arrival {
  readonly declaration: ResourceDeclaration;
  readonly instance: Instance;
  readonly identity: string;
  /** The id that it is to be imported by, where an import block says so. */
  readonly importing: string | undefined;
}

/**
 * Instances whose objects the state may have at another address: they wait until it is known what all others want, and
 * are then planned with the objects that are theirs.
 */
export class Arrivals {
  readonly #surroundings: Surroundings;
  readonly #configs = new WeakMap<Instance, InstanceConfig>();
  /** The state's own objects, by address; those that a `removed` block forgets are nobody's. */
  #objects: ReadonlyMap<string, StateObject> = new Map();
  #byIdentity = new Map<string, Promise<ReadonlyMap<string, readonly StateObject[]>>>();
  readonly #waiting = new Map<string, Arrival>();
  /** What was found out of those that have waited: they are planned, or can't be. */
  readonly #settled = new Map<string, "planned" | "refused">();
  /** Objects whose resource is declared, and has them no more. */
  readonly #surplus = new Set<string>();

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
  }

  /** Takes over where objects are now. */
  locate(objects: readonly StateObject[]): void {
    const { isOwned } = this.#surroundings;
    this.#objects = new Map(objects.filter(isOwned).map((object) => [object.address, object]));
    this.#byIdentity = new Map();
  }

  /** Notes the instances that a declared resource has: objects at other addresses of it are surplus. */
  expect(resource: string, wanted: ReadonlySet<string>): void {
    for (const [address, { resource: named }] of this.#objects)
      if (resourceAddress(named) === resource && !wanted.has(address)) this.#surplus.add(address);
  }

  /** What the configuration says of an instance, evaluated once for this plan. */
  config(declaration: ResourceDeclaration, instance: Instance): InstanceConfig {
    const known = this.#configs.get(instance);
    if (known !== undefined) return known;
    const found = instanceConfig(this.#surroundings.run, declaration, instance);
    this.#configs.set(instance, found);
    return found;
  }

  /** Whether an instance can be planned now, has to wait, or can't be planned at all. */
  async standing(
    declaration: ResourceDeclaration,
    instance: Instance,
    imports: ImportTargets,
  ): Promise<"planned" | "waits" | "refused"> {
    const { address } = instance;
    const settled = this.#settled.get(address);
    if (settled !== undefined) return settled;
    const arrival = await this.#arrival(declaration, instance, imports.ids.get(address));
    if (arrival === undefined) return "planned";
    this.#waiting.set(address, arrival);
    return "waits";
  }

  async #arrival(
    declaration: ResourceDeclaration,
    instance: Instance,
    importId: string | undefined,
  ): Promise<Arrival | undefined> {
    const { run, identities } = this.#surroundings;
    const own = this.#objects.get(instance.address);
    if (heldBack(run.context, instance.address).length > 0) return undefined;
    // Most declarations say what their object is: nothing has to be identified for them.
    if (own !== undefined && this.#agrees(declaration, instance, own)) return undefined;
    const holders = await this.#holders(declaration.type);
    if (holders.size === 0) return undefined;
    const importing = own === undefined ? importId : undefined;
    const identity =
      importing === undefined
        ? await this.#declaredIdentity(declaration, instance, own)
        : await this.#importedIdentity(declaration, instance, importing);
    if (identity === undefined) return undefined;
    if (own === undefined) {
      if (!holders.has(identity)) return undefined;
    } else if (identity === ((await identities.identifyObject(own)) ?? identity)) return undefined;
    return { declaration, instance, identity, importing };
  }

  /** Whether an object has all single values that its declaration gives: sets and nested objects are no part of a key. */
  #agrees(declaration: ResourceDeclaration, instance: Instance, { instance: held }: StateObject): boolean {
    const { run } = this.#surroundings;
    const { config } = this.config(declaration, instance);
    const values = held.attributes as ValueObject;
    return attributeEntries(run.schema(declaration).attributes).every(([name, { type }]) => {
      const value = config[name] ?? null;
      const isSingle = !isNested(type) && !isCollectionOfPrimitives(type);
      return value === null || !isSingle || sameValue(value, values[name] ?? null);
    });
  }

  async #declaredIdentity(
    declaration: ResourceDeclaration,
    instance: Instance,
    own: StateObject | undefined,
  ): Promise<string | undefined> {
    const { identities } = this.#surroundings;
    const { config, diagnostics, invalid } = this.config(declaration, instance);
    if (hasErrors(diagnostics) || hasErrors(invalid)) return undefined;
    // What the object remembers of its references needs no request.
    const remembered = own?.instance.private;
    return identities.identify(declaration.provider, declaration.type, {
      attributes: config,
      private: remembered,
    });
  }

  async #importedIdentity(
    declaration: ResourceDeclaration,
    instance: Instance,
    id: string,
  ): Promise<string | undefined> {
    const { identities, imported } = this.#surroundings;
    const { type, provider } = declaration;
    const known = [...this.#objects.values()].find(
      ({ resource, instance: { attributes } }) => resource.type === type && attributes["id"] === id,
    );
    if (known !== undefined) return identities.identifyObject(known);
    const { live, diagnostics } = await imported(declaration, instance, id);
    return hasErrors(diagnostics) || live === undefined
      ? undefined
      : identities.identify(provider, type, live);
  }

  /** The objects of a type by their identity. */
  #holders(type: string): Promise<ReadonlyMap<string, readonly StateObject[]>> {
    let found = this.#byIdentity.get(type);
    if (found === undefined) {
      found = this.#identify([...this.#objects.values()].filter(({ resource }) => resource.type === type));
      this.#byIdentity.set(type, found);
    }
    return found;
  }

  async #identify(objects: readonly StateObject[]): Promise<ReadonlyMap<string, readonly StateObject[]>> {
    const holders = new Map<string, StateObject[]>();
    for (const object of objects) {
      const identity = await this.#surroundings.identities.identifyObject(object);
      if (identity === undefined) continue;
      const known = holders.get(identity);
      if (known === undefined) holders.set(identity, [object]);
      else known.push(object);
    }
    return holders;
  }

  /**
   * Finds the objects of those that wait, once nothing else can be planned before them. Where it still can't be told of
   * any, they are planned as they are.
   */
  async settle(reachOf: (resource: string) => Reach): Promise<Relocation> {
    const held = await this.#held(reachOf);
    const wanted = [...this.#waiting].map(([address, { identity }]) => ({ address, identity }));
    const { moves, ambiguities, undecided } = pairByIdentity(held, wanted);
    const { run } = this.#surroundings;
    for (const ambiguity of ambiguities) {
      run.report([ambiguousMove(ambiguity)]);
      for (const address of ambiguity.to) this.#settled.set(address, "refused");
    }
    const allowed = new Map([...moves].filter(([from, to]) => this.#allows(from, to)));
    const displaced = displacements(allowed, (address) => this.#objects.has(address));
    const moving = this.#moving(allowed, displaced);
    const isStuck = undecided.size === this.#waiting.size;
    for (const [address, arrival] of this.#waiting) {
      if (undecided.has(address) && !isStuck) continue;
      if (!this.#settled.has(address)) this.#settle(address, arrival, allowed, held);
      this.#waiting.delete(address);
    }
    return { moving, moves: allowed, displaced };
  }

  #settle(
    address: string,
    { importing, identity }: Arrival,
    moves: ReadonlyMap<string, string>,
    held: readonly HeldObject[],
  ): void {
    const holder = held.find((one) => one.identity === identity && one.address !== address);
    const isMoved = [...moves.values()].includes(address);
    const isRefused = importing !== undefined && !isMoved && holder !== undefined;
    if (isRefused) this.#surroundings.run.report([importAlreadyManaged(address, importing, holder.address)]);
    this.#settled.set(address, isRefused ? "refused" : "planned");
  }

  /** Whether an object may go to another address; says why where it may not. */
  #allows(from: string, to: string): boolean {
    const { run, targets } = this.#surroundings;
    const left = [from, to].filter((address) => !targets.object(address));
    const problems: readonly Diagnostic[] = [
      ...(left.length > 0 ? [moveNotTargeted(from, to, left)] : []),
      ...movedUnsettled(run.context, new Map([[to, from]])),
    ];
    if (run.report(problems) === "done") return true;
    this.#settled.set(to, "refused");
    return false;
  }

  /** The objects that those that wait want, and whether they leave where they are. */
  async #held(reachOf: (resource: string) => Reach): Promise<HeldObject[]> {
    const found = new Map<string, HeldObject>();
    for (const [wanting, { declaration, identity }] of this.#waiting) {
      for (const object of (await this.#holders(declaration.type)).get(identity) ?? []) {
        if (object.address !== wanting)
          found.set(object.address, {
            address: object.address,
            identity,
            released: this.#leaves(object, reachOf(resourceAddress(object.resource))),
          });
      }
    }
    return [...found.values()];
  }

  #leaves({ address, resource }: StateObject, reach: Reach): HeldObject["released"] {
    const { run, targets } = this.#surroundings;
    const isDeclared = run.graph.has(resourceAddress(resource)) && !this.#surplus.has(address);
    if (!isDeclared || this.#waiting.has(address) || !targets.object(address)) return "yes";
    return reach === "waiting" ? "not known yet" : "no";
  }

  #moving(moves: ReadonlyMap<string, string>, displaced: ReadonlyMap<string, string>): InstanceMove[] {
    const arriving = [...moves].map(([from, to]): InstanceMove => {
      const { declaration, instance } = this.#waiting.get(to)!;
      return { ...this.#objects.get(from)!, to: placeOf(declaration, instance.key) };
    });
    const leaving = [...displaced].map(([from, to]): InstanceMove => {
      const { resource, instance } = this.#objects.get(to)!;
      return { ...this.#objects.get(from)!, to: placeOf(resource, instance.indexKey) };
    });
    return [...arriving, ...leaving];
  }
}

const placeOf = (
  { mode, type, name }: Pick<ResourceAddress, "mode" | "type" | "name">,
  key: string | number | undefined,
): ResourceAddress => ({ mode, type, name, ...(key !== undefined && { indexKey: key }) });
