import { type Container, LEVEL, notExpired } from "../access/roles";
import { badRequest, refused } from "../http/errors";
import { type Database, hasRow, insert, now, refuseDuplicates } from "../store/database";

/** The project or group to which a member, a share or an invitation belongs. */
export type Source = { readonly project_id: number } | { readonly group_id: number };

export const sourceOf = (target: Container): Source =>
  "namespace_id" in target ? { project_id: target.id } : { group_id: target.id };

/** Returns the column and the id of a source, for a WHERE clause. */
export const sourceColumn = (source: Source): readonly [column: "project_id" | "group_id", id: number] =>
  "project_id" in source ? ["project_id", source.project_id] : ["group_id", source.group_id];

export interface NewMember {
  readonly user_id: number;
  readonly access_level: number;
  readonly expires_at?: string | null | undefined;
  readonly member_role_id?: number | null | undefined;
  readonly created_by_id?: number | undefined;
}

/** Adds a direct member, or replaces an expired membership. */
export const setMember = (database: Database, source: Source, member: NewMember): void =>
  void insert(database, "members", { ...source, ...member, created_at: now() }, "OR REPLACE ");

/**
 * Changes a direct membership. If the change contains no expiry, the member's expiry stays. If the change contains
 * no custom role, the member's custom role is removed (https://docs.gitlab.com/api/group_members/).
 */
export function changeMember(database: Database, source: Source, change: NewMember): void {
  const [column, id] = sourceColumn(source);
  const { user_id, access_level, expires_at } = change;
  const set = `access_level = ?, member_role_id = NULL${expires_at === undefined ? "" : ", expires_at = ?"}`;
  const values = [access_level, ...(expires_at === undefined ? [] : [expires_at]), id, user_id];
  database.run(`UPDATE members SET ${set} WHERE ${column} = ? AND user_id = ?`, ...values);
}

/** Returns whether a user is a direct member whose membership has not expired. */
export function isDirectMember(database: Database, source: Source, userId: number): boolean {
  const [column, id] = sourceColumn(source);
  const from = `FROM members m WHERE m.${column} = ? AND m.user_id = ? AND ${notExpired("m")}`;
  return hasRow(database, from, id, userId);
}

/**
 * Returns whether a user is the only Owner of a group and its parents. Returns false for a project, which always
 * inherits an Owner.
 */
export function isLastOwner(database: Database, source: Source, userId: number): boolean {
  if ("project_id" in source) return false;
  const owners = database.all<{ user_id: number }>(
    `SELECT m.user_id FROM namespace_ancestors a JOIN members m ON m.group_id = a.ancestor_id
      WHERE a.namespace_id = ? AND m.access_level = ${LEVEL.owner} AND ${notExpired("m")}`,
    source.group_id,
  );
  return owners.length === 1 && owners[0]!.user_id === userId;
}

export function removeMember(database: Database, source: Source, userId: number): void {
  const [column, id] = sourceColumn(source);
  database.run(`DELETE FROM members WHERE ${column} = ? AND user_id = ?`, id, userId);
}

/**
 * Converts a date (`2026-12-31`) or a timestamp to a timestamp in UTC; an empty text means no expiry.
 *
 * @throws HttpError 400 for any other text, and for a day in the past.
 */
export function readExpiry(text: string | undefined): string | null {
  if (text === undefined || text === "") return null;
  const isShaped = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/.test(text);
  const moment = new Date(text);
  // `Date` turns 31 February into 3 March, so the day of the result is compared with the text.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (
    !isShaped ||
    Number.isNaN(moment.valueOf()) ||
    Number.isNaN(day.valueOf()) ||
    day.toISOString().slice(0, 10) !== text.slice(0, 10)
  ) {
    throw badRequest("expires_at is invalid");
  }
  if (moment.toISOString().slice(0, 10) < new Date().toISOString().slice(0, 10)) {
    throw badRequest("expires_at cannot be a date in the past");
  }
  return moment.toISOString();
}

/** The project or group that a share gives access to. */
export type Shared = { readonly project_id: number } | { readonly shared_group_id: number };

/** A share of a project or group with another group. */
interface Share {
  readonly group_id: number;
  readonly group_access: number;
  readonly expires_at?: string | null | undefined;
}

/**
 * Shares a project or group with a group. @throws HttpError 409 if the project or group is already shared with this
 * group
 */
export const addShare = (database: Database, of: Shared, share: Share): number =>
  refuseDuplicates(
    () => insert(database, "shares", { ...of, ...share }),
    () => refused(409, "Shared group has already been taken"),
  );

/** Returns whether a project, or one of its parent groups, is shared with a group. */
export const isSharedWith = (
  database: Database,
  project: { readonly id: number; readonly namespace_id: number },
  groupId: number,
): boolean =>
  hasRow(
    database,
    `FROM shares s WHERE s.group_id = ? AND ${notExpired("s")} AND (s.project_id = ?
       OR s.shared_group_id IN (SELECT ancestor_id FROM namespace_ancestors WHERE namespace_id = ?))`,
    groupId,
    project.id,
    project.namespace_id,
  );
