import { z } from "zod";
import { LEVEL } from "../access/levels";
import { notExpired, userRoleInGroup } from "../access/roles";
import { INVITATIONS, type InvitationBehavior } from "../compat/invitations";
import { refused } from "../http/errors";
import { inMode } from "../settings/compat-mode";
import type { ServiceSettings } from "../settings/settings";
import type { Database } from "../store/database";
import type { Group } from "./groups";
import { findInvitation, isExpired, setInvitation } from "./invitations";
import { isDirectMember, type Source, setMember } from "./members";
import type { Project } from "./projects";
import { promotionsNeedApproval } from "./promotions";
import { type User, userByEmail, userById } from "./users";

/** Properties shared by all invitations of one request. */
export interface InvitationTerms {
  readonly level: number;
  readonly expiresAt: string | null;
  readonly memberRoleId: number | undefined;
  readonly inviteSource: string | undefined;
  readonly createdById: number;
  /** An expired invitation of at most this level is replaced. */
  readonly callerLevel: number;
}

/** Invitations of one request that failed, with the reason, or wait for an administrator. */
interface InviteResult {
  readonly failed: Map<string, string>;
  readonly queued: Map<string, string>;
  /** Reasons for a duplicate invitation, in the wording of the compatibility mode. */
  readonly wording: Pick<InvitationBehavior, "addressInvited" | "userInvited">;
}

export interface InvitationTarget {
  readonly source: Source;
  /** The group from which members are inherited, if any. */
  readonly parentGroupId: number | null;
  readonly topLevelGroupId: number;
}

export function invitationTarget(database: Database, target: Project | Group): InvitationTarget {
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

/** Whether a user has a billable role: above Guest, in any group or project. */
const isBillable = (database: Database, userId: number): boolean =>
  database.one<{ found: number }>(
    `SELECT 1 AS found FROM members m LEFT JOIN namespaces n ON n.id = m.group_id
      WHERE m.user_id = ? AND m.access_level > ${LEVEL.guest} AND (n.kind IS NULL OR n.kind = 'group')
        AND ${notExpired("m")}`,
    userId,
  ) !== undefined;

/**
 * Invites each address and user on its own: a failure is reported under its name and does not affect the others
 * (specification, Invitations and Errors 1).
 */
export function invite(
  database: Database,
  settings: ServiceSettings,
  target: InvitationTarget,
  addresses: readonly string[],
  userIds: readonly string[],
  terms: InvitationTerms,
): InviteResult {
  const result: InviteResult = {
    failed: new Map(),
    queued: new Map(),
    wording: inMode(settings, INVITATIONS),
  };
  for (const address of addresses) {
    const user = userByEmail(database, address);
    if (!email.safeParse(address).success) result.failed.set(address, "Invite email is invalid");
    else if (user === undefined) inviteAddress(database, target, address, terms, result);
    else inviteUser(database, target, user, address, terms, result);
  }
  for (const id of userIds) {
    const user = /^\d{1,15}$/.test(id) ? userById(database, Number(id)) : undefined;
    if (user === undefined) result.failed.set(id, "User not found");
    else inviteUser(database, target, user, user.username, terms, result);
  }
  return result;
}

/** Suffix of the reason why an existing invitation is not replaced; undefined if a new one may be created. */
function conflictReason(
  database: Database,
  target: InvitationTarget,
  address: string,
  { callerLevel }: InvitationTerms,
): string | undefined {
  const known = findInvitation(database, target.source, address);
  if (known === undefined) return undefined;
  if (known.accessLevel > callerLevel) return `, at access level ${known.accessLevel}, above your own`;
  return isExpired(known) ? undefined : "";
}

function inviteAddress(
  database: Database,
  target: InvitationTarget,
  address: string,
  terms: InvitationTerms,
  result: InviteResult,
): void {
  const reason = conflictReason(database, target, address, terms);
  if (reason !== undefined) {
    result.failed.set(address, `${result.wording.addressInvited}${reason}`);
    return;
  }
  setInvitation(database, target.source, { email: address, ...terms });
}

/** Adds an existing user as a member, or queues the promotion if promotions need approval. */
function inviteUser(
  database: Database,
  target: InvitationTarget,
  user: User,
  name: string,
  terms: InvitationTerms,
  result: InviteResult,
): void {
  const reason = conflictReason(database, target, user.email, terms);
  const inherited = target.parentGroupId && userRoleInGroup(database, user.id, target.parentGroupId);
  if (isDirectMember(database, target.source, user.id)) {
    result.failed.set(name, "User already exists in source: already a member");
  } else if (reason !== undefined) {
    result.failed.set(name, `${result.wording.userInvited}${reason}`);
  } else if (inherited && inherited > terms.level) {
    result.failed.set(
      name,
      `Access level should be greater than or equal to the inherited membership of level ${inherited}`,
    );
  } else if (needsApproval(database, user, terms.level)) {
    setInvitation(database, target.source, { email: user.email, queuedUserId: user.id, ...terms });
    result.queued.set(user.username, "Request queued for administrator approval.");
  } else {
    setMember(database, target.source, { userId: user.id, ...terms });
  }
}

const needsApproval = (database: Database, user: User, level: number): boolean =>
  level > LEVEL.guest &&
  user.isAdmin === 0 &&
  promotionsNeedApproval(database) &&
  !isBillable(database, user.id);

/** @throws HttpError 400 for a custom role of another group, or with another base level. */
export function checkMemberRole(
  database: Database,
  target: InvitationTarget,
  memberRoleId: number | undefined,
  level: number,
): void {
  if (memberRoleId === undefined) return;
  const role = database.one<{ base_access_level: number }>(
    "SELECT base_access_level FROM member_roles WHERE id = ? AND (group_id IS NULL OR group_id = ?)",
    memberRoleId,
    target.topLevelGroupId,
  );
  if (role === undefined) throw refused(400, { member_role_id: ["is no custom role of this group"] });
  if (role.base_access_level !== level) {
    throw refused(400, {
      member_role_id: [`stands on access level ${role.base_access_level}, which access_level must name`],
    });
  }
}
