import type { Caller } from "../access/caller";
import { notExpired } from "../access/roles";
import { refused } from "../http/errors";
import { type Database, refuseDuplicates } from "../store/database";
import { findGroup, type Group, maySeeGroup } from "./groups";

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
