import { type Diagnostic, error } from "../../diagnostics";
import type { LiveContainer, Row } from "../../framework";
import {
  type FleetDeclaration,
  type FleetSelection,
  locate,
  memberOf,
  resourceAddress,
  type Value,
} from "../../language";
import { once } from "../../schema";
import type { FleetRecord } from "../../state";
import { counted, wildcard } from "../../text";
import type { StateObject } from "../run/objects";
import type { PlanGraph } from "./plan-graph";

/** The column `fleet` of a row: how the container of an object left its fleet. */
export interface Departure {
  readonly fleet: Exclude<Row["fleet"], "none" | "not recorded">;
  readonly diagnostics: readonly Diagnostic[];
}

/** The members of a fleet in one run. */
interface Members {
  /** Full paths by key, as listed. */
  readonly listed: ReadonlyMap<string, string>;
  /** The number of members with objects in the state, and the number of these members that the list lacks. */
  readonly held: number;
  readonly leaving: number;
  /** Decisions about members that the list lacks, by key. */
  readonly left: Map<string, Promise<Departure>>;
  /** Whether too many members are missing to trust the list. */
  readonly isShrinking: boolean;
  /** Whether the error about that is reported. */
  isReported: boolean;
}

/** The share of a fleet's members that may leave without confirmation. */
const TENTH = 10;

/**
 * Decides about objects that a fleet no longer declares. A list may lack a member because the token lost its role,
 * or because the service failed. Such a member is looked up by its id before its objects are released.
 */
export class FleetLeavers {
  readonly #fleets = new Map<string, Members>();
  /** Members of fleets that are no longer declared, by their id: why they are kept, or undefined. */
  readonly #formerMembers = new Map<string, Promise<readonly Diagnostic[] | undefined>>();

  constructor(private readonly plan: PlanGraph) {}

  /** @param record the fleet of the object's resource, whether it is still declared or not */
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
   * Decides about an object of a fleet that was renamed or removed. Fleets of the same kind may select its
   * container. Then their lists must contain it, or it must be looked up.
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

  /** The selections of declared fleets that have a resource like that of an object. */
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
      // New members also count, because an earlier partial run may or may not have put them into the state.
      isShrinking: !isAllowed && (listed.size === 0 || leaving * TENTH > listed.size + leaving),
      isReported: false,
    };
  }

  /** The keys of the members that the state holds something of. */
  #held({ members, path }: FleetDeclaration): ReadonlySet<string> {
    const { resources } = this.plan.run.context.configuration;
    const own = [...this.plan.objects.current].filter(([address, [object]]) => {
      const declaration = resources.get(address);
      if (object === undefined) return false;
      return declaration === undefined ? object.resource.fleet?.path === path : declaration.fleet === members;
    });
    return new Set(own.flatMap(([, objects]) => objects).map(memberKey));
  }

  /** Looks up a member that the list lacks; returns why it is kept. */
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

/** The paths of members by their keys. Older releases of the construct made a list of an array, with positions as keys. */
function pathsIn(members: Value | undefined): readonly (readonly [key: string, path: Value])[] {
  if (members === undefined || !members.isKnown || members.isNull) return [];
  return Array.isArray(members.content)
    ? (members.content as readonly Value[]).map((path, at) => [String(at), path])
    : [...members.entries];
}

const shrinks = (
  { path, selection, members, onLeave }: FleetDeclaration,
  { listed, held, leaving }: Members,
  construct: string | undefined,
): Diagnostic => {
  const kind = selection?.kind ?? "member";
  const missing =
    leaving === held ? `All ${counted(held, kind)}` : `${leaving} of the ${counted(held, kind)}`;
  const outcome =
    onLeave === "reset"
      ? "Steward then deletes their objects on the service."
      : "Steward then stops managing them, and keeps their settings.";
  return error({
    code: "fleet_shrinks",
    summary: listed.size === 0 ? `Fleet lists no ${kind}s` : "More than a tenth of a fleet is missing",
    detail: `The fleet ${path} lists ${counted(listed.size, kind)}. ${missing} in the state ${leaving === 1 ? "is" : "are"} missing from the list. Steward keeps the settings and the state of missing ${kind}s. Check the selection of the fleet, and the permissions of the token's user. If the ${kind}s left intentionally, add --allow-leaving ${leaving}. ${outcome}`,
    ...locate({ address: `local.${members}`, construct }),
  });
};

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

/** The id of an object's container. */
export function containerId(
  { run }: Pick<PlanGraph, "run">,
  { provider, resource: { type }, instance }: StateObject,
): string | undefined {
  return run.configured(provider)?.containerIdOf?.(type, String(instance.attributes["id"]));
}
