import type { AccessAbility, AccessPlace, AccessRule, NotCounted } from "../../framework";
import { isUnknown } from "../../schema";
import type { DeclaredEntry } from "../resources/parts/access-entries";
import { environments, foundEnvironment } from "../resources/protected-environment";
import {
  type Ability,
  administratorRules,
  approvalsOf,
  asEntries,
  type Deployments,
  entriesOf,
  type GroupMembers,
  grantOf,
  groupKey,
  isInherited,
  isSame,
  lowestLevel,
  type Protection,
} from "./environment-rules";
import type { ProjectChanges } from "./invitees";
import {
  type Access,
  ability,
  hasContent,
  MANY_MEMBERS,
  notCountedIn,
  type Person,
  ruleChange,
} from "./people";
import { NotRead } from "./reads";

/**
 * Returns the people who gain or lose the right to deploy or approve in a project. The result covers the environments
 * that the plan changes, or all environments if the plan changes members.
 */
export const environmentPlaces = (
  access: Access,
  project: ProjectChanges,
  own: Deployments,
): Promise<AccessPlace[]> =>
  placesIn(access, project, own).catch((problem: unknown) => {
    const reason = { what: "the protected environments", why: access.reasonOf(problem) };
    return [notCountedIn(project.name, [reason], project.addresses)];
  });

async function placesIn(access: Access, project: ProjectChanges, own: Deployments): Promise<AccessPlace[]> {
  const planned = plannedEnvironments(project.id, own);
  const isForAll = project.joins.length + project.invites.length > 0;
  if (planned.size === 0 && !isForAll) return [];
  const live = access.collection(project.id, environments);
  const all = isForAll ? await live.all() : undefined;
  const names = [...new Set([...(all?.keys() ?? []), ...planned.keys()])].sort();
  const counted = new ProjectAccess(access, project);
  const arriving = [...project.joins, ...project.invites].map(({ address }) => address);
  const places = await Promise.all(
    names.map(async (name) => {
      const found = all === undefined ? await live.get(name, planned.size) : all.get(name);
      const before = found && protectionOf(foundEnvironment(found));
      const plan = planned.get(name);
      const after = plan === undefined ? before : plan.after(before);
      const addresses = [...(plan?.addresses ?? []), ...arriving];
      return counted.place({ kind: "environment", name }, before, after, addresses, plan?.unknown);
    }),
  );
  if (isForAll) places.push(await counted.place(UNPROTECTED, undefined, undefined, arriving));
  return access.isWhole ? places : places.filter(hasContent);
}

/**
 * The report entry for all unprotected environments of a project. One entry is enough, because equal rules apply to
 * all unprotected environments.
 */
const UNPROTECTED = { kind: "environments", name: "not protected" };

interface PlannedEnvironment {
  after(before: Protection | undefined): Protection | undefined;
  readonly unknown: readonly NotCounted[];
  readonly addresses: readonly string[];
}

/**
 * Returns the planned changes of environments, by name. If the plan deletes an environment and creates it again, the
 * result contains the created environment.
 */
function plannedEnvironments(id: number, own: Deployments): ReadonlyMap<string, PlannedEnvironment> {
  const planned = new Map<string, PlannedEnvironment>();
  for (const { change, grant } of own) {
    const { address, before } = change;
    if (before?.container === id)
      planned.set(String(before.declared[grant.name]), {
        after: () => undefined,
        unknown: [],
        addresses: [address],
      });
  }
  for (const { change, grant } of own) {
    const { address, before: prior, after, unknown, configured, isUnchanged } = change;
    if (after?.container !== id) continue;
    const { [grant.name]: name, [grant.deploy]: deploy, [grant.approve]: approve } = after.declared;
    const addresses = [...new Set([...(planned.get(String(name))?.addresses ?? []), address])];
    if (isUnchanged) {
      planned.set(String(name), { after: (before) => before, unknown: [], addresses });
      continue;
    }
    const isNew = prior === undefined || isUnknown(after.attributes["id"]);
    planned.set(String(name), {
      addresses,
      after: (before) => ({
        deploy: asEntries(deploy),
        // A new protection has only the declared rules. An existing protection keeps its rules if the declaration
        // does not contain the attribute.
        approve: isNew || configured.has(grant.approve) ? asEntries(approve) : entriesOf(before, "approve"),
        requiredApprovals: isNew ? 0 : (before?.requiredApprovals ?? 0),
      }),
      unknown: unknown
        .filter((attribute) => attribute === grant.deploy || attribute === grant.approve)
        .map((attribute) => ({ what: address, why: `${attribute} is known only after apply` })),
    });
  }
  return planned;
}

/** Returns the rules of a live environment. */
const protectionOf = (found: ReturnType<typeof foundEnvironment>): Protection => ({
  deploy: found.deploy_access_levels,
  approve: found.approval_rules,
  requiredApprovals: found.required_approval_count,
});

/** Returns the rules of the live environments with these names, or of all live environments. */
export async function liveProtections(
  access: Access,
  project: number,
  names: readonly string[] | undefined,
): Promise<Protection[]> {
  const live = access.collection(project, environments);
  const found =
    names === undefined
      ? [...(await live.all()).values()]
      : await Promise.all(names.map((name) => live.get(name, names.length)));
  return found.flatMap((one) => (one === undefined ? [] : protectionOf(foundEnvironment(one))));
}

/**
 * Evaluates the environments of one project. The class reads the members of the project at most once, for the first
 * ability that needs the members.
 */
class ProjectAccess {
  #members: Promise<ReadonlyMap<number, Person> | undefined> | undefined;

  constructor(
    private readonly access: Access,
    private readonly project: ProjectChanges,
  ) {}

  async place(
    target: AccessPlace["target"] & object,
    before: Protection | undefined,
    after: Protection | undefined,
    changes: readonly string[],
    unknown: readonly NotCounted[] = [],
  ): Promise<AccessPlace> {
    const notCounted: NotCounted[] = [...unknown];
    const abilities: AccessAbility[] = [];
    for (const name of unknown.length > 0 ? [] : (["deploy", "approve"] as const)) {
      const isUnchanged = this.project.joins.length === 0 && isSame(before, after, name);
      if (isUnchanged && !this.access.isWhole) continue;
      const isOfJoins = this.access.people.isLimited && isSame(before, after, name);
      abilities.push(await this.#ability(name, { before, after }, isOfJoins, notCounted));
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

  async #ability(
    name: Ability,
    sides: Readonly<Record<Side, Protection | undefined>>,
    isOfJoins: boolean,
    notCounted: NotCounted[],
  ): Promise<AccessAbility> {
    const entries = [...entriesOf(sides.before, name), ...entriesOf(sides.after, name)];
    const before = await this.#groupMembers(entries, notCounted);
    const members = { before, after: await this.#withJoins(entries, before) };
    const isLevelMoved = lowestLevel(sides.before, name) !== lowestLevel(sides.after, name);
    const persons = await this.#persons(entries, members.after, { isLevelMoved, isOfJoins }, notCounted);
    const holders = (side: Side) =>
      Promise.all(
        persons.flatMap((person) => {
          const grant = grantOf(sides[side], name, person[side], members[side]);
          return grant === undefined ? [] : [this.#holder(person.after.username, grant)];
        }),
      );
    return ability(name, await holders("before"), await holders("after"));
  }

  async #holder(username: string, grant: "level" | "user" | DeclaredEntry) {
    const user = { kind: "user", name: username };
    if (typeof grant === "string") return user;
    return { ...user, note: `through group ${await this.access.people.nameOf("group", grant.group!.id)}` };
  }

  /**
   * Returns the people who may have an ability before or after the changes. The result leaves out people with custom
   * roles, who are listed as not counted.
   *
   * @param isOfJoins whether only new members can gain or lose the ability
   */
  async #persons(
    entries: readonly DeclaredEntry[],
    members: GroupMembers,
    { isLevelMoved, isOfJoins }: { readonly isLevelMoved: boolean; readonly isOfJoins: boolean },
    notCounted: NotCounted[],
  ): Promise<Readonly<Record<Side, Person>>[]> {
    const { id, joins } = this.project;
    const known = new Map<number, Person>();
    try {
      const all = await (isOfJoins ? this.#membersAmong(joins) : this.#allMembers);
      for (const person of all?.values() ?? []) known.set(person.id, person);
      if (all === undefined) {
        const concerned = [
          ...entries.flatMap(({ user }) => user?.id ?? []),
          ...[...members.values()].flatMap((ids) => [...ids]),
          ...joins.map((join) => join.id),
        ];
        const found = await Promise.all(
          [...new Set(concerned)].map((user) => this.access.people.member("project", id, user)),
        );
        for (const person of found) if (person !== undefined) known.set(person.id, person);
        if (isLevelMoved || this.access.isWhole) notCounted.push(MANY_MEMBERS);
      }
    } catch (problem) {
      notCounted.push({ what: "the project's members", why: this.access.reasonOf(problem) });
      return [];
    }
    const candidates = new Map([...known].map(([key, person]) => [key, { before: person, after: person }]));
    for (const join of joins) {
      const now = candidates.get(join.id);
      const level = Math.max(now?.after.level ?? 0, join.level);
      const joined = { ...join, customRole: join.customRole ?? now?.after.customRole, level };
      candidates.set(join.id, { before: now?.before ?? { ...joined, level: 0 }, after: joined });
    }
    return [...candidates.values()].filter(({ after: { username, customRole } }) => {
      if (customRole !== undefined)
        notCounted.push({ what: username, why: `has the custom role ${customRole}` });
      return customRole === undefined;
    });
  }

  get #allMembers(): Promise<ReadonlyMap<number, Person> | undefined> {
    this.#members ??= this.access.people.ofProject(this.project.id);
    return this.#members;
  }

  /**
   * Returns the current memberships of the users whom the plan adds as members. A user whom the plan adds may already
   * be a member, for example with a lower level.
   */
  async #membersAmong(joins: ProjectChanges["joins"]): Promise<ReadonlyMap<number, Person>> {
    const { people } = this.access;
    const found = await Promise.all(joins.map((join) => people.member("project", this.project.id, join.id)));
    return new Map(found.flatMap((person) => (person === undefined ? [] : [[person.id, person]])));
  }

  /** Reads the members of the groups that entries name. */
  async #groupMembers(entries: readonly DeclaredEntry[], notCounted: NotCounted[]): Promise<GroupMembers> {
    const groups = new Map(entries.filter(({ group }) => group !== null).map((one) => [groupKey(one), one]));
    const found = new Map<string, ReadonlySet<number>>();
    await Promise.all(
      [...groups].map(async ([key, entry]) => {
        const { id } = entry.group!;
        const note = async (why: string) =>
          notCounted.push({ what: `group ${await this.access.people.nameOf("group", id)}`, why });
        try {
          const ids = await this.access.people.idsOfGroup(id, isInherited(entry));
          found.set(key, ids ?? new Set());
          if (ids === undefined) await note("it has too many members to list");
        } catch (problem) {
          const why = this.access.reasonOf(problem);
          await note(problem instanceof NotRead ? why : `its members can't be read: ${why}`);
        }
      }),
    );
    return found;
  }

  /**
   * Returns the members of the groups, including users whom the plan invites. An invitation to a parent group adds a
   * member only for entries that cover inherited members.
   */
  async #withJoins(entries: readonly DeclaredEntry[], members: GroupMembers): Promise<GroupMembers> {
    const joins = this.project.joins.filter(({ kind }) => kind === "group");
    if (joins.length === 0) return members;
    const after = new Map(members);
    for (const entry of entries) {
      const before = members.get(groupKey(entry));
      if (entry.group === null || before === undefined) continue;
      const above = isInherited(entry)
        ? await this.access.people.chainOf(entry.group.id).catch(() => [])
        : [];
      const groups = new Set([entry.group.id, ...above.map(({ id }) => id)]);
      const joined = joins.filter(({ container }) => groups.has(container));
      after.set(groupKey(entry), new Set([...before, ...joined.map(({ id }) => id)]));
    }
    return after;
  }

  /**
   * Lists invited e-mail addresses as not counted if the invited people may gain an ability. Only the service knows
   * to whom these addresses belong.
   */
  #noteInvites(after: Protection | undefined, notCounted: NotCounted[]): void {
    const isNamedByAddress = [...entriesOf(after, "deploy"), ...entriesOf(after, "approve")].some(
      ({ access_level }) => access_level === null,
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

type Side = "before" | "after";

const stateOf = (protection: Protection | undefined): string => (protection === undefined ? "off" : "on");

const rulesOf = (before: Protection | undefined, after: Protection | undefined): AccessRule[] => [
  ...ruleChange("protection", stateOf(before), stateOf(after)),
  ...ruleChange("approvals", approvalsOf(before), approvalsOf(after)),
  ...administratorRules(before, after),
];

const distinct = (all: readonly NotCounted[]): NotCounted[] => [
  ...new Map(all.map((one) => [`${one.what} ${one.why}`, one])).values(),
];
