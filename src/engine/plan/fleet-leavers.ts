import { type Diagnostic, error } from "../../diagnostics";
import type { LiveContainer } from "../../framework";
import {
  type FleetDeclaration,
  type FleetSelection,
  locate,
  type ResourceDeclaration,
  resourceAddress,
} from "../../language";
import { once } from "../../schema";
import { counted, wildcard } from "../../text";
import type { StateObject } from "../run/objects";
import type { PlanGraph } from "./plan-graph";

/** What becomes of an object that its fleet no longer declares. `keep` leaves object and state as they are. */
export interface Leaving {
  readonly action: "forget" | "delete" | "keep";
  readonly diagnostics: readonly Diagnostic[];
}

/** The members of a fleet in one run. */
interface Members {
  /** Full paths by key, as listed. */
  readonly listed: ReadonlyMap<string, string>;
  /** How many members the state holds something of, and how many of them the list lacks. */
  readonly held: number;
  readonly leaving: number;
  /** Decisions about members that the list lacks, by key. */
  readonly left: Map<string, Promise<Leaving>>;
  /** Whether so many are missing that nothing is believed. */
  readonly isShrinking: boolean;
  /** Whether the error about that is reported. */
  isReported: boolean;
}

/** The part of a fleet's members that may leave without a word. */
const TENTH = 10;

/**
 * Decides what becomes of objects that a fleet no longer declares. A list may lack a member because the token lost its role, or
 * because the service failed: such a member is looked up by its id before anything is let go.
 */
export class FleetLeavers {
  readonly #fleets = new Map<string, Members>();

  constructor(private readonly plan: PlanGraph) {}

  /** @param declaration of the object's resource, which belongs to a fleet */
  async decide(object: StateObject, declaration: ResourceDeclaration): Promise<Leaving> {
    const fleet = this.plan.run.context.configuration.fleets.get(declaration.fleet!);
    if (fleet === undefined) return { action: "forget", diagnostics: [] };
    const members = once(this.#fleets, fleet.members, () => this.#members(fleet));
    const key = memberKey(object);
    const leaves: Leaving = { action: fleet.onLeave === "reset" ? "delete" : "forget", diagnostics: [] };
    if (members.listed.has(key)) return leaves;
    if (members.isShrinking) {
      const diagnostics = members.isReported ? [] : [shrinks(fleet, members, declaration)];
      members.isReported = true;
      return { action: "keep", diagnostics };
    }
    const decided = members.left.get(key);
    if (decided !== undefined) return { ...(await decided), diagnostics: [] };
    const { selection } = fleet;
    const decision =
      selection === undefined
        ? Promise.resolve(leaves)
        : this.#lookUp(key, selection, object, declaration).then(
            (problems): Leaving =>
              problems === undefined ? leaves : { action: "keep", diagnostics: problems },
          );
    members.left.set(key, decision);
    return decision;
  }

  #members(fleet: FleetDeclaration): Members {
    const value = this.plan.run.evaluation.get(`local.${fleet.members}`);
    const entries = value === undefined || !value.isKnown || value.isNull ? [] : [...value.entries];
    const listed = new Map(entries.map(([key, path]) => [key, String(path.content)]));
    const held = this.#held(fleet);
    const leaving = [...held].filter((key) => !listed.has(key)).length;
    const isAllowed = leaving <= (this.plan.run.context.allowLeaving ?? 0);
    return {
      listed,
      held: held.size,
      leaving,
      left: new Map(),
      isShrinking: !isAllowed && (listed.size === 0 || leaving * TENTH > held.size),
      isReported: false,
    };
  }

  /** The keys of the members that the state holds something of. */
  #held({ members }: FleetDeclaration): ReadonlySet<string> {
    const { resources } = this.plan.run.context.configuration;
    const { current } = this.plan.objects;
    const own = [...current.values()].filter(
      ([object]) =>
        object !== undefined && resources.get(resourceAddress(object.resource))?.fleet === members,
    );
    return new Set(own.flat().map(memberKey));
  }

  /** Looks up a member that the list lacks; returns why it is kept. */
  async #lookUp(
    id: string,
    selection: FleetSelection,
    { provider, address }: StateObject,
    declaration: ResourceDeclaration,
  ): Promise<readonly Diagnostic[] | undefined> {
    const place = locate({ address, construct: declaration.construct });
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
        detail:
          `The list of the ${within.kind} ${holder} lacks ${member.path}, which can be read by its id and which the selection ` +
          "covers. Its settings are kept. Plan again; if it stays so, check the role of the token's user in what is listed.",
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

const shrinks = (
  { path, selection, members }: FleetDeclaration,
  { listed, held, leaving }: Members,
  { construct }: ResourceDeclaration,
): Diagnostic =>
  error({
    code: "fleet_shrinks",
    summary: listed.size === 0 ? "The list of a fleet is empty" : "More than a tenth of a fleet leaves",
    detail:
      `${path} lists ${counted(listed.size, selection?.kind ?? "member")}, and ${leaving} of the ${held} that the state ` +
      "holds are missing from it. Their settings are kept. Check the selection, and what the token's user can see. If they have " +
      `left, plan with --allow-leaving ${leaving}.`,
    ...locate({ address: `local.${members}`, construct }),
  });

/** The key of an object's member: instances of a fleet have `<key>` or `<key>:<name>`. */
const memberKey = ({ instance }: StateObject): string => String(instance.indexKey).split(":")[0]!;

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
