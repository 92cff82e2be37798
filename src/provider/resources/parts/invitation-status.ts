import { ApiError, type Client, type Invitation, type Member } from "../../../api";
import { DiagnosticError, error } from "../../../diagnostics";
import type { Live } from "../../../framework";
import type { ValueObject } from "../../../schema";
import type { Collection, ContainerKind, Scope } from "../../define";
import { orNothing } from "../../failure-of";

/** The status of an invitation, with the pending invitation or, if the person accepted, with the member. */
export type InvitationStatus =
  | { readonly status: "pending" | "queued" | "expired"; readonly invitation: Invitation }
  | { readonly status: "accepted"; readonly member: Membership };

/** The fields of a member that identify the person or can differ from the invitation. */
export type Membership = Pick<
  Member,
  "id" | "username" | "access_level" | "expires_at" | "email" | "state" | "member_role"
>;

/**
 * Returns the API's operations on invitations to a project, or to a group. The operations for projects and for
 * groups have the same methods.
 */
export const operationsOn = (api: Client, kind: ContainerKind) =>
  kind === "project" ? api.projectInvitations : api.groupInvitations;

interface Invitations {
  /**
   * The pending invitations, by their exact e-mail address: the service distinguishes upper and lower case in these
   * addresses.
   */
  readonly open: Collection<string, Invitation>;
  /** The members, including inherited members, by user id. */
  readonly members: Collection<number, Membership, Member>;
}

const addressOf = ({ invite_email }: Invitation): string => invite_email;

/** Returns whether two e-mail addresses differ at most in upper and lower case. */
export const isAlike = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const collectionsFor = (kind: ContainerKind): Invitations => ({
  open: {
    name: `invitations to a ${kind}`,
    list: (api, container) => operationsOn(api, kind).list(container),
    keyOf: addressOf,
    isSingleFiltered: true,
    async single(api, container, address) {
      const found = await operationsOn(api, kind).list(container, { query: address }).toArray();
      return found.find((invitation) => addressOf(invitation) === address);
    },
  },
  members: {
    name: `members of a ${kind}`,
    list: ({ members }, container) =>
      kind === "project" ? members.allOfProject(container) : members.allOfGroup(container),
    projection: ({ id, username, access_level, expires_at, email, state, member_role }) => ({
      id,
      username,
      access_level,
      expires_at,
      email,
      state,
      member_role,
    }),
    // The list may contain a user several times, once for each direct or inherited membership. The record with the
    // highest level is kept.
    isMember: (member, _container, before) =>
      before === undefined || before.access_level < member.access_level,
    keyOf: ({ id }) => id,
    // A missing member is not an error, because callers then read the list of invitations.
    single: ({ members }, container, user) =>
      orNothing(kind === "project" ? members.inProject(container, user) : members.inGroup(container, user)),
  },
});

export const INVITATION_LISTS: Readonly<Record<ContainerKind, Invitations>> = {
  project: collectionsFor("project"),
  group: collectionsFor("group"),
};

/** A project or group, with its invitations and members. */
export interface InvitationContainer extends Scope {
  readonly kind: ContainerKind;
  /** The name in messages, such as `project acme/web`. */
  readonly name: string;
  readonly invitations: ReturnType<typeof operationsOn>;
  readonly pending: Live<string, Invitation>;
  readonly members: Live<number, Membership, Member>;
}

export const placeOf = (scope: Scope, kind: ContainerKind): InvitationContainer => ({
  ...scope,
  kind,
  name: `${kind} ${scope.name}`,
  // The members are getters, so that they run only on use: without a connection, a plan of an object must not use the
  // client.
  get invitations() {
    return operationsOn(scope.api, kind);
  },
  get pending() {
    return scope.collection(INVITATION_LISTS[kind].open);
  },
  get members() {
    return scope.collection(INVITATION_LISTS[kind].members);
  },
});

/** Returns whether a key is an e-mail address. A key that is not an address is the id of a user. */
export const isAddress = (key: string): boolean => key.includes("@");

/** Returns whether a moment is in the past. A day means its start in UTC. */
export const isOver = (moment: unknown): boolean =>
  typeof moment === "string" && new Date(moment).valueOf() <= Date.now();

/**
 * Returns the status of a listed invitation. `known` is the status from the response to the create, or from the
 * state. This known status has priority, because the list does not reliably show whether an invitation is queued.
 */
export function statusOfPending(invitation: Invitation, known: string | null): InvitationStatus {
  if (isOver(invitation.expires_at)) return { status: "expired", invitation };
  const isStated = known === "pending" || known === "queued";
  // Without a known status, the name decides. The service returns a name only for an existing user. If the invitation
  // of such a user is still in the list, the status of the invitation is `queued`: the invitation waits for an
  // administrator.
  const statusOfRecord = invitation.user_name === null ? "pending" : "queued";
  const status = isStated ? known : statusOfRecord;
  return { status, invitation };
}

/**
 * Returns the status of the invitation of an e-mail address or a user. The status is undefined if there is neither a
 * pending invitation nor a visible member. The status is `hidden` if the person has accepted, and this token can't see
 * the addresses of members.
 *
 * @throws ApiError
 */
export const readStatus = (
  place: InvitationContainer,
  key: string,
  known: ValueObject | undefined,
): Promise<InvitationStatus | "hidden" | undefined> =>
  isAddress(key) ? readStatusOfAddress(place, key, known) : readStatusOfUser(place, Number(key), known);

async function readStatusOfAddress(
  place: InvitationContainer,
  address: string,
  known: ValueObject | undefined,
): Promise<InvitationStatus | "hidden" | undefined> {
  const invitation =
    (await place.pending.get(address, place.expected)) ?? (await pendingOfOldId(place, address, known));
  if (invitation !== undefined) return statusOfPending(invitation, knownStatus(known));
  const member = await shownMember(place, address);
  if (member === "hidden" && knownStatus(known) === "accepted") return "hidden";
  return accepted(member === "hidden" ? await searchedMember(place, address) : member);
}

/**
 * Returns the pending invitation for an id in lower case, as earlier releases of Steward wrote it; undefined if
 * there is none. The result is the invitation with the address in the state. Otherwise, the result is the only
 * invitation whose address differs from the state only in case.
 * @throws DiagnosticError if there are several
 */
async function pendingOfOldId(
  place: InvitationContainer,
  address: string,
  known: ValueObject | undefined,
): Promise<Invitation | undefined> {
  const email = known?.["email"];
  if (typeof email !== "string" || address !== address.toLowerCase()) return undefined;
  const isRespelled = email !== address && isAlike(email, address);
  // The list does not contain accepted invitations, so an invitation with a similar address in the list is another
  // invitation.
  if (!isRespelled && knownStatus(known) === "accepted") return undefined;
  const all = [...(await place.pending.all()).values()];
  const alike = all.filter(({ invite_email }) => isAlike(invite_email, address));
  const own = alike.find(({ invite_email }) => invite_email === email);
  if (own !== undefined || alike.length === 0) return own;
  const invitedAt = known?.["invited_at"];
  if (alike.length === 1) {
    // If the creation time differs from the state, the pending invitation is another invitation.
    const isSame = typeof invitedAt !== "string" || alike[0]!.created_at === invitedAt;
    return isSame ? alike[0] : undefined;
  }
  throw new DiagnosticError(
    error({
      code: "ambiguous_address",
      summary: "Several invitations with similar addresses",
      detail: `The ${place.name} has pending invitations of ${alike.map(({ invite_email }) => invite_email).join(" and ")}. The state contains one of them in lower case, as "${address}". Withdraw the others on the service. Otherwise remove this object from the state, and import the right invitation by its exact address.`,
      action: { kind: "stateRm" },
    }),
  );
}

/** Returns the member with this e-mail address; undefined if there is no such member. @throws ApiError */
export async function memberOfAddress(
  place: InvitationContainer,
  address: string,
): Promise<Membership | undefined> {
  const member = await shownMember(place, address);
  return member === "hidden" ? searchedMember(place, address) : member;
}

/**
 * Returns the key of a person: the user's id if a cached member has this e-mail address; otherwise the address.
 * Sends no request.
 */
export async function personBehind(place: InvitationContainer, key: string): Promise<string> {
  if (!isAddress(key)) return key;
  const members = [...((await place.members.cachedRecords)?.values() ?? [])];
  return String(members.find(({ email }) => email !== null && isAlike(email, key))?.id ?? key);
}

/**
 * Returns the member with this e-mail address; undefined if there is none. Returns `hidden` if a member without a
 * visible address may be the person.
 */
export async function shownMember(
  place: InvitationContainer,
  address: string,
): Promise<Membership | "hidden" | undefined> {
  const members = [...(await place.members.all()).values()];
  // Upper and lower case make no difference in the address of a user.
  const member = members.find(({ email }) => email !== null && isAlike(email, address));
  return member ?? (members.some(({ email }) => email === null) ? "hidden" : undefined);
}

/**
 * Finds the member with this e-mail address for a token that can't see the addresses of members. Searches users for
 * the address; returns undefined if the search does not find exactly one user.
 */
async function searchedMember(place: InvitationContainer, address: string): Promise<Membership | undefined> {
  const [user, ...others] = await usersFoundBy(place, address);
  // The search also finds users whose address only contains this text. The addresses are hidden, so the user is certain
  // only if the search finds exactly one user.
  if (user === undefined || others.length > 0) return undefined;
  return place.members.get(user, place.expected);
}

async function readStatusOfUser(
  place: InvitationContainer,
  user: number,
  known: ValueObject | undefined,
): Promise<InvitationStatus | undefined> {
  const member = await place.members.get(user, place.expected);
  if (member !== undefined) return { status: "accepted", member };
  const invitation = await pendingOfUser(place, user);
  return invitation && statusOfPending(invitation, knownStatus(known));
}

/**
 * Returns the pending invitation of a user; undefined if there is none. The list identifies an invitation only by its
 * address, and this token can't see the user's address. The function therefore compares names, and searches users for
 * the address if several invitations contain the user's name.
 */
export async function pendingOfUser(
  place: InvitationContainer,
  user: number,
): Promise<Invitation | undefined> {
  const open = await place.pending.all();
  const named = [...open.values()].filter(({ user_name }) => user_name !== null);
  if (named.length === 0) return undefined;
  const name = (await orNothing(place.api.users.get(user)))?.name;
  const [first, ...others] = named.filter(({ user_name }) => user_name === name);
  if (first === undefined || others.length === 0) return first;
  for (const invitation of [first, ...others]) {
    if ((await usersFoundBy(place, invitation.invite_email)).includes(user)) return invitation;
  }
  return undefined;
}

/**
 * Returns the ids of the users that a search for an address finds. Returns no ids if this token is not allowed to
 * search.
 */
export async function usersFoundBy({ api }: Scope, address: string): Promise<number[]> {
  try {
    return (await api.users.list({ search: address }).toArray()).map(({ id }) => id);
  } catch (problem) {
    if (problem instanceof ApiError && problem.status === 403) return [];
    throw problem;
  }
}

const accepted = (member: Membership | undefined): InvitationStatus | undefined =>
  member && { status: "accepted", member };

const knownStatus = (known: ValueObject | undefined): string | null => {
  const status = known?.["status"];
  return typeof status === "string" ? status : null;
};
