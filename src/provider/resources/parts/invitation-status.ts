import { ApiError, type Client, type Invitation, type Member } from "../../../api";
import { DiagnosticError, error } from "../../../diagnostics";
import type { Live } from "../../../framework";
import type { ValueObject } from "../../../schema";
import type { Collection, ContainerKind, Scope } from "../../define";
import { orNothing } from "../../failure-of";

/** The status of an invitation, with its entry in the list or with the member. */
export type InvitationStatus =
  | { readonly status: "pending" | "queued" | "expired"; readonly invitation: Invitation }
  | { readonly status: "accepted"; readonly member: Membership };

/** The fields of a member that identify the person or can differ from the invitation. */
export type Membership = Pick<
  Member,
  "id" | "username" | "access_level" | "expires_at" | "email" | "state" | "member_role"
>;

/** The operations on invitations to a project or to a group, which have the same shape. */
export const operationsOn = (api: Client, kind: ContainerKind) =>
  kind === "project" ? api.projectInvitations : api.groupInvitations;

interface Invitations {
  /** Pending invitations, by their address. The service distinguishes upper and lower case in addresses. */
  readonly open: Collection<string, Invitation>;
  /** Members, including inherited ones, by their id. */
  readonly members: Collection<number, Membership, Member>;
}

const addressOf = ({ invite_email }: Invitation): string => invite_email;

/** Returns whether two addresses are equal if case is ignored. */
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
    // The list may contain a user once for each direct or inherited membership. The highest level counts.
    isMember: (member, _container, before) =>
      before === undefined || before.access_level < member.access_level,
    keyOf: ({ id }) => id,
    // A missing member is not an error, because the list of invitations is read next.
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
  // These getters run only on use, because a plan may know an object without a connection.
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

/** Returns whether a key is an e-mail address. Other keys are the ids of users. */
export const isAddress = (key: string): boolean => key.includes("@");

/** Returns whether a timestamp, or the start of a day in UTC, is in the past. */
export const isOver = (moment: unknown): boolean =>
  typeof moment === "string" && new Date(moment).valueOf() <= Date.now();

/**
 * Returns the status of a listed invitation. Only the response to the invitation itself says reliably that a
 * user is queued.
 */
export function statusOfPending(invitation: Invitation, known: string | null): InvitationStatus {
  if (isOver(invitation.expires_at)) return { status: "expired", invitation };
  const isStated = known === "pending" || known === "queued";
  // A queued invitation belongs to an existing user, whose name the service returns.
  const statusOfRecord = invitation.user_name === null ? "pending" : "queued";
  const status = isStated ? known : statusOfRecord;
  return { status, invitation };
}

/**
 * Returns the status of the invitation of an address or a user. It is undefined if no pending invitation and no
 * visible member exists. It is `hidden` if the person accepted and this token can't see addresses of members.
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
 * Returns the pending invitation for an id that an earlier release wrote in lower case. The invitation has
 * the address in the state, or is the only one whose address differs only in case. @throws DiagnosticError if
 * there are several
 */
async function pendingOfOldId(
  place: InvitationContainer,
  address: string,
  known: ValueObject | undefined,
): Promise<Invitation | undefined> {
  const email = known?.["email"];
  if (typeof email !== "string" || address !== address.toLowerCase()) return undefined;
  const isRespelled = email !== address && isAlike(email, address);
  // The list does not contain accepted invitations, so a similar invitation in the list is a different one.
  if (!isRespelled && knownStatus(known) === "accepted") return undefined;
  const all = [...(await place.pending.all()).values()];
  const alike = all.filter(({ invite_email }) => isAlike(invite_email, address));
  const own = alike.find(({ invite_email }) => invite_email === email);
  if (own !== undefined || alike.length === 0) return own;
  const invitedAt = known?.["invited_at"];
  if (alike.length === 1) {
    // An invitation with another creation time is a different invitation.
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

/** Returns the member with this address, if this token can see the address. @throws ApiError */
export async function memberOfAddress(
  place: InvitationContainer,
  address: string,
): Promise<Membership | undefined> {
  const member = await shownMember(place, address);
  return member === "hidden" ? searchedMember(place, address) : member;
}

/**
 * Returns the key of a person: the user's id if a cached member has this address; otherwise the address.
 * Sends no request.
 */
export async function personBehind(place: InvitationContainer, key: string): Promise<string> {
  if (!isAddress(key)) return key;
  const members = [...((await place.members.cachedRecords)?.values() ?? [])];
  return String(members.find(({ email }) => email !== null && isAlike(email, key))?.id ?? key);
}

/** Returns the member with this address. Returns `hidden` if a member without a visible address may be the person. */
export async function shownMember(
  place: InvitationContainer,
  address: string,
): Promise<Membership | "hidden" | undefined> {
  const members = [...(await place.members.all()).values()];
  // For the address of a user, case does not matter.
  const member = members.find(({ email }) => email !== null && isAlike(email, address));
  return member ?? (members.some(({ email }) => email === null) ? "hidden" : undefined);
}

/**
 * Returns the member with this address if the addresses of members are hidden. This is the only user that a
 * search for the address finds.
 */
async function searchedMember(place: InvitationContainer, address: string): Promise<Membership | undefined> {
  const [user, ...others] = await usersFoundBy(place, address);
  // The search matches parts of an address, and the addresses are hidden. The match is clear only if the
  // search finds exactly one user.
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
 * Returns the pending invitation of a user. The list contains the user's address, which this token can't see,
 * so the function compares names.
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

/** Returns the ids of the users that a search for an address finds. Returns no ids if this token may not search. */
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
