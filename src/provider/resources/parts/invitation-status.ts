import { ApiError, type Client, type Invitation, type Member } from "../../../api";
import { DiagnosticError, error } from "../../../diagnostics";
import type { Live } from "../../../framework";
import type { ValueObject } from "../../../schema";
import type { Collection, ContainerKind, Scope } from "../../define";
import { orNothing } from "../../failure-of";

/** The status of an invitation, with its entry in the list or the member. */
export type InvitationStatus =
  | { readonly status: "pending" | "queued" | "expired"; readonly invitation: Invitation }
  | { readonly status: "accepted"; readonly member: Membership };

/** The fields of a member that identify the person and can differ from the invitation. */
export type Membership = Pick<
  Member,
  "id" | "username" | "access_level" | "expires_at" | "email" | "state" | "member_role"
>;

/** The operations on invitations to a project or to a group, which have the same shape. */
export const operationsOn = (api: Client, kind: ContainerKind) =>
  kind === "project" ? api.projectInvitations : api.groupInvitations;

interface Invitations {
  /** Pending invitations, by their address: the service compares it exactly. */
  readonly open: Collection<string, Invitation>;
  /** Members, including inherited ones, by their id. */
  readonly members: Collection<number, Membership, Member>;
}

const addressOf = ({ invite_email }: Invitation): string => invite_email;

/** Whether two addresses differ at most by the case of their letters. */
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
    // A user may be listed once per direct or inherited membership; the highest level counts.
    isMember: (member, _container, before) =>
      before === undefined || before.access_level < member.access_level,
    keyOf: ({ id }) => id,
    // A missing member is not an error: the list of invitations is read next.
    single: ({ members }, container, user) =>
      orNothing(kind === "project" ? members.inProject(container, user) : members.inGroup(container, user)),
  },
});

export const INVITATION_LISTS: Readonly<Record<ContainerKind, Invitations>> = {
  project: collectionsFor("project"),
  group: collectionsFor("group"),
};

/** A project or group to whose invitations and members a lifecycle attends. */
export interface InvitationContainer extends Scope {
  readonly kind: ContainerKind;
  /** For messages, such as `project acme/web`. */
  readonly name: string;
  readonly invitations: ReturnType<typeof operationsOn>;
  readonly pending: Live<string, Invitation>;
  readonly members: Live<number, Membership, Member>;
}

export const placeOf = (scope: Scope, kind: ContainerKind): InvitationContainer => ({
  ...scope,
  kind,
  name: `${kind} ${scope.name}`,
  // Asked for when they are used: a plan may know an object without its service.
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

/** Whether a key is an e-mail address rather than a user's id. */
export const isAddress = (key: string): boolean => key.includes("@");

/** Whether a timestamp, or the start of a day in UTC, is in the past. */
export const isOver = (moment: unknown): boolean =>
  typeof moment === "string" && new Date(moment).valueOf() <= Date.now();

/** The status of a listed invitation. Only the response to the invitation states reliably that a user is queued. */
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
 * Returns the pending invitation of an id that an earlier release wrote in lower case. The invitation has the
 * address in the state, or is the only one that differs by case. @throws DiagnosticError if there are several
 */
async function pendingOfOldId(
  place: InvitationContainer,
  address: string,
  known: ValueObject | undefined,
): Promise<Invitation | undefined> {
  const email = known?.["email"];
  if (typeof email !== "string" || address !== address.toLowerCase()) return undefined;
  const isRespelled = email !== address && isAlike(email, address);
  // An accepted invitation is no longer in the list, so a similar invitation there is another one.
  if (!isRespelled && knownStatus(known) === "accepted") return undefined;
  const all = [...(await place.pending.all()).values()];
  const alike = all.filter(({ invite_email }) => isAlike(invite_email, address));
  const own = alike.find(({ invite_email }) => invite_email === email);
  if (own !== undefined || alike.length === 0) return own;
  const invitedAt = known?.["invited_at"];
  if (alike.length === 1) {
    // An invitation with another creation time is another invitation.
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

/** The member with this address, if this token can see it. @throws ApiError */
export async function memberOfAddress(
  place: InvitationContainer,
  address: string,
): Promise<Membership | undefined> {
  const member = await shownMember(place, address);
  return member === "hidden" ? searchedMember(place, address) : member;
}

/** The key of a person: the user's id if a cached member has this address, else the address. Sends no request. */
export async function personBehind(place: InvitationContainer, key: string): Promise<string> {
  if (!isAddress(key)) return key;
  const members = [...((await place.members.cachedRecords)?.values() ?? [])];
  return String(members.find(({ email }) => email !== null && isAlike(email, key))?.id ?? key);
}

/** The member with this address; `hidden` if it may be one of the members without a visible address. */
export async function shownMember(
  place: InvitationContainer,
  address: string,
): Promise<Membership | "hidden" | undefined> {
  const members = [...(await place.members.all()).values()];
  // A user's own address is the same in any case.
  const member = members.find(({ email }) => email !== null && isAlike(email, address));
  return member ?? (members.some(({ email }) => email === null) ? "hidden" : undefined);
}

/** The member with this address if members hide theirs: the only user that a search for the address finds. */
async function searchedMember(place: InvitationContainer, address: string): Promise<Membership | undefined> {
  const [user, ...others] = await usersFoundBy(place, address);
  // The search matches substrings, and the users' addresses are hidden: the match is ambiguous.
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

/** The pending invitation of a user. It is listed by the user's address, which is hidden, so it is found by name. */
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

/** The ids of the users that a search for an address finds; empty if this token may not search. */
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
