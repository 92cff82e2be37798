import type { Invitation } from "../../../api";
import { DiagnosticError } from "../../../diagnostics";
import { NotReadBack } from "../../../framework";
import { type Declared, isNumericId, reference, type Value, type ValueObject } from "../../../schema";
import type { AccessDeclaration } from "../../access-declaration";
import type { ContainerKind, Found, ResourceDefinition } from "../../define";
import { isAlreadyThere, isGone } from "../../failure-of";
import { type invitationAttributes, requireOneInvitee } from "./invitation-attributes";
import {
  checkBeforeCreate,
  hiddenIfForbidden,
  isMemberAlready,
  membershipDiffers,
  membershipHidden,
  membershipNotRemoved,
  nameOf,
  type Person,
  requireUnchanged,
} from "./invitation-check";
import { createdSpelling, SimilarInvitations, spellingsOf, withOtherSpelling } from "./invitation-spelling";
import {
  type InvitationContainer,
  type InvitationStatus,
  isAddress,
  isOver,
  type Membership,
  memberOfAddress,
  pendingOfUser,
  personBehind,
  placeOf,
  readStatus,
  statusOfPending,
} from "./invitation-status";
import { readDay, readLevel } from "./read-fields";

type Terms = Declared<typeof invitationAttributes>;
type Seen = Found<typeof invitationAttributes>;

/** The access that an invitation grants: the person becomes a member. */
const access: AccessDeclaration<typeof invitationAttributes> = {
  grants: "membership",
  email: "email",
  user: "user",
  level: "access_level",
  customRole: "member_role_id",
  status: "status",
  strictness: {
    isGrant: true,
    attributes: {
      access_level: "higher-allows-more",
      expires_at: "higher-allows-more",
      member_role_id: "any-difference",
    },
  },
};

/**
 * Returns the lifecycle functions of invitations to a project, or to a group (specification, "Invitations (groups
 * and projects)").
 */
export const invitationTo = (kind: ContainerKind) =>
  ({
    access,
    key: {
      name: "e-mail address or user id",
      example: "ada@example.com",
      attributes: ["email", "user"],
      attributeOf: (key) => (isAddress(key) ? "email" : "user"),
      of: keyOf,
      isAsShown: true,
      sameAs: (scope, key) => personBehind(placeOf(scope, kind), key),
    },

    validate: requireOneInvitee,
    listedKey: (scope, declared) => addressOf(placeOf(scope, kind), declared),
    onPlan: {
      async create(scope, declared) {
        const place = placeOf(scope, kind);
        const member = await checkBeforeCreate(place, declared).catch(hiddenIfForbidden);
        if (member === "hidden") return [membershipHidden(nameOf(declared), place.name)];
        return member === undefined ? [] : membershipDiffers(place.name, declared, termsOf(member));
      },
      update: (declared, prior) =>
        prior["status"] === "accepted"
          ? membershipDiffers(`${kind} ${prior[kind]}`, declared, termsOf(prior))
          : [],
    },
    async create(scope, declared) {
      const place = placeOf(scope, kind);
      const member = await checkBeforeCreate(place, declared);
      if (member !== undefined && member !== "hidden") return foundMember(place, declared, member);
      return invite(place, declared).catch((problem) => withOtherSpelling(place, declared, problem));
    },

    async read(scope, key, known) {
      if (!isAddress(key) && !isNumericId(key)) return undefined;
      const current = await readStatus(placeOf(scope, kind), key, known);
      if (current === "hidden") return remembered(key, "accepted", known);
      if (current !== undefined) return found(key, current, known);
      // The service does not list expired invitations. The state therefore keeps an invitation whose expiry date
      // has passed, with the status `expired`.
      return isOver(known?.["expires_at"]) ? remembered(key, "expired", known) : undefined;
    },

    async update(scope, declared, observed) {
      const place = placeOf(scope, kind);
      if (observed.status === "accepted")
        throw new DiagnosticError(membershipDiffers(place.name, declared, observed));
      // The request must contain the address in the spelling that the service has stored.
      const address = observed.email ?? (await addressOf(place, declared));
      const isMoved = declared.expires_at !== observed.expires_at;
      if (address !== undefined && !(observed.status === "expired" && isMoved)) {
        return change(place, address, declared, observed);
      }
      try {
        return await invite(place, declared);
      } catch (problem) {
        if (address === undefined || !isAlreadyThere(problem)) throw problem;
        // The service may still treat the expired invitation as pending. An update then extends this invitation.
        return change(place, address, declared, observed);
      }
    },

    isLeftOnDestroy: ({ status }) => status === "accepted",
    async delete(scope, key, state) {
      const isOfMember =
        state["status"] === "accepted" || (await withdraw(placeOf(scope, kind), key, state)) === "accepted";
      if (!isOfMember) return undefined;
      return [membershipNotRemoved(String(state["email"] ?? state["user"]), `${kind} ${state[kind]}`)];
    },

    list: async (scope) =>
      [...(await placeOf(scope, kind).pending.all()).values()].map((invitation) =>
        found(invitation.invite_email, statusOfPending(invitation, null)),
      ),
  }) satisfies Partial<ResourceDefinition<typeof invitationAttributes>>;

const keyOf = ({ email, user }: Person): string => (email === null ? String(user!.id) : email);

/** Returns the e-mail address of a pending invitation; undefined if there is none. */
const addressOf = async (place: InvitationContainer, { email, user }: Person) =>
  email ?? (await pendingOfUser(place, user!.id))?.invite_email;

/** Sends an invitation, and then reads the invitation or the new member, because the response contains neither. */
async function invite(place: InvitationContainer, declared: Terms): Promise<Seen> {
  const { email, user, access_level, expires_at, member_role_id, invite_source } = declared;
  const send = () =>
    place.invitations.create(place.container, {
      ...(user === null ? { email: email! } : { user_id: user.id }),
      access_level,
      ...(expires_at !== null && { expires_at }),
      ...(member_role_id !== null && { member_role_id }),
      ...(invite_source !== null && { invite_source }),
    });
  const before = await place.members.cachedRecords;
  const spellings = await spellingsOf(place, email);
  // The write also locks the list of members, because a person with an account becomes a member at once.
  const answer = await place.members.send(() => place.pending.send(send));
  if (isMemberAlready(nameOf(declared), user === null ? "email" : "user", answer)) {
    return takeMember(place, declared);
  }
  const isQueued = Object.keys(answer.queued_users).length > 0;
  const sent = isQueued ? "queued" : "pending";
  const read = async () => {
    const current = await outcome(place, declared, sent, spellings);
    // If the list does not contain the invitation, the service may have changed a membership instead, so the
    // members are compared.
    const isCompared = before !== undefined && (current === undefined || current.status === "accepted");
    return [current, isCompared ? await place.members.all() : undefined] as const;
  };
  const [current, after] = await read().catch((problem: unknown) => {
    if (problem instanceof SimilarInvitations) throw problem;
    throw new NotReadBack(assumed(declared, sent), problem);
  });
  if (before !== undefined && after !== undefined)
    requireUnchanged(before, after, nameOf(declared), place.name);
  return current ? found(keyOf(declared), current) : assumed(declared, sent);
}

/**
 * Returns the status of an invitation that was just sent successfully. Returns undefined if this token can see
 * neither the invitation nor the member.
 */
async function outcome(
  place: InvitationContainer,
  { email, user }: Person,
  responseStatus: "pending" | "queued",
  spellingsBefore: readonly Invitation[],
): Promise<InvitationStatus | undefined> {
  let invitation: Invitation | undefined;
  if (user === null) {
    invitation =
      (await place.pending.refetch(email!)) ?? (await createdSpelling(place, email!, spellingsBefore));
    // If the list does not contain the invitation, the person may be a member now: a person with an account
    // becomes a member at once.
    if (invitation === undefined) return newMember(place, email!);
  } else {
    const member = await place.members.refetch(user.id);
    if (member !== undefined) return { status: "accepted", member };
    place.pending.drop();
    invitation = await pendingOfUser(place, user.id);
  }
  return invitation && statusOfPending(invitation, responseStatus);
}

/**
 * Returns the status `accepted` with the member who has this address, or with the only member whom the list did not
 * contain before. If there is no such member, returns undefined.
 */
async function newMember(place: InvitationContainer, email: string): Promise<InvitationStatus | undefined> {
  const before = await place.members.cachedRecords;
  place.members.drop();
  const member = await memberOfAddress(place, email);
  if (member !== undefined) return { status: "accepted", member };
  const after = [...(await place.members.all()).values()];
  const [added, ...others] = before === undefined ? [] : after.filter(({ id }) => !before.has(id));
  if (added === undefined || others.length > 0 || added.email !== null) return undefined;
  return { status: "accepted", member: added };
}

/**
 * Returns the attributes for a person who is already a member, with the status `accepted`. @throws DiagnosticError
 * if the membership differs from the declaration
 */
async function takeMember(place: InvitationContainer, declared: Terms): Promise<Seen> {
  const { email, user } = declared;
  place.members.drop();
  const member = await (user === null ? memberOfAddress(place, email!) : place.members.refetch(user.id));
  if (member === undefined) return assumed(declared, "accepted");
  return foundMember(place, declared, member);
}

/**
 * Returns the attributes for an invitation that this member has accepted. @throws DiagnosticError if the
 * membership differs from the declaration
 */
function foundMember(place: InvitationContainer, declared: Terms, member: Membership): Seen {
  const seen = found(keyOf(declared), { status: "accepted", member });
  const differing = membershipDiffers(place.name, declared, seen);
  if (differing.length > 0) throw new DiagnosticError(differing);
  return seen;
}

async function change(
  place: InvitationContainer,
  address: string,
  declared: Terms,
  observed: Seen,
): Promise<Seen> {
  const { access_level, expires_at } = declared;
  const written = await place.invitations.update(place.container, address, {
    access_level,
    ...(expires_at !== observed.expires_at && {
      expires_at: expires_at === null ? "" : `${expires_at}T00:00:00Z`,
    }),
  });
  // The plan or the refresh has already read the list, so this read usually sends no request.
  const before = await place.pending.get(address, place.expected);
  const after = {
    id: written.id ?? before?.id ?? null,
    invite_email: written.invite_email ?? before?.invite_email ?? address,
    created_at: written.created_at ?? before?.created_at ?? null,
    access_level: written.access_level,
    expires_at: written.expires_at,
    user_name: written.user_name ?? before?.user_name ?? null,
    created_by_name: written.created_by_name ?? before?.created_by_name ?? null,
  };
  place.pending.written(after, address);
  return found(declared.email === null ? keyOf(declared) : address, statusOfPending(after, observed.status));
}

/**
 * Deletes a pending invitation. Returns undefined if the invitation was deleted; otherwise the person's status, if
 * any.
 */
async function withdraw(
  place: InvitationContainer,
  key: string,
  known: ValueObject | undefined,
): Promise<InvitationStatus["status"] | undefined> {
  const address = await addressOf(place, personOf(key));
  let refusal: unknown;
  if (address !== undefined) {
    try {
      await place.pending.send(() => place.invitations.delete(place.container, address));
      place.pending.removed(address);
      return undefined;
    } catch (problem) {
      if (!isGone(problem)) throw problem;
      refusal = problem;
      place.pending.drop();
    }
  }
  const current = await readStatus(place, key, known);
  // The key may be in lower case, because earlier releases of Steward wrote ids in lower case. The invitation is
  // then deleted by its live address.
  if (isAddress(key) && current !== undefined && current !== "hidden" && current.status !== "accepted") {
    const { invite_email } = current.invitation;
    if (invite_email !== key) return withdraw(place, invite_email, undefined);
  }
  if (current === "hidden" || current === undefined) return undefined;
  if (refusal !== undefined && current.status !== "accepted") throw refusal;
  return current.status;
}

const personOf = (key: string): Person =>
  isAddress(key) ? { email: key, user: null } : { email: null, user: reference(Number(key)) };

function found(key: string, current: InvitationStatus, known?: ValueObject): Seen {
  if (current.status === "accepted") {
    const { id, username } = current.member;
    const person = isAddress(key) ? {} : { user: reference(id, username) };
    return { ...remembered(key, "accepted", known), ...person, ...termsOf(current.member) };
  }
  const { created_at: invited_at, created_by_name } = current.invitation;
  return {
    ...personOf(isAddress(key) ? current.invitation.invite_email : key),
    ...termsOf(current.invitation),
    status: current.status,
    invited_at,
    created_by_name,
  };
}

/** Returns the recorded attributes of an invitation that the service no longer returns. */
const remembered = (key: string, status: InvitationStatus["status"], known: ValueObject = {}): Seen => ({
  ...personOf(key),
  ...termsOf(known),
  status,
  invited_at: textOf(known["invited_at"]),
  created_by_name: textOf(known["created_by_name"]),
});

/** Returns the sent attributes of an invitation that the service accepted but does not show to this token. */
const assumed = (
  { email, user, access_level, expires_at }: Terms,
  status: InvitationStatus["status"],
): Seen => ({
  email,
  user,
  access_level,
  expires_at,
  status,
  invited_at: null,
  created_by_name: null,
});

/**
 * Returns the level and the expiry of a membership, of an invitation or of a state. The expiry has the form
 * `YYYY-MM-DD`, as in a declaration.
 */
const termsOf = ({ access_level, expires_at }: { access_level?: unknown; expires_at?: unknown }) => ({
  // A state may contain no level, for example before the first read.
  access_level: access_level === undefined ? Number.NaN : readLevel(access_level),
  expires_at: readDay("expires_at", expires_at),
});

const textOf = (value: Value | undefined): string | null => (typeof value === "string" ? value : null);
