import { z } from "zod";
import { LEVEL, roleIn } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { type Call, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { forbidden, found, notFound, refused, unauthorized } from "../http/errors";
import { id } from "../http/parameters";
import type { Project } from "../model/projects";
import { basicUser, toBasicUser, userById, withAuthor } from "../model/users";
import { type Database, insert, now, update } from "../store/database";
import { loadInOrder, where } from "../store/selection";
import { recordPush } from "./pushes";

const PATH = "/projects/:id/merge_requests/:merge_request_iid";
const iid = { merge_request_iid: id() };
/** The platform's limit of a comment, in characters. */
const MAX_NOTE = 1_000_000;

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
  })
  .meta({ id: "MergeRequest" });

/** A merge request with its head: the commit of its last version. */
type MergeRequest = Omit<z.output<typeof record>, "author" | "source_project_id"> & {
  readonly author_id: number;
};

const MERGE_REQUESTS = `SELECT m.*, (SELECT v.sha FROM merge_request_versions v WHERE v.merge_request_id = m.id ORDER BY v.id DESC LIMIT 1) AS sha
  FROM merge_requests m`;

type Viewer = Pick<Call<unknown, unknown>, "database" | "origin">;

/** The service has no forks: a request's branch is in its own project. */
const toRecord = ({ database, origin }: Viewer, row: MergeRequest) =>
  withAuthor(database, origin, { ...row, source_project_id: row.project_id });

/** The merge request that a path names. @throws HttpError 404 */
function named({ database, target, input }: Call<Project, { merge_request_iid: number }>): MergeRequest {
  const sql = `${MERGE_REQUESTS} WHERE m.project_id = ? AND m.iid = ?`;
  return found(database.one<MergeRequest>(sql, target.id, input.merge_request_iid), "Merge Request");
}

/** The number of the next record of a project. */
export const nextIid = (database: Database, table: "merge_requests" | "issues", projectId: number): number =>
  database.one<{ iid: number }>(
    `SELECT coalesce(max(iid), 0) + 1 AS iid FROM ${table} WHERE project_id = ?`,
    projectId,
  )!.iid;

/** A push: a new head of the request. As on the platform by default, approvals stay. */
function pushHead(database: Database, mergeRequest: Pushed, sha: string, author_id: number): void {
  const { id: merge_request_id, project_id, source_branch: ref } = mergeRequest;
  recordPush(database, { project_id, ref, sha, author_id });
  insert(database, "merge_request_versions", { merge_request_id, sha, created_at: now() });
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

const note = z
  .object({
    id: z.int(),
    body: z.string(),
    author: basicUser,
    system: z.literal(false),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "Note" });

type NoteRow = Omit<z.output<typeof note>, "author" | "system"> & { readonly author_id: number };

const noteLoader = (database: Database, origin: string) =>
  loadInOrder(
    database,
    "SELECT id, author_id, body, created_at, updated_at FROM notes",
    "id",
    (row: NoteRow) => withAuthor(database, origin, { ...row, system: false as const }),
  );

const body = () => z.string().min(1).max(MAX_NOTE);

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
      // A merge by a fast-forward has only this: its commit is the head.
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
      });
      return toRecord(call, named(call));
    },
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
      load: loadInOrder(viewer.database, MERGE_REQUESTS, "m.id", (row: MergeRequest) =>
        toRecord(viewer, row),
      ),
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
      // As on the platform: nobody approves twice.
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
  listEndpoint({
    route: `GET ${PATH}/notes`,
    summary: "The comments of a merge request, the last one first",
    access: ofProject(LEVEL.none),
    input: iid,
    entry: note,
    handle: (call) => ({
      key: "n.id",
      from: "notes n",
      where: [where("n.merge_request_id = ?", named(call).id)],
      isDescending: true,
      load: noteLoader(call.database, call.origin),
    }),
  }),
  endpoint({
    route: `POST ${PATH}/notes`,
    summary: "Comment on a merge request",
    access: ofProject(LEVEL.reporter),
    input: { ...iid, body: body() },
    answer: note,
    handle: (call) => {
      const { database, caller, input, origin } = call;
      const at = now();
      const noteId = insert(database, "notes", {
        merge_request_id: named(call).id,
        author_id: caller.user!.id,
        body: input.body,
        created_at: at,
        updated_at: at,
      });
      return noteLoader(database, origin)([noteId])[0]!;
    },
  }),
  endpoint({
    route: `PUT ${PATH}/notes/:note_id`,
    summary: "Edit a comment of one's own, or as Maintainer any",
    access: ofProject(LEVEL.reporter),
    input: { ...iid, note_id: id(), body: body() },
    answer: note,
    handle: (call) => {
      const { database, caller, target, input, origin } = call;
      const sql = "SELECT id, author_id FROM notes WHERE id = ? AND merge_request_id = ?";
      const known = found(database.one<NoteRow>(sql, input.note_id, named(call).id), "Note");
      const isOwn = known.author_id === caller.user!.id;
      if (!isOwn && roleIn(database, caller, target) < LEVEL.maintainer) throw forbidden();
      update(database, "notes", known.id, { body: input.body, updated_at: now() });
      return noteLoader(database, origin)([known.id])[0]!;
    },
  }),
]);
