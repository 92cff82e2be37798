import { z } from "zod";
import { LEVEL } from "../access/levels";
import { current, userRoleInGroup } from "../access/roles";
import { INVITATIONS, type InvitationHabits } from "../compat/invitations";
import { refused } from "../http/errors";
import { inMode } from "../settings/compat-mode";
import type { ServiceSettings } from "../settings/settings";
import type { Database } from "../store/database";
import type { Group } from "./groups";
import { findInvitation, isExpired, setInvitation } from "./invitations";
import { isDirectMember, type Source, setMember } from "./members";
import type { Project } from "./projects";
import { promotionsWait } from "./promotions";
import { type User, userByEmail, userById } from "./users";

/** What everybody who is named in one request is invited with. */
export interface InvitationTerms {
  readonly level: number;
  readonly expiresAt: string | null;
  readonly memberRoleId: number | undefined;
  readonly inviteSource: string | undefined;
  readonly createdById: number;
  /** An expired invitation gives way to this one where it stands no higher. */
  readonly callerLevel: number;
}

/** How an invitation ended: with nothing to tell, with a reason, or waiting for an administrator. */
interface Outcome {
  readonly failed: Map<string, string>;
  readonly queued: Map<string, string>;
  /** What the mode says of somebody who is invited already. */
  readonly words: Pick<InvitationHabits, "addressInvited" | "userInvited">;
}

export interface InvitationPlace {
  readonly source: Source;
  /** The group that the place inherits members from, if any. */
  readonly parentGroupId: number | null;
  readonly topLevelGroupId: number;
}

export function placeOf(database: Database, target: Project | Group): InvitationPlace {
  const own = "namespaceId" in target ? target.namespaceId : target.id;
  const top = database.one<{ id: number }>(
    `SELECT n.id FROM namespace_ancestors a JOIN namespaces n ON n.id = a.ancestor_id
      WHERE a.namespace_id = ? AND n.parent_id IS NULL`,
    own,
  );
  return "namespaceId" in target
    ? { source: { projectId: target.id }, parentGroupId: own, topLevelGroupId: top!.id }
    : { source: { groupId: target.id }, parentGroupId: target.parentId, topLevelGroupId: top!.id };
}

const email = z.email().max(255);

/** Whether a user holds a role that counts for the licence: one above Guest, in any group or project. */
const isBillable = (database: Database, userId: number): boolean =>
  database.one<{ found: number }>(
    `SELECT 1 AS found FROM members m LEFT JOIN namespaces n ON n.id = m.group_id
      WHERE m.user_id = ? AND m.access_level > ${LEVEL.guest} AND (n.kind IS NULL OR n.kind = 'group')
        AND ${current("m")}`,
    userId,
  ) !== undefined;

/**
 * Invites addresses and users, each for itself: what fails for one is told by its name and stops no other
 * (specification, Invitations and Errors 1).
 */
export function invite(
  database: Database,
  settings: ServiceSettings,
  place: InvitationPlace,
  addresses: readonly string[],
  userIds: readonly string[],
  terms: InvitationTerms,
): Outcome {
  const outcome: Outcome = { failed: new Map(), queued: new Map(), words: inMode(settings, INVITATIONS) };
  for (const address of addresses) {
    const user = userByEmail(database, address);
    if (!email.safeParse(address).success) outcome.failed.set(address, "Invite email is invalid");
    else if (user === undefined) inviteAddress(database, place, address, terms, outcome);
    else inviteUser(database, place, user, address, terms, outcome);
  }
  for (const id of userIds) {
    const user = /^\d{1,15}$/.test(id) ? userById(database, Number(id)) : undefined;
    if (user === undefined) outcome.failed.set(id, "User not found");
    else inviteUser(database, place, user, user.username, terms, outcome);
  }
  return outcome;
}

/** Why an invitation that is there stays as it is, after the words for it; undefined where one may be made. */
function standing(
  database: Database,
  place: InvitationPlace,
  address: string,
  { callerLevel }: InvitationTerms,
): string | undefined {
  const known = findInvitation(database, place.source, address);
  if (known === undefined) return undefined;
  if (known.accessLevel > callerLevel) return `, at access level ${known.accessLevel}, above your own`;
  return isExpired(known) ? undefined : "";
}

function inviteAddress(
  database: Database,
  place: InvitationPlace,
  address: string,
  terms: InvitationTerms,
  outcome: Outcome,
): void {
  const reason = standing(database, place, address, terms);
  if (reason !== undefined) {
    outcome.failed.set(address, `${outcome.words.addressInvited}${reason}`);
    return;
  }
  setInvitation(database, place.source, { email: address, ...terms });
}

/** An existing user becomes a member at once, or waits for an administrator where promotions do. */
function inviteUser(
  database: Database,
  place: InvitationPlace,
  user: User,
  name: string,
  terms: InvitationTerms,
  outcome: Outcome,
): void {
  const reason = standing(database, place, user.email, terms);
  const inherited = place.parentGroupId && userRoleInGroup(database, user.id, place.parentGroupId);
  if (isDirectMember(database, place.source, user.id)) {
    outcome.failed.set(name, "User already exists in source: already a member");
  } else if (reason !== undefined) {
    outcome.failed.set(name, `${outcome.words.userInvited}${reason}`);
  } else if (inherited && inherited > terms.level) {
    outcome.failed.set(
      name,
      `Access level should be greater than or equal to the inherited membership of level ${inherited}`,
    );
  } else if (waits(database, user, terms.level)) {
    setInvitation(database, place.source, { email: user.email, queuedUserId: user.id, ...terms });
    outcome.queued.set(user.username, "Request queued for administrator approval.");
  } else {
    setMember(database, place.source, { userId: user.id, ...terms });
  }
}

const waits = (database: Database, user: User, level: number): boolean =>
  level > LEVEL.guest && user.isAdmin === 0 && promotionsWait(database) && !isBillable(database, user.id);

/** @throws HttpError 400 for a custom role that is not the top-level group's, or stands on another level. */
export function checkMemberRole(
  database: Database,
  place: InvitationPlace,
  memberRoleId: number | undefined,
  level: number,
): void {
  if (memberRoleId === undefined) return;
  const role = database.one<{ base_access_level: number }>(
    "SELECT base_access_level FROM member_roles WHERE id = ? AND (group_id IS NULL OR group_id = ?)",
    memberRoleId,
    place.topLevelGroupId,
  );
  if (role === undefined) throw refused(400, { member_role_id: ["is no custom role of this group"] });
  if (role.base_access_level !== level) {
    throw refused(400, {
      member_role_id: [`stands on access level ${role.base_access_level}, which access_level must name`],
    });
  }
}
