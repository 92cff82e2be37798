import { ApiError, type Client, type Invitation, type Member } from "../../../api";
import type { ValueObject } from "../../../schema";
import type { Collection, ContainerKind, Scope } from "../../define";
import { orNothing } from "../../failure-of";

/** What became of an invitation: an entry of the list, or a member. */
export type Standing =
  | { readonly status: "pending" | "queued" | "expired"; readonly invitation: Invitation }
  | { readonly status: "accepted"; readonly member: Membership };

/** What an invitation becomes: the fields of a member that say what was invited to, and who. */
export type Membership = Pick<Member, "id" | "username" | "access_level" | "expires_at" | "email">;

/** The operations on invitations to a project, or to a group: the same shape stands under both. */
export const operationsOn = (api: Client, kind: ContainerKind) =>
  kind === "project" ? api.projectInvitations : api.groupInvitations;

interface Invitations {
  /** Invitations that nobody accepted yet, by their address in small letters. */
  readonly open: Collection<string, Invitation>;
  /** Members with those of groups above, by their id. */
  readonly members: Collection<number, Membership, Member>;
}

const addressOf = ({ invite_email }: Invitation): string => invite_email.toLowerCase();

const collectionsFor = (kind: ContainerKind): Invitations => ({
  open: {
    name: `invitations to a ${kind}`,
    list: (api, container) => operationsOn(api, kind).list(container),
    keyOf: addressOf,
    async single(api, container, address) {
      const found = await operationsOn(api, kind).list(container, { query: address }).toArray();
      return found.find((invitation) => addressOf(invitation) === address);
    },
  },
  members: {
    name: `members of a ${kind}`,
    list: ({ members }, container) =>
      kind === "project" ? members.allOfProject(container) : members.allOfGroup(container),
    projection: ({ id, username, access_level, expires_at, email }) => ({
      id,
      username,
      access_level,
      expires_at,
      email,
    }),
    // Somebody may be listed for each way of being a member; the highest level is the one that counts.
    select: (member, _container, before) => before === undefined || before.access_level < member.access_level,
    keyOf: ({ id }) => id,
    // Who is no member yet is nothing missing; the list of invitations is looked at next.
    single: ({ members }, container, user) =>
      orNothing(kind === "project" ? members.inProject(container, user) : members.inGroup(container, user)),
  },
});

const COLLECTIONS: Readonly<Record<ContainerKind, Invitations>> = {
  project: collectionsFor("project"),
  group: collectionsFor("group"),
};

export const openInvitations = (kind: ContainerKind) => COLLECTIONS[kind].open;
export const openIn = ({ collection }: Scope, kind: ContainerKind) => collection(openInvitations(kind));
export const membersOf = ({ collection }: Scope, kind: ContainerKind) =>
  collection(COLLECTIONS[kind].members);

/** Whether a key is an e-mail address, and no user's id. */
export const isAddress = (key: string): boolean => key.includes("@");

/** Whether a timestamp, or the beginning of a day, has passed. */
export const isOver = (moment: unknown): boolean =>
  typeof moment === "string" && new Date(moment).valueOf() <= Date.now();

/** What became of an open invitation. Only the answer to inviting says for sure that somebody is queued. */
export function standingOfOpen(invitation: Invitation, known: string | null): Standing {
  if (isOver(invitation.expires_at)) return { status: "expired", invitation };
  const isTold = known === "pending" || known === "queued";
  // A queued one is of an existing user, whose name is shown.
  const status = isTold ? known : invitation.user_name === null ? "pending" : "queued";
  return { status, invitation };
}

/**
 * What became of the invitation of an address or a user; nothing where it is neither open nor of a member that can be
 * seen, `cannot tell` where it was accepted and members' addresses are hidden from this token.
 *
 * @throws ApiError
 */
export const standingOf = (
  scope: Scope,
  kind: ContainerKind,
  key: string,
  known: ValueObject | undefined,
): Promise<Standing | "cannot tell" | undefined> =>
  isAddress(key)
    ? standingOfAddress(scope, kind, key.toLowerCase(), known)
    : standingOfUser(scope, kind, Number(key), known);

async function standingOfAddress(
  scope: Scope,
  kind: ContainerKind,
  address: string,
  known: ValueObject | undefined,
): Promise<Standing | "cannot tell" | undefined> {
  const invitation = await openIn(scope, kind).get(address, scope.expected);
  if (invitation !== undefined) return standingOfOpen(invitation, statusOf(known));
  const member = await shownMember(scope, kind, address);
  if (member === "hidden") {
    if (statusOf(known) === "accepted") return "cannot tell";
    return accepted(await searchedMember(scope, kind, address));
  }
  return accepted(member);
}

/** The member of an address, as far as this token can find out. @throws ApiError */
export async function memberOfAddress(
  scope: Scope,
  kind: ContainerKind,
  address: string,
): Promise<Membership | undefined> {
  const member = await shownMember(scope, kind, address);
  return member === "hidden" ? searchedMember(scope, kind, address) : member;
}

/** The key of a person: the user's id, where a member who was read shows this address. Asks for nothing. */
export async function personBehind(scope: Scope, kind: ContainerKind, key: string): Promise<string> {
  if (!isAddress(key)) return key;
  const address = key.toLowerCase();
  const members = [...((await membersOf(scope, kind).cachedRecords)?.values() ?? [])];
  return String(members.find(({ email }) => email?.toLowerCase() === address)?.id ?? address);
}

/** The member who shows this address; `hidden` where it may be one of those that show none. */
export async function shownMember(
  scope: Scope,
  kind: ContainerKind,
  address: string,
): Promise<Membership | "hidden" | undefined> {
  const members = [...(await membersOf(scope, kind).all()).values()];
  const member = members.find(({ email }) => email?.toLowerCase() === address);
  return member ?? (members.some(({ email }) => email === null) ? "hidden" : undefined);
}

/** The member of an address, where members hide theirs: the one user that a search for it finds. */
async function searchedMember(
  scope: Scope,
  kind: ContainerKind,
  address: string,
): Promise<Membership | undefined> {
  const [user, ...others] = await usersFoundBy(scope, address);
  // Several contain the address, and which one has it is hidden.
  if (user === undefined || others.length > 0) return undefined;
  return membersOf(scope, kind).get(user, scope.expected);
}

async function standingOfUser(
  scope: Scope,
  kind: ContainerKind,
  user: number,
  known: ValueObject | undefined,
): Promise<Standing | undefined> {
  const member = await membersOf(scope, kind).get(user, scope.expected);
  if (member !== undefined) return { status: "accepted", member };
  const invitation = await openOfUser(scope, kind, user);
  return invitation && standingOfOpen(invitation, statusOf(known));
}

/** The open invitation of a user. It stands under the user's address, which is hidden: the name leads to it. */
export async function openOfUser(
  scope: Scope,
  kind: ContainerKind,
  user: number,
): Promise<Invitation | undefined> {
  const open = await openIn(scope, kind).all();
  const named = [...open.values()].filter(({ user_name }) => user_name !== null);
  if (named.length === 0) return undefined;
  const name = (await orNothing(scope.api.users.get(user)))?.name;
  const [first, ...others] = named.filter(({ user_name }) => user_name === name);
  if (first === undefined || others.length === 0) return first;
  for (const invitation of [first, ...others]) {
    if ((await usersFoundBy(scope, invitation.invite_email)).includes(user)) return invitation;
  }
  return undefined;
}

/** The ids of the users that a search for an address finds; none where this token may not search. */
export async function usersFoundBy({ api }: Scope, address: string): Promise<number[]> {
  try {
    return (await api.users.list({ search: address }).toArray()).map(({ id }) => id);
  } catch (problem) {
    if (problem instanceof ApiError && problem.status === 403) return [];
    throw problem;
  }
}

const accepted = (member: Membership | undefined): Standing | undefined =>
  member && { status: "accepted", member };

const statusOf = (known: ValueObject | undefined): string | null => {
  const status = known?.["status"];
  return typeof status === "string" ? status : null;
};
