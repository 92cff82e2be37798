import type { Client, Member, User } from "../../api";
import type {
  AccessAbility,
  AccessAheadScope,
  AccessHolder,
  AccessPlace,
  AccessRule,
  NotCounted,
} from "../../framework";
import { once } from "../../schema";
import { ACCESS_LEVELS, type Collection, type ContainerKind } from "../define";
import { INVITATION_LISTS, type Membership } from "../resources/parts/invitation-status";
import { NotRead, type Reads } from "./reads";

/** The reads of a report, and the people that the report has read. */
export interface Access extends Reads {
  readonly people: People;
}

/**
 * The maximum number of pages of a list of members. If a list has more pages, the report looks up each affected
 * person separately.
 */
const MAX_PAGES = 20;

/**
 * The note about members that the report does not read. The list of members has too many pages, or it has several
 * pages and the service returns no total.
 */
export const MANY_MEMBERS: NotCounted = {
  what: "members by level",
  why: "the list of members has more than 20 pages, or the service does not return its length",
};

/** A member of a project or group. */
export interface Person {
  readonly id: number;
  readonly username: string;
  /** The person's highest level: direct, inherited, or through a shared group. */
  readonly level: number;
  /** False for blocked and deactivated users, who can do nothing. */
  readonly isActive: boolean;
  /** The name of the membership's custom role, which may allow more than the membership's level. */
  readonly customRole: string | undefined;
}

/** A group and its parent groups. The group itself comes first. */
export type GroupChain = readonly Awaited<ReturnType<Client["groups"]["get"]>>[];

/** Caches groups and users for all parts of a report. */
export class SharedPeople {
  readonly groups = new Map<number, Promise<GroupChain[number]>>();
  readonly users = new Map<number, Promise<User>>();
  /**
   * The direct members of groups, by group id. A failed read is cached too, because many entries of the report name
   * the same group.
   */
  readonly members = new Map<number, Promise<readonly number[] | undefined>>();

  /**
   * @param scope sends the reads of groups and users. All projects share these reads, because many projects name
   * the same group.
   * @param listed the groups whose members a report with a request limit may read; undefined for all groups
   */
  constructor(
    readonly scope: Reads,
    readonly listed?: ReadonlySet<number>,
  ) {}
}

/** The members of projects and groups. Each list is read once per run. */
export class People {
  constructor(
    private readonly scope: Reads,
    private readonly shared = new SharedPeople(scope),
  ) {}

  /** Whether the report has a limit for requests. A report with a limit does not read parent groups and shares. */
  get isLimited(): boolean {
    return this.shared.listed !== undefined;
  }

  /**
   * Returns all members of a project by user id, including inherited members. Returns undefined if the list has more
   * than 20 pages.
   *
   * @throws the client's errors; all methods of this class throw them
   */
  async ofProject(project: number): Promise<ReadonlyMap<number, Person> | undefined> {
    const members = await this.scope
      .collection(project, INVITATION_LISTS.project.members)
      .allWithin(MAX_PAGES);
    return members && new Map([...members].map(([id, member]) => [id, toPerson(member)]));
  }

  /** Returns one direct or inherited member of a project or group; undefined if the user is not a member. */
  async member(kind: ContainerKind, container: number, user: number): Promise<Person | undefined> {
    const member = await this.scope
      .collection(container, INVITATION_LISTS[kind].members)
      .get(user, undefined);
    return member && toPerson(member);
  }

  /**
   * Returns the ids of a group's direct members. With `isInherited`, the result also contains the members of the parent
   * groups. The result is undefined if a list has more than 20 pages.
   */
  async idsOfGroup(group: number, isInherited: boolean): Promise<ReadonlySet<number> | undefined> {
    const { listed } = this.shared;
    if (listed !== undefined && (isInherited || !listed.has(group))) throw new NotRead();
    const groups = isInherited ? (await this.chainOf(group)).map(({ id }) => id) : [group];
    const lists = await Promise.all(groups.map((id) => this.#direct(id)));
    return lists.includes(undefined) ? undefined : new Set(lists.flatMap((ids) => ids ?? []));
  }

  /** Returns the ids of a group's direct members; undefined if the list has too many pages. */
  #direct(group: number): Promise<readonly number[] | undefined> {
    const { scope, listed, members } = this.shared;
    return once(members, group, async () => {
      const list = await scope.collection(group, directMembers).allWithin(listed ? 1 : MAX_PAGES);
      return list && [...list.values()].flatMap(({ id, access_level }) => (access_level > 0 ? [id] : []));
    });
  }

  /** Returns a group and its parent groups. A report with a request limit does not read the parent groups. */
  async chainOf(group: number): Promise<GroupChain> {
    if (this.isLimited) throw new NotRead();
    const found = await this.#group(group);
    return found.parent_id === null ? [found] : [found, ...(await this.chainOf(found.parent_id))];
  }

  /** Returns the full path of a project or group, or its id if the token can't see it. */
  async nameOf(kind: ContainerKind, id: number): Promise<string> {
    try {
      const known = kind === "group" ? await this.shared.groups.get(id) : undefined;
      return known?.full_path ?? (await this.scope.nameOf(kind, id));
    } catch (problem) {
      // If the look-up of the name fails, the report shows the id. `reasonOf` rethrows internal errors.
      this.scope.reasonOf(problem);
      return String(id);
    }
  }

  user(id: number): Promise<User> {
    return once(this.shared.users, id, () => this.scope.ask(() => this.scope.api.users.get(id)));
  }

  #group(id: number): Promise<GroupChain[number]> {
    return once(this.shared.groups, id, () => this.scope.ask(() => this.scope.api.groups.get(id)));
  }
}

/** Starts to read all members of a project, if the list of members has at most as many pages as a report may read. */
export const readMembersAhead = (
  { collection, maxReads }: AccessAheadScope<Client>,
  project: number,
): Promise<unknown> =>
  collection(project, INVITATION_LISTS.project.members).allWithin(maxReads === undefined ? MAX_PAGES : 1);

/** The direct members of a group. */
const directMembers: Collection<number, Pick<Member, "id" | "access_level">, Member> = {
  name: "direct members of a group",
  list: (api, group) => api.members.ofGroup(group),
  projection: ({ id, access_level }) => ({ id, access_level }),
  keyOf: ({ id }) => id,
};

const toPerson = ({ id, username, access_level, state, member_role }: Membership): Person => ({
  id,
  username,
  level: access_level,
  // Some services do not return the state. Such services list only active members, so a missing state means active.
  isActive: state === null || state === "active",
  customRole: member_role === null ? undefined : (member_role.name ?? "custom"),
});

/** Returns an ability with the people who gain or lose this ability. The lists `before` and `after` may be in any order. */
export function ability(
  name: string,
  before: readonly AccessHolder[],
  after: readonly AccessHolder[],
): AccessAbility {
  const [keysBefore, keysAfter] = [before, after].map((holders) => new Set(holders.map(keyOf)));
  return {
    name,
    before: sorted(before),
    after: sorted(after),
    gains: sorted(after.filter((holder) => !keysBefore!.has(keyOf(holder)))),
    loses: sorted(before.filter((holder) => !keysAfter!.has(keyOf(holder)))),
  };
}

const keyOf = ({ kind, name }: AccessHolder): string => `${kind} ${name}`;

const sorted = (holders: readonly AccessHolder[]): AccessHolder[] =>
  [...holders].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));

/** Returns the result of a read. If the read fails, adds `what` to `notCounted` and returns undefined. */
export const orNotCounted = <T>(
  { reasonOf }: Pick<Reads, "reasonOf">,
  notCounted: NotCounted[],
  what: string,
  reading: Promise<T>,
): Promise<T | undefined> =>
  reading.catch((problem: unknown) => {
    notCounted.push({ what, why: reasonOf(problem) });
    return undefined;
  });

/** Returns a report entry of a project that only lists what the report could not evaluate. */
export const notCountedIn = (
  project: string,
  notCounted: readonly NotCounted[],
  changes?: readonly string[],
): AccessPlace => ({
  container: { kind: "project", name: project },
  abilities: [],
  rules: [],
  notCounted,
  ...(changes && { changes }),
});

/** Returns a list that contains the rule if the rule's value changes, and is empty otherwise. */
export const ruleChange = <T extends string | number>(name: string, before: T, after: T): AccessRule[] =>
  before === after ? [] : [{ name, before, after }];

/** Returns whether an entry of the report lists an ability, a rule or something not counted. */
export const hasContent = ({ abilities, rules, notCounted }: AccessPlace): boolean =>
  rules.length + notCounted.length > 0 ||
  abilities.some(({ gains, loses }) => gains.length + loses.length > 0);

/** Returns the name of a level, such as `Developer`. */
export const levelName = (level: number): string =>
  ACCESS_LEVELS.members.find(({ value }) => value === level)?.title ?? `level ${level}`;
