import { z } from "zod";
import { LEVEL, notExpired, userRoleInGroup } from "../access/roles";
import { INVITATIONS, type InvitationBehavior } from "../compat/differences";
import { refused } from "../http/errors";
import { inMode, type ServiceSettings } from "../settings/settings";
import type { Database } from "../store/database";
import { loadInOrder, type Selection, where, whereGiven } from "../store/selection";
import type { Group } from "./groups";
import { isDirectMember, type Source, setMember, sourceColumn } from "./members";
import type { Project } from "./projects";
import { promotionsNeedApproval, type User, userByEmail, userById } from "./users";

export interface Invitation {
  readonly id: number;
  readonly projectId: number | null;
  readonly groupId: number | null;
  readonly email: string;
  /** The user whose promotion waits for an administrator; missing for an invitation by e-mail. */
  readonly queuedUserId: number | null;
  readonly accessLevel: number;
  readonly expiresAt: string | null;
  readonly memberRoleId: number | null;
  readonly createdAt: string;
  readonly userName: string | null;
  readonly createdByName: string | null;
}

const SELECT_INVITATIONS = `SELECT i.id, i.project_id AS projectId, i.group_id AS groupId, i.email,
    i.queued_user_id AS queuedUserId, i.access_level AS accessLevel, i.expires_at AS expiresAt,
    i.member_role_id AS memberRoleId, i.created_at AS createdAt, q.name AS userName, c.name AS createdByName
  FROM invitations i LEFT JOIN users q ON q.id = i.queued_user_id LEFT JOIN users c ON c.id = i.created_by_id`;

export const invitationById = (database: Database, id: number): Invitation | undefined =>
  database.one<Invitation>(`${SELECT_INVITATIONS} WHERE i.id = ?`, id);

export function findInvitation(database: Database, source: Source, email: string): Invitation | undefined {
  const [column, id] = sourceColumn(source);
  return database.one<Invitation>(`${SELECT_INVITATIONS} WHERE i.${column} = ? AND i.email = ?`, id, email);
}

/** Selects direct invitations of a project or group, oldest first, optionally those of one address. */
export function selectInvitations<Entry>(
  database: Database,
  source: Source,
  email: string | undefined,
  entryOf: (invitation: Invitation) => Entry,
): Selection<Entry> {
  const [column, id] = sourceColumn(source);
  return {
    key: "i.id",
    from: "invitations i",
    where: [where(`i.${column} = ?`, id), ...whereGiven(email, (address) => where("i.email = ?", address))],
    order: [],
    load: loadInOrder<Invitation, Entry>(database, SELECT_INVITATIONS, "i.id", entryOf),
  };
}

export interface NewInvitation {
  readonly email: string;
  readonly queuedUserId?: number | undefined;
  readonly level: number;
  readonly expiresAt?: string | null | undefined;
  readonly memberRoleId?: number | undefined;
  readonly inviteSource?: string | undefined;
  readonly createdById?: number | undefined;
  /** Default: now. */
  readonly createdAt?: string | undefined;
}

/** Adds an invitation, or replaces the previous one of the address. */
export function setInvitation(database: Database, source: Source, invitation: NewInvitation): void {
  const [column, id] = sourceColumn(source);
  database.run(
    `INSERT OR REPLACE INTO invitations (${column}, email, queued_user_id, access_level, expires_at, member_role_id, ` +
      "invite_source, created_by_id, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
    id,
    invitation.email,
    invitation.queuedUserId ?? null,
    invitation.level,
    invitation.expiresAt ?? null,
    invitation.memberRoleId ?? null,
    invitation.inviteSource ?? null,
    invitation.createdById ?? null,
    invitation.createdAt ?? new Date().toISOString(),
  );
}

export const changeInvitation = (
  database: Database,
  id: number,
  change: { readonly level: number; readonly expiresAt: string | null },
): void => {
  database.run(
    "UPDATE invitations SET access_level = ?, expires_at = ? WHERE id = ?",
    change.level,
    change.expiresAt,
    id,
  );
};

export const deleteInvitation = (database: Database, id: number): void => {
  database.run("DELETE FROM invitations WHERE id = ?", id);
};

/** Whether an invitation has expired. */
export const isExpired = (invitation: Invitation): boolean =>
  invitation.expiresAt !== null && new Date(invitation.expiresAt) <= new Date();

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
