import { z } from "zod";
import { LEVEL, roleInProject } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { forbidden, notFound, refused, unauthorized } from "../http/errors";
import { id } from "../http/parameters";
import {
  addVersion,
  approvalsOf,
  approve,
  MERGE_REQUESTS,
  type MergeRequest,
  merge,
  mergeRequest,
  openMergeRequest,
  versionsOf,
} from "../model/merge-requests";
import { userById } from "../model/users";
import { basicUser, toBasicUser } from "../records/users";
import type { Database } from "../store/database";
import { loadInOrder, where } from "../store/selection";

const section = "settled: beyond the specification, for `steward ci`";
const PATH = "/projects/:id/merge_requests/:merge_request_iid";
const iid = { merge_request_iid: id() };
/** The platform's limit of a comment, in characters. */
const MAX_NOTE = 1_000_000;

const record = z
  .object({
    id: z.int(),
    iid: z.int(),
    project_id: z.int(),
    title: z.string(),
    state: z.enum(["opened", "merged"]),
    author: basicUser,
    source_branch: z.string(),
    target_branch: z.string(),
    sha: z.string(),
    merge_commit_sha: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: "MergeRequest" });

const toRecord = (database: Database, { author_id, ...one }: MergeRequest, origin: string) => ({
  ...one,
  state: one.merge_commit_sha === null ? ("opened" as const) : ("merged" as const),
  author: toBasicUser(userById(database, author_id)!, origin),
});

const sha = () => z.string().regex(/^[0-9a-f]{7,64}$/);

const open = endpoint({
  method: "POST",
  path: "/_steward/projects/:id/merge_requests",
  summary: "Open a merge request of the caller with this head, in place of a push",
  access: ofProject(LEVEL.developer),
  status: 201,
  input: { title: z.string().min(1), source_branch: z.string().min(1), sha: sha() },
  answer: record,
  handle: ({ database, caller, target, input, origin }) =>
    toRecord(database, openMergeRequest(database, target.id, caller.user!.id, input), origin),
});

const push = endpoint({
  method: "PUT",
  path: "/_steward/projects/:id/merge_requests/:merge_request_iid",
  summary: "Give a merge request a new head, or merge it as this commit",
  access: ofProject(LEVEL.developer),
  input: { ...iid, sha: sha().optional(), merge_commit_sha: sha().optional() },
  answer: record,
  handle: ({ database, target, input, origin }) => {
    const found = mergeRequest(database, target.id, input.merge_request_iid);
    if (input.sha !== undefined) addVersion(database, found.id, input.sha);
    if (input.merge_commit_sha !== undefined) merge(database, found.id, input.merge_commit_sha);
    return toRecord(database, mergeRequest(database, target.id, found.iid), origin);
  },
});

const get = endpoint({
  method: "GET",
  path: PATH,
  summary: "A merge request",
  access: ofProject(LEVEL.none),
  input: iid,
  answer: record,
  handle: ({ database, target, input, origin }) =>
    toRecord(database, mergeRequest(database, target.id, input.merge_request_iid), origin),
});

const ofCommit = listEndpoint({
  method: "GET",
  path: "/projects/:id/repository/commits/:sha/merge_requests",
  summary: "The merge requests that brought a commit",
  access: ofProject(LEVEL.none),
  input: { sha: sha() },
  entry: record,
  handle: ({ database, target, input, origin }) => ({
    key: "m.id",
    from: "merge_requests m",
    where: [
      where("m.project_id = ?", target.id),
      where(
        "m.merge_commit_sha = ? OR m.id IN (SELECT merge_request_id FROM merge_request_versions WHERE sha = ?)",
        input.sha,
        input.sha,
      ),
    ],
    order: ["m.id"],
    load: loadInOrder(database, MERGE_REQUESTS, "m.id", (row: MergeRequest) =>
      toRecord(database, row, origin),
    ),
  }),
});

const version = z
  .object({ id: z.int(), head_commit_sha: z.string(), created_at: z.iso.datetime() })
  .meta({ id: "MergeRequestVersion" });

const versions = endpoint({
  method: "GET",
  path: `${PATH}/versions`,
  summary: "The heads of a merge request, the last one first",
  access: ofProject(LEVEL.none),
  input: iid,
  answer: z.array(version),
  handle: ({ database, target, input }) =>
    versionsOf(database, mergeRequest(database, target.id, input.merge_request_iid)).map(
      ({ sha, ...rest }) => ({
        ...rest,
        head_commit_sha: sha,
      }),
    ),
});

const approvalState = z
  .object({
    approved: z.boolean(),
    approved_by: z.array(z.object({ user: basicUser, approved_at: z.iso.datetime() })),
  })
  .meta({ id: "Approvals" });

const approvalsRecord = (database: Database, found: MergeRequest, origin: string) => {
  const all = approvalsOf(database, found);
  return {
    approved: all.length > 0,
    approved_by: all.map(({ user, approved_at }) => ({ user: toBasicUser(user, origin), approved_at })),
  };
};

const approvals = endpoint({
  method: "GET",
  path: `${PATH}/approvals`,
  summary: "Who approved a merge request, and when",
  access: ofProject(LEVEL.none),
  input: iid,
  answer: approvalState,
  handle: ({ database, target, input, origin }) =>
    approvalsRecord(database, mergeRequest(database, target.id, input.merge_request_iid), origin),
});

const approveOne = endpoint({
  method: "POST",
  path: `${PATH}/approve`,
  summary: "Approve a merge request, with `sha` only this head",
  access: ofProject(LEVEL.developer),
  status: 201,
  input: { ...iid, sha: sha().optional() },
  answer: approvalState,
  handle: ({ database, caller, target, input, origin }) => {
    const found = mergeRequest(database, target.id, input.merge_request_iid);
    if (input.sha !== undefined && input.sha !== found.sha)
      throw refused(409, "SHA does not match HEAD of source branch");
    // As on the platform: nobody approves twice.
    if (approvalsOf(database, found).some(({ user }) => user.id === caller.user!.id)) throw unauthorized();
    approve(database, found, caller.user!.id);
    return approvalsRecord(database, found, origin);
  },
});

interface NoteRow {
  readonly id: number;
  readonly author_id: number;
  readonly body: string;
  readonly created_at: string;
  readonly updated_at: string;
}

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

const noteLoader = (database: Database, origin: string) =>
  loadInOrder(
    database,
    "SELECT id, author_id, body, created_at, updated_at FROM notes",
    "id",
    ({ author_id, ...row }: NoteRow) => ({
      ...row,
      system: false as const,
      author: toBasicUser(userById(database, author_id)!, origin),
    }),
  );

const body = () => z.string().min(1).max(MAX_NOTE);

const notes = listEndpoint({
  method: "GET",
  path: `${PATH}/notes`,
  summary: "The comments of a merge request, the last one first",
  access: ofProject(LEVEL.none),
  input: iid,
  entry: note,
  handle: ({ database, target, input, origin }) => ({
    key: "n.id",
    from: "notes n",
    where: [where("n.merge_request_id = ?", mergeRequest(database, target.id, input.merge_request_iid).id)],
    order: [],
    descending: true,
    load: noteLoader(database, origin),
  }),
});

const newNote = endpoint({
  method: "POST",
  path: `${PATH}/notes`,
  summary: "Comment on a merge request",
  access: ofProject(LEVEL.reporter),
  status: 201,
  input: { ...iid, body: body() },
  answer: note,
  handle: ({ database, caller, target, input, origin }) => {
    const { id: of } = mergeRequest(database, target.id, input.merge_request_iid);
    const at = new Date().toISOString();
    const sql =
      "INSERT INTO notes (merge_request_id, author_id, body, created_at, updated_at) VALUES (?, ?, ?, ?, ?)";
    const { id: noteId } = database.run(sql, of, caller.user!.id, input.body, at, at);
    return noteLoader(database, origin)([noteId])[0]!;
  },
});

const editNote = endpoint({
  method: "PUT",
  path: `${PATH}/notes/:note_id`,
  summary: "Edit a comment of one's own, or as Maintainer any",
  access: ofProject(LEVEL.reporter),
  input: { ...iid, note_id: id(), body: body() },
  answer: note,
  handle: ({ database, caller, target, input, origin }) => {
    const { id: of } = mergeRequest(database, target.id, input.merge_request_iid);
    const found = database.one<NoteRow>(
      "SELECT id, author_id FROM notes WHERE id = ? AND merge_request_id = ?",
      input.note_id,
      of,
    );
    if (found === undefined) throw notFound("Note");
    const isOwn = found.author_id === caller.user!.id;
    if (!isOwn && roleInProject(database, caller, target) < LEVEL.maintainer) throw forbidden();
    const at = new Date().toISOString();
    database.run("UPDATE notes SET body = ?, updated_at = ? WHERE id = ?", input.body, at, found.id);
    return noteLoader(database, origin)([found.id])[0]!;
  },
});

export const mergeRequestEndpoints = inSection(section, [
  ...[open, push, get, ofCommit, versions],
  ...[approvals, approveOne, notes, newNote, editNote],
]);
