import { type Diagnostic, error } from "../../diagnostics";
import type { LiveContainer, Row } from "../../framework";
import {
  type FleetDeclaration,
  type FleetSelection,
  instanceAddress,
  locate,
  memberOf,
  type ResourceDeclaration,
  resourceAddress,
  type Value,
} from "../../language";
import { once } from "../../schema";
import type { FleetRecord } from "../../state";
import { wildcard } from "../../text";
import { withoutKey } from "../declarations/address-keys";
import type { StateObject } from "../objects/objects";
import { fleetRecord, isMemberKey } from "../steps/steps";
import type { PlanGraph } from "./plan-graph";
import { shrinks } from "./verdict-messages";

/** The decision about an object whose container may have left its fleet. `fleet` is the value for the decision table. */
export interface Departure {
  readonly fleet: Exclude<Row["fleet"], "none" | "not recorded">;
  readonly diagnostics: readonly Diagnostic[];
}

/** The members of a fleet in one run. */
interface Members {
  /** The full paths in the fleet's list, by key. */
  readonly listed: ReadonlyMap<string, string>;
  /** `held` is the number of members with objects in the state. `leaving` is the number of these members that the list lacks. */
  readonly held: number;
  readonly leaving: number;
  /** The decisions about members that the list lacks, by the key of the member. */
  readonly left: Map<string, Promise<Departure>>;
  /** Whether the list can't be trusted, because too many members are missing. */
  readonly isShrinking: boolean;
  /** Whether the error about missing members was reported. */
  isReported: boolean;
}

/** The divisor for a tenth. If more than a tenth of a fleet's members leave, the user must confirm this. */
const TENTH = 10;

/**
 * Decides about objects that a fleet no longer declares. A member can also be missing from the list of a fleet because the token
 * lost its role or the service failed. Steward looks up such a member by its id before it releases the member's objects.
 */
export class FleetLeavers {
  readonly #fleets = new Map<string, Members>();
  /**
   * The reasons to keep objects of members whose fleet is no longer declared. A key contains the id of the member, and a fleet
   * that may now select this member. The value is undefined if there is no such reason.
   */
  readonly #formerMembers = new Map<string, Promise<readonly Diagnostic[] | undefined>>();

  constructor(private readonly plan: PlanGraph) {}

  /**
   * Decides whether and how the container of an object left its fleet.
   *
   * @param record the fleet of the object's resource; the configuration may no longer declare this fleet
   */
  async decide(object: StateObject, record: FleetRecord): Promise<Departure> {
    const fleets = [...this.plan.run.context.configuration.fleets.values()];
    const fleet = fleets.find(({ path }) => path === record.path);
    const { onLeave } = fleet ?? record;
    const leaves: Departure = { fleet: onLeave === "reset" ? "reset" : "keep", diagnostics: [] };
    return fleet === undefined
      ? this.#decideFormer(object, leaves)
      : this.#decideDeclared(object, fleet, leaves);
  }

  async #decideDeclared(object: StateObject, fleet: FleetDeclaration, leaves: Departure): Promise<Departure> {
    const members = this.#membersOf(fleet);
    const key = memberKey(object);
    if (members.listed.has(key)) return leaves;
    if (members.isShrinking) {
      const diagnostics = members.isReported ? [] : [shrinks(fleet, members, this.#constructOf(object))];
      members.isReported = true;
      return { fleet: "not proven", diagnostics };
    }
    const decided = members.left.get(key);
    if (decided !== undefined) return { ...(await decided), diagnostics: [] };
    const { selection } = fleet;
    const decision =
      selection === undefined
        ? Promise.resolve(leaves)
        : this.#lookUp(key, selection, object).then(
            (problems): Departure =>
              problems === undefined ? leaves : { fleet: "not proven", diagnostics: problems },
          );
    members.left.set(key, decision);
    return decision;
  }

  /**
   * Decides about an object whose former fleet was renamed or removed. Checks whether a declared fleet with a resource
   * of the same type selects the container of the object. If the list of that fleet lacks the container, Steward looks
   * up the container.
   */
  async #decideFormer(object: StateObject, leaves: Departure): Promise<Departure> {
    const id = containerId(this.plan, object) ?? memberKey(object);
    for (const { fleet, selection } of this.#selectionsLike(object)) {
      if (this.#membersOf(fleet).listed.has(id)) continue;
      const name = `${fleet.members} ${id}`;
      const known = this.#formerMembers.get(name);
      const found = known ?? this.#lookUp(id, selection, object);
      this.#formerMembers.set(name, found);
      const problems = await found;
      if (problems !== undefined)
        return { fleet: "not proven", diagnostics: known === undefined ? problems : [] };
    }
    return leaves;
  }

  /** Returns the declared fleets that have a resource of the same type and provider as the object, with their selections. */
  #selectionsLike({ resource: { type }, provider }: StateObject) {
    const { fleets, resources } = this.plan.run.context.configuration;
    const like = [...resources.values()].filter((one) => one.type === type && one.provider === provider);
    return [...new Set(like.flatMap(({ fleet }) => fleet ?? []))].flatMap((members) => {
      const fleet = fleets.get(members);
      return fleet?.selection === undefined ? [] : [{ fleet, selection: fleet.selection }];
    });
  }

  #constructOf = ({ resource }: StateObject): string | undefined =>
    this.plan.run.context.configuration.resources.get(resourceAddress(resource))?.construct;

  #membersOf(fleet: FleetDeclaration): Members {
    return once(this.#fleets, fleet.members, () => this.#members(fleet));
  }

  #members(fleet: FleetDeclaration): Members {
    const value = this.plan.run.evaluation.get(`local.${fleet.members}`);
    const listed = new Map(pathsIn(value).map(([key, path]) => [key, String(path.content)]));
    const held = this.#held(fleet);
    const leaving = [...held].filter((key) => !listed.has(key)).length;
    const isAllowed = leaving <= (this.plan.run.context.allowLeaving ?? 0);
    return {
      listed,
      held: held.size,
      leaving,
      left: new Map(),
      // The share is counted from all listed members, with or without objects in the state. A restricted run may have left out
      // some new members.
      isShrinking: !isAllowed && (listed.size === 0 || leaving * TENTH > listed.size + leaving),
      isReported: false,
    };
  }

  /** Returns the keys of the members with objects in the state. */
  #held({ members, path }: FleetDeclaration): ReadonlySet<string> {
    const { resources } = this.plan.run.context.configuration;
    const own = [...this.plan.objects.current].filter(([address, [object]]) => {
      const declaration = resources.get(address);
      if (object === undefined) return false;
      return declaration === undefined ? object.resource.fleet?.path === path : declaration.fleet === members;
    });
    return new Set(own.flatMap(([, objects]) => objects).map(memberKey));
  }

  /**
   * Looks up a member that is missing in the list. Returns the reasons to keep the member's objects; undefined if the member has
   * left the fleet.
   */
  async #lookUp(
    id: string,
    selection: FleetSelection,
    object: StateObject,
  ): Promise<readonly Diagnostic[] | undefined> {
    const { provider, address } = object;
    const place = locate({ address, construct: this.#constructOf(object) });
    const { kind, within } = selection;
    const found = await this.#containers(provider, { names: [id], kind, contents: "none" });
    const [member] = found.containers;
    if (member === undefined) return found.diagnostics.map((one) => ({ ...place, ...one }));
    const holders = /^\d+$/.test(within.name)
      ? await this.#containers(provider, { names: [within.name], kind: within.kind, contents: "none" })
      : undefined;
    const holder = holders === undefined ? within.name : holders.containers[0]?.path;
    if (holder === undefined) return holders!.diagnostics.map((one) => ({ ...place, ...one }));
    if (!isSelected(member, holder, selection)) return undefined;
    return [
      error({
        code: "fleet_list_incomplete",
        summary: `A ${kind} is missing from the list of its fleet`,
        detail: `The service's list of the ${within.kind} ${holder} lacks ${member.path}, but the service still returns this ${kind} by its ID. The selection of the fleet includes ${member.path}, so Steward keeps its settings. Plan again. If the problem remains, check the role of the token's user in the ${within.kind} ${holder}.`,
        cause: `${kind} ${member.path}`,
        ...place,
      }),
    ];
  }

  async #containers(provider: string, selection: { names: string[]; kind: string; contents: "none" }) {
    const containers: LiveContainer[] = [];
    const diagnostics: Diagnostic[] = [];
    for await (const found of this.plan.run.configured(provider).findContainers?.(selection) ?? []) {
      containers.push(...found.containers);
      diagnostics.push(...found.diagnostics);
    }
    return { containers, diagnostics };
  }
}

/**
 * Returns the paths of a fleet's members by their keys. In configurations of older releases, the value is an array, and the
 * positions are the keys.
 */
function pathsIn(members: Value | undefined): readonly (readonly [key: string, path: Value])[] {
  if (members === undefined || !members.isKnown || members.isNull) return [];
  return Array.isArray(members.content)
    ? (members.content as readonly Value[]).map((path, at) => [String(at), path])
    : [...members.entries];
}

const memberKey = ({ instance }: StateObject): string => memberOf(String(instance.indexKey)).member;

function isSelected(
  { path, isArchived, labels = [] }: LiveContainer,
  holder: string,
  selection: FleetSelection,
): boolean {
  const [own, wanted] = [path.toLowerCase(), `${holder.toLowerCase()}/`];
  const isInside = own.startsWith(wanted) && (selection.nested || !own.slice(wanted.length).includes("/"));
  const isLabelled = selection.labels.length === 0 || selection.labels.some((one) => labels.includes(one));
  return (
    isInside &&
    !isArchived &&
    isLabelled &&
    !selection.except.some((one) => wildcard(one.toLowerCase()).test(own))
  );
}

/** Returns the id of an object's container. */
function containerId(
  { run }: Pick<PlanGraph, "run">,
  { provider, resource: { type }, instance }: StateObject,
): string | undefined {
  return run.configured(provider)?.containerIdOf?.(type, String(instance.attributes["id"]));
}

/**
 * The fleet to which undeclared objects belonged. `unknown` means that a fleet may have declared these objects. The path is set
 * if that fleet is still declared.
 */
export type FormerFleet =
  | { readonly kind: "none" }
  | { readonly kind: "fleet"; readonly record: FleetRecord }
  | { readonly kind: "unknown"; readonly path: string | undefined };

const NONE: FormerFleet = { kind: "none" };

/**
 * Finds the fleet of a resource that is no longer declared. The state records this fleet, but states of older releases
 * have no such record. Without a record, the objects can move with unchanged keys to a declared fleet's resource of the
 * same type. The result is then that fleet. If the keys only look like keys of a fleet, the result is `unknown`.
 *
 * @param isDeclared whether a resource declares an instance
 */
export function formerFleet(
  plan: PlanGraph,
  address: string,
  objects: readonly StateObject[],
  isDeclared: (resource: string, instance: string) => boolean,
): FormerFleet {
  const { configuration } = plan.run.context;
  const [first] = objects;
  // Objects of a fleet always have a text as their key. People can move an object to an address without a key, and the object
  // then belongs to no fleet.
  if (first === undefined || objects.some(({ instance }) => typeof instance.indexKey !== "string"))
    return NONE;
  const { fleet: record, type } = first.resource;
  if (record !== undefined) return record === null ? NONE : { kind: "fleet", record };
  // If there is a `removed` block for the resource, that block decides about the objects.
  if (plan.mode !== "normal" || configuration.removals.has(address)) return NONE;
  const like = [...configuration.resources.values()].filter(
    (one) =>
      one.fleet !== undefined &&
      one.type === type &&
      one.provider === first.provider &&
      objects.every((object) => mayBelongTo(plan, one.fleet!, object)),
  );
  const [heir, ...others] = like.filter((one) => takesOver(plan, address, objects, one, isDeclared));
  const known = heir && fleetRecord(configuration, heir);
  if (known != null && others.length === 0) return { kind: "fleet", record: known };
  const [candidate] = like;
  if (candidate === undefined)
    return isOfUndeclaredList(plan, objects) ? { kind: "unknown", path: undefined } : NONE;
  return { kind: "unknown", path: configuration.fleets.get(candidate.fleet!)!.path };
}

/**
 * Returns whether the key of an object has the form of this fleet's keys. If the service lists the members, the key is the id
 * of the container.
 */
function mayBelongTo(plan: PlanGraph, members: string, object: StateObject): boolean {
  const fleet = plan.run.context.configuration.fleets.get(members);
  if (fleet === undefined) return false;
  const { member } = memberOf(String(object.instance.indexKey));
  if (fleet.selection === undefined) return /^[\w./-]+$/.test(member);
  return /^\d+$/.test(member) && (containerId(plan, object) ?? member) === member;
}

/**
 * Returns whether a fleet that is no longer declared may have declared these objects. In older releases, the keys were ids of
 * containers, or positions in an array of paths. The ids came from a data source that is removed with the fleet.
 */
function isOfUndeclaredList(plan: PlanGraph, objects: readonly StateObject[]): boolean {
  if (!objects.every(({ instance }) => isMemberKey(instance.indexKey))) return false;
  const { resources } = plan.run.context.configuration;
  const lists = objects.flatMap(({ instance: { dependencies = [] } }) =>
    dependencies.filter((one) => one.startsWith("data.")),
  );
  const members = objects.map(
    (object) => [object, memberOf(String(object.instance.indexKey)).member] as const,
  );
  if (members.every(([object, member]) => containerId(plan, object) === member))
    return lists.some((list) => !resources.has(list));
  const positions = new Set(members.map(([, member]) => Number(member)));
  return lists.length === 0 && Math.max(...positions) < positions.size;
}

/**
 * Returns whether the objects of an address move to a declaration with unchanged keys. The result is false if any of these
 * objects moves elsewhere.
 */
function takesOver(
  { run, targets, objects: { current } }: PlanGraph,
  address: string,
  objects: readonly StateObject[],
  declaration: ResourceDeclaration,
  isDeclared: (resource: string, instance: string) => boolean,
): boolean {
  const moves = [...run.previousAddresses].filter(([, before]) => withoutKey(before) === address);
  const keyOf = (instance: string): string => instance.slice(withoutKey(instance).length);
  const isMoved = ([now, before]: readonly [string, string]) =>
    withoutKey(now) === declaration.address && keyOf(now) === keyOf(before);
  if (!moves.every(isMoved)) return false;
  if (moves.length > 0) return true;
  // A restricted run does not find all moves that an unrestricted run would find.
  const held = new Set(current.get(declaration.address)?.map((object) => object.address));
  return objects.some((object) => {
    const { mode, type, name } = declaration;
    const next = instanceAddress({ mode, type, name }, object.instance);
    return !targets.isSelected(object.address) && isDeclared(declaration.address, next) && !held.has(next);
  });
}
