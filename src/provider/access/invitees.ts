import type { AccessChange, AccessHolder, AccessPlace, NotCounted } from "../../framework";
import type { Reference } from "../../schema";
import type { Granting } from "../access-declaration";
import type { ContainerKind } from "../define";
import { INVITATION_LISTS } from "../resources/parts/invitation-status";
import { type Access, ability, type GroupChain, hasContent, levelName, type People } from "./people";
import { NotRead } from "./reads";

/** A user who becomes a member through an invitation of the plan. */
export interface Join {
  readonly kind: ContainerKind;
  readonly container: number;
  readonly id: number;
  readonly username: string;
  readonly isActive: boolean;
  readonly level: number;
  readonly customRole: string | undefined;
  /** The address of the invitation in the code or the state, not an e-mail address. */
  readonly address: string;
}

/** An invitation by e-mail. The person becomes a member after accepting, or at once if the address has an account. */
export interface Invite {
  readonly kind: ContainerKind;
  readonly container: number;
  readonly email: string;
  readonly level: number;
  /** The address of the invitation in the code or the state, not an e-mail address. */
  readonly address: string;
}

/** A pending invitation by e-mail whose level changes. A change of the level does not make the person a member. */
interface Relevel extends Invite {
  readonly from: number;
}

/** The effect of the plan's invitations on memberships. */
export interface Invitees {
  readonly joins: readonly Join[];
  readonly invites: readonly Invite[];
  readonly relevels: readonly Relevel[];
  readonly notCounted: readonly NotCounted[];
}

/** The changes of one project. */
export interface ProjectChanges {
  readonly id: number;
  /** The path of the project, or its id if the path is not known. */
  readonly name: string;
  /** The addresses of the planned changes of this project's own objects. */
  readonly addresses: readonly string[];
  /** The users who become members through the plan, with their level in this project. */
  readonly joins: readonly Join[];
  readonly invites: readonly Invite[];
}

interface Terms {
  readonly email: string | null;
  readonly user: Reference | null;
  readonly level: number;
  readonly customRole: number | null;
  readonly status: unknown;
}

const termsOf = (
  { declared, attributes }: NonNullable<AccessChange["after"]>,
  { grant }: Granting<"membership">,
): Terms => ({
  email: (declared[grant.email] ?? null) as Terms["email"],
  user: (declared[grant.user] ?? null) as Terms["user"],
  level: declared[grant.level] as number,
  customRole: (declared[grant.customRole] ?? null) as Terms["customRole"],
  status: attributes[grant.status],
});

/**
 * Returns the effect of the plan's invitations. If an invitation names a user by id, the function reads this user.
 *
 * @param accessIn returns the reads that the report may send for a project or group
 */
export async function inviteesOf(
  accessIn: (kind: ContainerKind, id: number) => Access,
  own: readonly Granting<"membership">[],
): Promise<Invitees> {
  const found = await Promise.all(
    own.map(async (one): Promise<Partial<Invitees>> => {
      const { definition, address, before, after } = one.change;
      const access = accessIn(definition.container as ContainerKind, (after ?? before)!.container);
      return inviteeOf(access, one).catch((problem: unknown) => ({
        notCounted: [{ what: address, why: access.reasonOf(problem) }],
      }));
    }),
  );
  return {
    joins: found.flatMap(({ joins = [] }) => joins.filter(({ level }) => level > 0)),
    invites: found.flatMap(({ invites = [] }) => invites.filter(({ level }) => level > 0)),
    relevels: found.flatMap(({ relevels = [] }) => relevels.filter(({ from, level }) => from !== level)),
    notCounted: found.flatMap(({ notCounted = [] }) => notCounted),
  };
}

/** @throws the client's errors */
async function inviteeOf(access: Access, own: Granting<"membership">): Promise<Partial<Invitees>> {
  const { change, grant } = own;
  const { address, before, after } = change;
  // Destroying an invitation does not end a membership, so the report contains nothing about it.
  if (after === undefined) return {};
  const names = [change.definition.container, grant.email, grant.user, grant.level, grant.customRole];
  const unknown = change.unknown.find((name) => names.includes(name));
  if (unknown !== undefined)
    return { notCounted: [{ what: address, why: `its ${unknown} is known only after apply` }] };
  const kind = change.definition.container as ContainerKind;
  const prior = before && termsOf(before, own);
  const { email, user, level, customRole: role } = termsOf(after, own);
  const { container } = after;
  if (email !== null) {
    // If the invitation was accepted, the person is in the list of members, and the report takes the person from
    // there.
    if (access.isWhole && prior?.status === "accepted") return {};
    const invite = { kind, container, email, level, address };
    if (!isKept(own)) return { invites: [invite] };
    if (change.isUnchanged) return {};
    // The live invitation is read, because the state may be older.
    const pending = await access.collection(container, INVITATION_LISTS[kind].open).get(email, 1);
    return pending === undefined
      ? { invites: [invite] }
      : { relevels: [{ ...invite, from: pending.access_level }] };
  }
  // A change of a queued invitation gives no access, because an administrator still has to approve the invitation.
  if (prior !== undefined && prior.status !== "expired") return {};
  const { id, username, state } = await access.people.user(user!.id);
  const isActive = state === null || state === "active";
  const customRole = role === null ? undefined : String(role);
  return { joins: [{ kind, container, id, username, isActive, level, customRole, address }] };
}

/** Returns whether the change updates the existing invitation instead of sending a new invitation. */
function isKept(own: Granting<"membership">): boolean {
  const { before, after } = own.change;
  if (before === undefined || before.container !== after?.container) return false;
  const [prior, next] = [termsOf(before, own), termsOf(after, own)];
  return prior.email === next.email && prior.status !== "expired";
}

/**
 * A function that converts the level of a membership in `group` to the level in one project or group; 0 for no access.
 */
export type Reach = (group: number, level: number) => number;

/**
 * Returns the function that calculates the level of a group's members in a project or group. Members of the parent
 * groups have access, and so do members of groups with which this container or a parent group is shared.
 *
 * @throws the client's errors
 */
export async function reachOf(
  { api, ask, people }: Access,
  { kind, id }: { readonly kind: ContainerKind; readonly id: number },
): Promise<Reach> {
  if (people.isLimited) throw new NotRead();
  if (kind === "group") return reachBy(people, await people.chainOf(id), []);
  const { namespace, shared_with_groups } = await ask(() => api.projects.get(id));
  const isInGroup = namespace !== null && namespace.kind !== "user";
  return reachBy(people, isInGroup ? await people.chainOf(namespace.id) : [], shared_with_groups);
}

async function reachBy(
  people: People,
  above: GroupChain,
  ownShares: GroupChain[number]["shared_with_groups"],
): Promise<Reach> {
  const shares = [...ownShares, ...above.flatMap((group) => group.shared_with_groups)];
  const active = shares.filter(({ expires_at }) => expires_at === null || !hasPassed(expires_at));
  const shared = await Promise.all(
    active.map(async ({ group_id, group_access_level }) => ({
      limit: group_access_level,
      groups: (await people.chainOf(group_id)).map(({ id }) => id),
    })),
  );
  const direct = new Set(above.map(({ id }) => id));
  return (group, level) =>
    Math.max(
      direct.has(group) ? level : 0,
      ...shared.map(({ limit, groups }) => (groups.includes(group) ? Math.min(limit, level) : 0)),
    );
}

/** Returns whether a share has ended. A membership or share ends at 00:00 UTC of its expiry day. */
const hasPassed = (day: string): boolean => new Date(day.slice(0, 10)).valueOf() <= Date.now();

/** Returns the new members of a project or group, and the pending invitations whose level changes. */
export async function membershipPlace(
  access: Access,
  container: { readonly kind: ContainerKind; readonly id: number; readonly name: string },
  { joins, invites, relevels }: Omit<Invitees, "notCounted">,
): Promise<AccessPlace[]> {
  const { people } = access;
  const { kind, id, name } = container;
  const notCounted: NotCounted[] = [];
  const [before, after]: [AccessHolder[], AccessHolder[]] = [[], []];
  for (const { id: user, username, level, customRole, isActive } of joins) {
    try {
      const member = await people.member(kind, id, user);
      const holder = { kind: "user", name: username };
      if (!isActive) notCounted.push({ what: username, why: "is blocked" });
      else if (customRole !== undefined)
        notCounted.push({ what: username, why: `gets the custom role ${customRole}` });
      else if (member === undefined || member.level === 0)
        after.push({ ...holder, note: `as ${levelName(level)}` });
      else if (member.level < level)
        after.push({ ...holder, note: `as ${levelName(level)} instead of ${levelName(member.level)}` });
      else if (access.isWhole) for (const side of [before, after]) side.push(holder);
    } catch (problem) {
      notCounted.push({ what: username, why: access.reasonOf(problem) });
    }
  }
  for (const { email, level } of invites)
    after.push({ kind: "email", name: email, note: `as ${levelName(level)} once accepted` });
  if (kind === "group" && joins.length > 0)
    notCounted.push({
      what: `projects of ${name} without a change in this plan`,
      why: "their environments are not read, and the memberships are inherited there",
    });
  const rules = relevels.map(({ email, from, level }) => ({
    name: `invitation of ${email}`,
    before: levelName(from),
    after: levelName(level),
  }));
  const abilities = [ability("membership", before, after)];
  const changes = [...joins, ...invites, ...relevels].map(({ address }) => address);
  const place = { container: { kind, name }, abilities, rules, notCounted, changes };
  return access.isWhole || hasContent(place) ? [place] : [];
}
