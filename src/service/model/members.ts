import type { Caller } from "../access/caller";
import { LEVEL, notExpired } from "../access/roles";
import { badRequest, refused } from "../http/errors";
import { type Bindable, type Database, refuseDuplicates } from "../store/database";
import { findGroup, type Group, maySeeGroup } from "./groups";

/** The project or group that members, shares and invitations belong to. */
export type Source = { readonly projectId: number } | { readonly groupId: number };

/** Column and id of a source, for a WHERE clause and an INSERT. */
export const sourceColumn = (source: Source): readonly [column: "project_id" | "group_id", id: number] =>
  "projectId" in source ? ["project_id", source.projectId] : ["group_id", source.groupId];

export interface NewMember {
  readonly userId: number;
  readonly level: number;
  readonly expiresAt?: string | null | undefined;
  readonly memberRoleId?: number | null | undefined;
  readonly createdById?: number | null | undefined;
}

/** Adds a direct member, or replaces an expired membership. */
export function setMember(database: Database, source: Source, member: NewMember): void {
  const [column, id] = sourceColumn(source);
  database.run(
    `INSERT OR REPLACE INTO members (${column}, user_id, access_level, expires_at, member_role_id, created_by_id, created_at) ` +
      "VALUES (?, ?, ?, ?, ?, ?, ?)",
    id,
    member.userId,
    member.level,
    member.expiresAt ?? null,
    member.memberRoleId ?? null,
    member.createdById ?? null,
    new Date().toISOString(),
  );
}

/** Whether a user is a direct member whose membership has not expired. */
export function isDirectMember(database: Database, source: Source, userId: number): boolean {
  const [column, id] = sourceColumn(source);
  return (
    database.one<Record<string, Bindable>>(
      `SELECT 1 AS found FROM members m WHERE m.${column} = ? AND m.user_id = ? AND ${notExpired("m")}`,
      id,
      userId,
    ) !== undefined
  );
}

/** Whether a user is the only Owner of a group and its parents. Projects always inherit an Owner. */
export function isLastOwner(database: Database, source: Source, userId: number): boolean {
  if ("projectId" in source) return false;
  const owners = database.all<{ userId: number }>(
    `SELECT m.user_id AS userId FROM namespace_ancestors a JOIN members m ON m.group_id = a.ancestor_id
      WHERE a.namespace_id = ? AND m.access_level = ${LEVEL.owner} AND ${notExpired("m")}`,
    source.groupId,
  );
  return owners.length === 1 && owners[0]!.userId === userId;
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
  const shaped = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2}))?$/.test(text);
  const moment = new Date(text);
  // `Date` turns 31 February into 3 March, so the day is compared with the text.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  if (
    !shaped ||
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

export interface Share {
  /** The project or group that is shared. */
  readonly of: { readonly projectId: number } | { readonly groupId: number };
  readonly withGroupId: number;
  readonly level: number;
  readonly expiresAt?: string | null | undefined;
}

/** @throws HttpError 409 if it is already shared with the group. */
export function addShare(database: Database, share: Share): number {
  return refuseDuplicates(
    () =>
      database.run(
        "INSERT INTO shares (project_id, shared_group_id, group_id, group_access, expires_at) VALUES (?, ?, ?, ?, ?)",
        "projectId" in share.of ? share.of.projectId : null,
        "groupId" in share.of ? share.of.groupId : null,
        share.withGroupId,
        share.level,
        share.expiresAt ?? null,
      ).id,
    () => refused(409, "Shared group has already been taken"),
  );
}

/** Whether a project, or one of its parent groups, is shared with a group. */
export const isSharedWith = (
  database: Database,
  project: { readonly id: number; readonly namespaceId: number },
  groupId: number,
): boolean =>
  database.one<{ found: number }>(
    `SELECT 1 AS found FROM shares s WHERE s.group_id = ? AND ${notExpired("s")} AND (s.project_id = ?
       OR s.shared_group_id IN (SELECT ancestor_id FROM namespace_ancestors WHERE namespace_id = ?))`,
    groupId,
    project.id,
    project.namespaceId,
  ) !== undefined;

interface SharedGroup {
  readonly group: Group;
  readonly level: number;
  readonly expiresAt: string | null;
}

/** Direct shares of a project or group with groups that the caller may see, oldest first. */
export const groupsSharedWith = (database: Database, caller: Caller, of: Share["of"]): SharedGroup[] =>
  database
    .all<{ groupId: number; level: number; expiresAt: string | null }>(
      `SELECT s.group_id AS groupId, s.group_access AS level, s.expires_at AS expiresAt FROM shares s
        WHERE s.${"projectId" in of ? "project_id" : "shared_group_id"} = ? AND ${notExpired("s")} ORDER BY s.rowid`,
      "projectId" in of ? of.projectId : of.groupId,
    )
    .map(({ groupId, level, expiresAt }) => ({
      group: findGroup(database, String(groupId))!,
      level,
      expiresAt,
    }))
    .filter(({ group }) => maySeeGroup(database, caller, group));
