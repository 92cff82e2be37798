import type { Database } from "../store/database";
import { loadInOrder, type Selection, where, whereGiven } from "../store/selection";
import { type Source, sourceColumn } from "./members";

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

const INVITATIONS = `SELECT i.id, i.project_id AS projectId, i.group_id AS groupId, i.email,
    i.queued_user_id AS queuedUserId, i.access_level AS accessLevel, i.expires_at AS expiresAt,
    i.member_role_id AS memberRoleId, i.created_at AS createdAt, q.name AS userName, c.name AS createdByName
  FROM invitations i LEFT JOIN users q ON q.id = i.queued_user_id LEFT JOIN users c ON c.id = i.created_by_id`;

export const invitationById = (database: Database, id: number): Invitation | undefined =>
  database.one<Invitation>(`${INVITATIONS} WHERE i.id = ?`, id);

export function findInvitation(database: Database, source: Source, email: string): Invitation | undefined {
  const [column, id] = sourceColumn(source);
  return database.one<Invitation>(`${INVITATIONS} WHERE i.${column} = ? AND i.email = ?`, id, email);
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
    load: loadInOrder<Invitation, Entry>(
      database,
      `${INVITATIONS} WHERE i.id IN (SELECT value FROM json_each(?))`,
      (row) => row.id,
      entryOf,
    ),
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
