import { z } from "zod";
import { found } from "../http/errors";
import { type Database, insert, now, update } from "../store/database";
import { type User, userById } from "./users";

/** A merge request with its head: the commit of its last version. */
export interface MergeRequest {
  readonly id: number;
  readonly iid: number;
  readonly project_id: number;
  readonly author_id: number;
  readonly title: string;
  readonly source_branch: string;
  readonly target_branch: string;
  readonly merge_commit_sha: string | null;
  readonly created_at: string;
  readonly sha: string;
}

export const MERGE_REQUESTS = `SELECT m.*, (SELECT v.sha FROM merge_request_versions v WHERE v.merge_request_id = m.id ORDER BY v.id DESC LIMIT 1) AS sha
  FROM merge_requests m`;

/** @throws HttpError 404 */
export function mergeRequest(database: Database, projectId: number, iid: number): MergeRequest {
  const sql = `${MERGE_REQUESTS} WHERE m.project_id = ? AND m.iid = ?`;
  return found(database.one<MergeRequest>(sql, projectId, iid), "Merge Request");
}

/** The number of the next record of a project. */
export const nextIid = (database: Database, table: "merge_requests" | "issues", projectId: number): number =>
  database.one<{ iid: number }>(
    `SELECT coalesce(max(iid), 0) + 1 AS iid FROM ${table} WHERE project_id = ?`,
    projectId,
  )!.iid;

export function openMergeRequest(
  database: Database,
  projectId: number,
  authorId: number,
  { sha, ...given }: { readonly title: string; readonly source_branch: string; readonly sha: string },
): MergeRequest {
  const iid = nextIid(database, "merge_requests", projectId);
  const project = { project_id: projectId, iid, author_id: authorId };
  const id = insert(database, "merge_requests", {
    ...project,
    ...given,
    target_branch: "main",
    created_at: now(),
  });
  addVersion(database, id, sha);
  return mergeRequest(database, projectId, iid);
}

/** A push: a new head. As on the platform by default, approvals stay. */
export const addVersion = (database: Database, mergeRequestId: number, sha: string): void =>
  void insert(database, "merge_request_versions", {
    merge_request_id: mergeRequestId,
    sha,
    created_at: now(),
  });

export const merge = (database: Database, mergeRequestId: number, sha: string): void =>
  update(database, "merge_requests", mergeRequestId, { merge_commit_sha: sha });

export const version = z
  .object({ id: z.int(), head_commit_sha: z.string(), created_at: z.iso.datetime() })
  .meta({ id: "MergeRequestVersion" });

/** The versions of a merge request, the last one first. */
export const versionsOf = (database: Database, { id }: MergeRequest): z.output<typeof version>[] =>
  database.all(
    "SELECT id, sha AS head_commit_sha, created_at FROM merge_request_versions WHERE merge_request_id = ? ORDER BY id DESC",
    id,
  );

export const approve = (database: Database, { id }: MergeRequest, userId: number): void =>
  void insert(database, "merge_request_approvals", {
    merge_request_id: id,
    user_id: userId,
    approved_at: now(),
  });

export const approvalsOf = (
  database: Database,
  { id }: MergeRequest,
): { readonly user: User; readonly approved_at: string }[] =>
  database
    .all<{ user_id: number; approved_at: string }>(
      "SELECT user_id, approved_at FROM merge_request_approvals WHERE merge_request_id = ? ORDER BY approved_at, user_id",
      id,
    )
    .map(({ user_id, approved_at }) => ({ user: userById(database, user_id)!, approved_at }));
