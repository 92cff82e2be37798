import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { type Call, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { found, notFound, refused, unauthorized } from "../http/errors";
import { id } from "../http/parameters";
import type { Project } from "../model/projects";
import { basicUser, toBasicUser, userById, withAuthor } from "../model/users";
import { type Database, insert, now, update } from "../store/database";
import { loadInOrder, where, whereGiven } from "../store/selection";
import { recordPush } from "./pushes";

export const PATH = "/projects/:id/merge_requests/:merge_request_iid";
export const iid = { merge_request_iid: id() };

const state = z.enum(["opened", "closed", "merged"]);

const record = z
  .object({
    id: z.int(),
    iid: z.int(),
    project_id: z.int(),
    title: z.string(),
    state,
    author: basicUser,
    source_branch: z.string(),
    source_project_id: z.int(),
    target_branch: z.string(),
    sha: z.string(),
    merge_commit_sha: z.string().nullable(),
    squash_commit_sha: z.string().nullable(),
    created_at: z.iso.datetime(),
    merged_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "MergeRequest" });

/** A row of `MERGE_REQUESTS`. The field `sha` is the commit of the last version of the merge request. */
type MergeRequest = Omit<z.output<typeof record>, "author" | "source_project_id"> & {
  readonly author_id: number;
};

const MERGE_REQUESTS = `SELECT m.*, (SELECT v.sha FROM merge_request_versions v WHERE v.merge_request_id = m.id ORDER BY v.id DESC LIMIT 1) AS sha
  FROM merge_requests m`;

type Viewer = Pick<Call<unknown, unknown>, "database" | "origin">;

/**
 * Converts the database row of a merge request to a record of the API. The service has no forks, so both branches of
 * a merge request are in one project.
 */
const toRecord = ({ database, origin }: Viewer, row: MergeRequest) =>
  withAuthor(database, origin, { ...row, source_project_id: row.project_id });

const requestLoader = (viewer: Viewer) =>
  loadInOrder(viewer.database, MERGE_REQUESTS, "m.id", (row: MergeRequest) => toRecord(viewer, row));

/**
 * Returns the merge request that the path of a request names.
 *
 * @throws HttpError 404
 */
export function named({
  database,
  target,
  input,
}: Call<Project, { merge_request_iid: number }>): MergeRequest {
  const sql = `${MERGE_REQUESTS} WHERE m.project_id = ? AND m.iid = ?`;
  return found(database.one<MergeRequest>(sql, target.id, input.merge_request_iid), "Merge Request");
}

/** Returns the `iid` for the next merge request or issue of a project. */
export const nextIid = (database: Database, table: "merge_requests" | "issues", projectId: number): number =>
  database.one<{ iid: number }>(
    `SELECT coalesce(max(iid), 0) + 1 AS iid FROM ${table} WHERE project_id = ?`,
    projectId,
  )!.iid;

/** Records a push that gives the merge request a new head. As on the platform by default, approvals stay. */
function pushHead(database: Database, mergeRequest: Pushed, sha: string, author_id: number): void {
  const { id: merge_request_id, project_id, source_branch: ref } = mergeRequest;
  recordPush(database, { project_id, ref, sha, author_id });
  insert(database, "merge_request_versions", { merge_request_id, sha, created_at: now() });
}

/**
 * Records the push with which a merge changes the target branch. The pushed commit is the merge commit or the squash
 * commit; after a fast-forward, it is the head of the merge request.
 */
function pushMerge(database: Database, merged: MergeRequest, author_id: number): void {
  const { project_id, target_branch: ref } = merged;
  const sha = merged.merge_commit_sha ?? merged.squash_commit_sha ?? merged.sha;
  const sql = "SELECT 1 FROM pushes WHERE project_id = ? AND ref = ? AND sha = ?";
  if (database.one(sql, project_id, ref, sha) === undefined)
    recordPush(database, { project_id, ref, sha, author_id });
}

type Pushed = Pick<MergeRequest, "id" | "project_id" | "source_branch">;

const sha = () => z.string().regex(/^[0-9a-f]{7,64}$/);

const approvalState = z
  .object({
    approved: z.boolean(),
    approved_by: z.array(z.object({ user: basicUser, approved_at: z.iso.datetime() })),
  })
  .meta({ id: "Approvals" });

const approvalsOf = (database: Database, { id }: MergeRequest) =>
  database.all<{ readonly user_id: number; readonly approved_at: string }>(
    "SELECT user_id, approved_at FROM merge_request_approvals WHERE merge_request_id = ? ORDER BY approved_at, user_id",
    id,
  );

function approvalsRecord({ database, origin }: Viewer, known: MergeRequest) {
  const all = approvalsOf(database, known);
  return {
    approved: all.length > 0,
    approved_by: all.map(({ user_id, approved_at }) => ({
      user: toBasicUser(userById(database, user_id)!, origin),
      approved_at,
    })),
  };
}

const version = z
  .object({ id: z.int(), head_commit_sha: z.string(), created_at: z.iso.datetime() })
  .meta({ id: "MergeRequestVersion" });

export const mergeRequestEndpoints = inSection("settled: beyond the specification, for `steward ci`", [
  endpoint({
    route: "POST /_steward/projects/:id/merge_requests",
    summary: "Open a merge request of the caller with this head, in place of a push",
    access: ofProject(LEVEL.developer),
    input: { title: z.string().min(1), source_branch: z.string().min(1), sha: sha() },
    answer: record,
    handle: (call) => {
      const { database, caller, target, input } = call;
      const iid = nextIid(database, "merge_requests", target.id);
      const { sha: head, ...given } = input;
      const author_id = caller.user!.id;
      const project_id = target.id;
      const newId = insert(database, "merge_requests", {
        project_id,
        iid,
        author_id,
        ...given,
        target_branch: "main",
        created_at: now(),
      });
      pushHead(database, { id: newId, project_id, source_branch: given.source_branch }, head, author_id);
      return toRecord(call, named({ ...call, input: { merge_request_iid: iid } }));
    },
  }),
  endpoint({
    route: "PUT /_steward/projects/:id/merge_requests/:merge_request_iid",
    summary: "Push a new head of a merge request, merge it as this commit, or close it",
    access: ofProject(LEVEL.developer),
    input: {
      ...iid,
      sha: sha().optional(),
      merge_commit_sha: sha().optional(),
      squash_commit_sha: sha().optional(),
      // For a fast-forward merge, the request contains only the state: the head of the merge request becomes the
      // merged commit.
      state: state.optional(),
      target_branch: z.string().min(1).optional(),
    },
    answer: record,
    handle: (call) => {
      const { database, caller, input } = call;
      const known = named(call);
      if (input.sha !== undefined) pushHead(database, known, input.sha, caller.user!.id);
      const { merge_commit_sha, squash_commit_sha, target_branch } = input;
      const isMerged = merge_commit_sha !== undefined || squash_commit_sha !== undefined;
      const changed = input.state ?? (isMerged ? ("merged" as const) : undefined);
      update(database, "merge_requests", known.id, {
        merge_commit_sha,
        squash_commit_sha,
        target_branch,
        state: changed,
        ...(changed === "merged" && known.state !== "merged" && { merged_at: now() }),
      });
      const merged = named(call);
      if (merged.state === "merged") pushMerge(database, merged, caller.user!.id);
      return toRecord(call, merged);
    },
  }),
  listEndpoint({
    route: "GET /projects/:id/merge_requests",
    summary: "The merge requests of a project, the last one first",
    access: ofProject(LEVEL.none),
    input: {
      state: z.enum(["opened", "closed", "merged", "all"]).default("all"),
      target_branch: z.string().optional(),
      order_by: z.enum(["created_at", "merged_at"]).default("created_at"),
    },
    entry: record,
    handle: ({ target, input, ...viewer }) => ({
      key: "m.id",
      from: "merge_requests m",
      where: [
        where("m.project_id = ?", target.id),
        ...(input.state === "all" ? [] : [where("m.state = ?", input.state)]),
        ...whereGiven(input.target_branch, (branch) => where("m.target_branch = ?", branch)),
      ],
      order: [input.order_by === "merged_at" ? "coalesce(m.merged_at, '')" : "m.created_at"],
      isDescending: true,
      load: requestLoader(viewer),
    }),
  }),
  endpoint({
    route: `GET ${PATH}`,
    summary: "A merge request",
    access: ofProject(LEVEL.none),
    input: iid,
    answer: record,
    handle: (call) => toRecord(call, named(call)),
  }),
  listEndpoint({
    route: "GET /projects/:id/repository/commits/:sha/merge_requests",
    summary: "The merge requests that brought a commit",
    access: ofProject(LEVEL.none),
    input: { sha: sha() },
    entry: record,
    handle: ({ target, input, ...viewer }) => ({
      key: "m.id",
      from: "merge_requests m",
      where: [
        where("m.project_id = ?", target.id),
        where(
          "m.merge_commit_sha = ? OR m.squash_commit_sha = ? OR m.id IN (SELECT merge_request_id FROM merge_request_versions WHERE sha = ?)",
          input.sha,
          input.sha,
          input.sha,
        ),
      ],
      order: ["m.id"],
      load: requestLoader(viewer),
    }),
  }),
  endpoint({
    route: `GET ${PATH}/versions`,
    summary: "The heads of a merge request, the last one first",
    access: ofProject(LEVEL.none),
    input: iid,
    answer: z.array(version),
    handle: (call) =>
      call.database.all(
        "SELECT id, sha AS head_commit_sha, created_at FROM merge_request_versions WHERE merge_request_id = ? ORDER BY id DESC",
        named(call).id,
      ),
  }),
  endpoint({
    route: `GET ${PATH}/approvals`,
    summary: "Who approved a merge request, and when",
    access: ofProject(LEVEL.none),
    input: iid,
    answer: approvalState,
    handle: (call) => approvalsRecord(call, named(call)),
  }),
  endpoint({
    route: `POST ${PATH}/approve`,
    summary: "Approve a merge request, with `sha` only this head",
    access: ofProject(LEVEL.developer),
    input: { ...iid, sha: sha().optional() },
    answer: approvalState,
    handle: (call) => {
      const { database, caller, input } = call;
      const known = named(call);
      if (input.sha !== undefined && input.sha !== known.sha)
        throw refused(409, "SHA does not match HEAD of source branch");
      // As on the platform, a user can approve only once.
      const user_id = caller.user!.id;
      if (approvalsOf(database, known).some((one) => one.user_id === user_id)) throw unauthorized();
      const approval = { merge_request_id: known.id, user_id, approved_at: now() };
      insert(database, "merge_request_approvals", approval);
      return approvalsRecord(call, known);
    },
  }),
  endpoint({
    route: `POST ${PATH}/unapprove`,
    summary: "Take the caller's approval back",
    access: ofProject(LEVEL.developer),
    input: iid,
    answer: approvalState,
    handle: (call) => {
      const { database, caller } = call;
      const known = named(call);
      const user_id = caller.user!.id;
      if (!approvalsOf(database, known).some((one) => one.user_id === user_id)) throw notFound("Approval");
      const sql = "DELETE FROM merge_request_approvals WHERE merge_request_id = ? AND user_id = ?";
      database.run(sql, known.id, user_id);
      return approvalsRecord(call, known);
    },
  }),
]);
