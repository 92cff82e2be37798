import { notFound } from "../http/errors";
import type { Database } from "../store/database";
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

const now = (): string => new Date().toISOString();

/** @throws HttpError 404 */
export function mergeRequest(database: Database, projectId: number, iid: number): MergeRequest {
  const found = database.one<MergeRequest>(
    `${MERGE_REQUESTS} WHERE m.project_id = ? AND m.iid = ?`,
    projectId,
    iid,
  );
  if (found === undefined) throw notFound("Merge Request");
  return found;
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
  given: { readonly title: string; readonly source_branch: string; readonly sha: string },
): MergeRequest {
  const iid = nextIid(database, "merge_requests", projectId);
  const { id } = database.run(
    "INSERT INTO merge_requests (project_id, iid, author_id, title, source_branch, target_branch, created_at) VALUES (?, ?, ?, ?, ?, 'main', ?)",
    projectId,
    iid,
    authorId,
    given.title,
    given.source_branch,
    now(),
  );
  addVersion(database, id, given.sha);
  return mergeRequest(database, projectId, iid);
}

/** A push: a new head. As on the platform by default, approvals stay. */
export function addVersion(database: Database, mergeRequestId: number, sha: string): void {
  database.run(
    "INSERT INTO merge_request_versions (merge_request_id, sha, created_at) VALUES (?, ?, ?)",
    mergeRequestId,
    sha,
    now(),
  );
}

export function merge(database: Database, mergeRequestId: number, sha: string): void {
  database.run("UPDATE merge_requests SET merge_commit_sha = ? WHERE id = ?", sha, mergeRequestId);
}

export interface Version {
  readonly id: number;
  readonly sha: string;
  readonly created_at: string;
}

/** The versions of a merge request, the last one first. */
export const versionsOf = (database: Database, { id }: MergeRequest): Version[] =>
  database.all<Version>(
    "SELECT id, sha, created_at FROM merge_request_versions WHERE merge_request_id = ? ORDER BY id DESC",
    id,
  );

export function approve(database: Database, { id }: MergeRequest, userId: number): void {
  database.run(
    "INSERT INTO merge_request_approvals (merge_request_id, user_id, approved_at) VALUES (?, ?, ?)",
    id,
    userId,
    now(),
  );
}

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
