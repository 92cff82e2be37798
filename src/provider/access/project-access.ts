import type { AccessAbility, AccessChange, AccessPlace, AccessRule, NotCounted } from "../../framework";
import {
  type Ability,
  administratorRules,
  approvalsOf,
  type Entry,
  type GroupMembers,
  grantOf,
  groupKey,
  isSame,
  lowestLevel,
  type Protection,
} from "./environment-rules";
import type { Invite, Join } from "./invitees";
import { type AccessScope, ability, type People, type Person } from "./people";

/** What changes in one project. */
export interface ProjectChanges {
  readonly id: number;
  /** The name in the report. */
  readonly name: string;
  /** The planned changes of this project's own objects. */
  readonly changes: readonly AccessChange[];
  /** Users who become members, with the level that they have here by that. */
  readonly joins: readonly Join[];
  readonly invites: readonly Invite[];
}

interface Sides {
  readonly before: Protection | undefined;
  readonly after: Protection | undefined;
  readonly unknown: readonly NotCounted[];
  readonly changes?: readonly string[];
}

/** Evaluates the environments of one project. Members are read when the first ability changes. */
export class ProjectAccess {
  constructor(
    private readonly scope: AccessScope,
    private readonly people: People,
    private readonly project: ProjectChanges,
  ) {}

  async place(
    target: AccessPlace["target"] & object,
    { before, after, unknown, changes = [] }: Sides,
  ): Promise<AccessPlace> {
    const notCounted: NotCounted[] = [...unknown];
    const abilities: AccessAbility[] = [];
    const sides = { before, after, unknown };
    for (const name of unknown.length > 0 ? [] : (["deploy", "approve"] as const)) {
      const isUnchanged = this.project.joins.length === 0 && isSame(before, after, name);
      if (isUnchanged && !this.scope.isWhole) continue;
      abilities.push(await this.#ability(name, sides, notCounted));
    }
    this.#noteInvites(after, notCounted);
    return {
      container: { kind: "project", name: this.project.name },
      target,
      abilities,
      rules: unknown.length > 0 ? [] : rulesOf(before, after),
      notCounted: distinct(notCounted),
      changes,
    };
  }

  async #ability(name: Ability, { before, after }: Sides, notCounted: NotCounted[]): Promise<AccessAbility> {
    const entries = [...(before?.[name] ?? []), ...(after?.[name] ?? [])];
    const members = await this.#groupMembers(entries, notCounted);
    const sets = { before: members, after: this.#withJoins(entries, members, await this.#chains(entries)) };
    const persons = await this.#persons(
      name,
      { before, after, unknown: [] },
      entries,
      sets.after,
      notCounted,
    );
    const holders = (side: "before" | "after", protection: Protection | undefined) =>
      Promise.all(
        persons.flatMap((person) => {
          const grant = grantOf(protection, name, person[side], sets[side]);
          return grant === undefined ? [] : [this.#holder(person.username, grant)];
        }),
      );
    return ability(name, await holders("before", before), await holders("after", after));
  }

  async #holder(username: string, grant: "level" | "user" | Entry) {
    const user = { kind: "user", name: username };
    if (typeof grant === "string") return user;
    return { ...user, note: `through group ${await this.people.nameOfGroup(grant.group!)}` };
  }

  /** The people who may have an ability before or after. Custom roles are reported and left out. */
  async #persons(
    name: Ability,
    { before, after }: Sides,
    entries: readonly Entry[],
    members: GroupMembers,
    notCounted: NotCounted[],
  ): Promise<Candidate[]> {
    const { id, joins } = this.project;
    const known = new Map<number, Person>();
    try {
      const all = await this.people.ofProject(id);
      for (const person of all?.values() ?? []) known.set(person.id, person);
      if (all === undefined) {
        const concerned = [
          ...entries.flatMap(({ user }) => (user === null ? [] : [user])),
          ...[...members.values()].flatMap((ids) => [...ids]),
          ...joins.map((join) => join.id),
        ];
        const found = await Promise.all(
          [...new Set(concerned)].map((user) => this.people.inProject(id, user)),
        );
        for (const person of found) if (person !== undefined) known.set(person.id, person);
        if (lowestLevel(before, name) !== lowestLevel(after, name)) notCounted.push(MANY_MEMBERS);
      }
    } catch (problem) {
      notCounted.push({ what: "the project's members", why: this.scope.reasonOf(problem) });
      return [];
    }
    const candidates = new Map([...known].map(([key, person]) => [key, { before: person, after: person }]));
    for (const join of joins) {
      const now = candidates.get(join.id);
      const level = Math.max(now?.after.level ?? 0, join.level);
      const joined = { ...join, customRole: join.customRole ?? now?.after.customRole, level };
      candidates.set(join.id, { before: now?.before ?? { ...joined, level: 0 }, after: joined });
    }
    return [...candidates.values()].flatMap(({ before: prior, after: next }) => {
      const { username, customRole } = next;
      if (customRole === undefined) return [{ username, before: prior, after: next }];
      notCounted.push({ what: username, why: `has the custom role ${customRole}` });
      return [];
    });
  }

  /** The members of the groups that entries name. */
  async #groupMembers(
    entries: readonly Entry[],
    notCounted: NotCounted[],
  ): Promise<Map<string, ReadonlySet<number>>> {
    const groups = new Map(entries.filter(({ group }) => group !== null).map((one) => [groupKey(one), one]));
    const found = new Map<string, ReadonlySet<number>>();
    await Promise.all(
      [...groups].map(async ([key, { group, isInherited }]) => {
        try {
          const ids = await this.people.idsOfGroup(group!, isInherited);
          found.set(key, ids ?? new Set());
          if (ids === undefined)
            notCounted.push({
              what: `group ${await this.people.nameOfGroup(group!)}`,
              why: "it has too many members to list",
            });
        } catch (problem) {
          notCounted.push({
            what: `group ${await this.people.nameOfGroup(group!)}`,
            why: `its members can't be read: ${this.scope.reasonOf(problem)}`,
          });
        }
      }),
    );
    return found;
  }

  /** For entries that count inherited members: the ids of the group and of the groups above it, if they are readable. */
  async #chains(entries: readonly Entry[]): Promise<ReadonlyMap<string, readonly number[]>> {
    const chains = new Map<string, readonly number[]>();
    if (!this.project.joins.some(({ kind }) => kind === "group")) return chains;
    for (const entry of entries) {
      if (entry.group === null) continue;
      const above = entry.isInherited ? await this.people.chainOf(entry.group).catch(() => []) : [];
      chains.set(groupKey(entry), [entry.group, ...above.map(({ id }) => id)]);
    }
    return chains;
  }

  #withJoins(
    entries: readonly Entry[],
    members: ReadonlyMap<string, ReadonlySet<number>>,
    chains: ReadonlyMap<string, readonly number[]>,
  ): GroupMembers {
    const joins = this.project.joins.filter(({ kind }) => kind === "group");
    if (joins.length === 0) return members;
    const after = new Map(members);
    for (const key of new Set(entries.filter(({ group }) => group !== null).map(groupKey))) {
      const joined = joins.filter(({ container }) => chains.get(key)?.includes(container) === true);
      if (members.has(key)) after.set(key, new Set([...members.get(key)!, ...joined.map(({ id }) => id)]));
    }
    return after;
  }

  /** Invited addresses that may gain something: only the service knows whose they are. */
  #noteInvites(after: Protection | undefined, notCounted: NotCounted[]): void {
    const isNamedByAddress = [...(after?.deploy ?? []), ...(after?.approve ?? [])].some(
      ({ level }) => level === null,
    );
    const lowest = Math.min(lowestLevel(after, "deploy"), lowestLevel(after, "approve"));
    for (const { email, level } of this.project.invites)
      if (isNamedByAddress || level >= lowest)
        notCounted.push({
          what: email,
          why: "is invited by e-mail, and the token can't see whose address it is",
        });
  }
}

interface Candidate {
  readonly username: string;
  readonly before: Person;
  readonly after: Person;
}

const MANY_MEMBERS: NotCounted = {
  what: "members by level",
  why: "the project has more than 2,000 members",
};

function rulesOf(before: Protection | undefined, after: Protection | undefined): AccessRule[] {
  const [approvalsBefore, approvalsAfter] = [approvalsOf(before), approvalsOf(after)];
  const stateOf = (side: Protection | undefined) => (side === undefined ? "off" : "on");
  return [
    ...((before === undefined) === (after === undefined)
      ? []
      : [{ name: "protection", before: stateOf(before), after: stateOf(after) }]),
    ...(approvalsBefore === approvalsAfter
      ? []
      : [{ name: "approvals", before: approvalsBefore, after: approvalsAfter }]),
    ...administratorRules(before, after),
  ];
}

const distinct = (all: readonly NotCounted[]): NotCounted[] => [
  ...new Map(all.map((one) => [`${one.what} ${one.why}`, one])).values(),
];
