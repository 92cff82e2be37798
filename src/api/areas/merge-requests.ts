import * as z from "zod/mini";
import { type CallOptions, listOperation, operation, operationsOf, type Reference } from "../calls/operation";
import { defineArea, type OperationSender } from "../calls/operation-sender";
import { list } from "../calls/pagination";
import { id, listOf, text, textOrNull } from "../fields";

const section = "Beyond the specification";

const author = z.object({ id, username: text });

const mergeRequest = z.object({ id, iid: id, sha: text, author });
/** A merge request; `sha` is its head. */
export type MergeRequest = z.output<typeof mergeRequest>;

const version = z.object({ id, head_commit_sha: text, created_at: text });
/** A head of a merge request, and since when. */
export type MergeRequestVersion = z.output<typeof version>;

const approvals = z.object({
  approved_by: listOf(z.object({ user: author, approved_at: textOrNull })),
});
/** Who approved; platforms before 18.11 do not say when. */
export type Approvals = z.output<typeof approvals>;

const note = z.object({ id, body: text, author, updated_at: text });
/** A comment. */
export type Note = z.output<typeof note>;

const body = z.strictObject({ body: z.string() });
const PATH = "/projects/:id/merge_requests/:iid";

const operations = operationsOf("mergeRequests", section, {
  ofCommit: listOperation({
    summary: "Lists the merge requests that brought a commit.",
    method: "GET",
    path: "/projects/:id/repository/commits/:sha/merge_requests",
    answer: mergeRequest,
    pagination: "offset",
    key: ({ id }: MergeRequest) => String(id),
  }),
  versions: listOperation({
    summary: "Lists the heads of a merge request, the last one first.",
    method: "GET",
    path: `${PATH}/versions`,
    answer: version,
    pagination: "none",
    key: ({ id }: MergeRequestVersion) => String(id),
  }),
  approvals: operation({
    summary: "Reads who approved a merge request.",
    method: "GET",
    path: `${PATH}/approvals`,
    answer: approvals,
  }),
  notes: listOperation({
    summary: "Lists the comments of a merge request.",
    method: "GET",
    path: `${PATH}/notes`,
    answer: note,
    pagination: "offset",
    key: ({ id }: Note) => String(id),
  }),
  comment: operation({
    summary: "Comments on a merge request.",
    method: "POST",
    path: `${PATH}/notes`,
    parameters: body,
    answer: note,
  }),
  editComment: operation({
    summary: "Replaces the text of a comment.",
    method: "PUT",
    path: `${PATH}/notes/:note`,
    parameters: body,
    answer: note,
  }),
});

/** Merge requests: their heads, approvals and comments. */
function methods(sender: OperationSender) {
  return {
    /** The merge requests that brought a commit. */
    ofCommit: (id: Reference, sha: string, options?: CallOptions) =>
      list(sender, operations.ofCommit, { path: { id, sha } }, options),
    /** The heads of a merge request, the last one first. */
    versions: (id: Reference, iid: number, options?: CallOptions) =>
      list(sender, operations.versions, { path: { id, iid } }, options),
    /** Who approved it. */
    approvals: (id: Reference, iid: number, options?: CallOptions) =>
      sender.call(operations.approvals, { path: { id, iid } }, options),
    /** Its comments. */
    notes: (id: Reference, iid: number, options?: CallOptions) =>
      list(sender, operations.notes, { path: { id, iid } }, options),
    /** Comments on it, with up to a million characters. */
    comment: (id: Reference, iid: number, body: string, options?: CallOptions) =>
      sender.call(operations.comment, { path: { id, iid }, parameters: { body } }, options),
    /** Replaces the text of a comment of the token's user. */
    editComment: (id: Reference, iid: number, note: number, body: string, options?: CallOptions) =>
      sender.call(operations.editComment, { path: { id, iid, note }, parameters: { body } }, options),
  };
}

export const mergeRequests = defineArea({
  operations: Object.values(operations),
  client: (sender) => ({ mergeRequests: methods(sender) }),
});
