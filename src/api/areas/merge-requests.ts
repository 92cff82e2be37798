import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { hasAskedId, listOperation, operation, parameterOf } from "../calls/operation";
import { id, idOrNull, listOf, orNull, text, textOrNull } from "../fields";

const author = z.object({ id, username: text });

const mergeRequest = z.object({
  id,
  iid: id,
  project_id: id,
  sha: text,
  author,
  state: text,
  source_branch: text,
  source_project_id: idOrNull,
  target_branch: text,
  merge_commit_sha: textOrNull,
  squash_commit_sha: textOrNull,
});
/**
 * A merge request. `sha` is the head: the newest commit of the source branch. A merge sets `merge_commit_sha`, and
 * a squash sets `squash_commit_sha`. A fast-forward merge sets neither field, because the head itself becomes the
 * merged commit. `source_project_id` is null if the fork that contained the branch is deleted.
 */
export type MergeRequest = z.output<typeof mergeRequest>;

const version = z.object({ id, head_commit_sha: text, created_at: text });
/** A version of a merge request: the head after one push, and the time of the push. */
export type MergeRequestVersion = z.output<typeof version>;

const approvals = z.object({
  approved_by: listOf(z.object({ user: author, approved_at: textOrNull })),
});
/** The users who approved a merge request, with the times. Platforms before 18.11 do not return the times. */
export type Approvals = z.output<typeof approvals>;

const note = z.object({ id, body: text, author, updated_at: text });
/** A comment. */
export type Note = z.output<typeof note>;

const reaction = z.object({ id, name: text, user: author });
/** An emoji reaction to a comment. */
export type Reaction = z.output<typeof reaction>;

const push = z.object({
  id,
  author,
  created_at: text,
  push_data: orNull(
    z.object({ action: textOrNull, ref_type: textOrNull, ref: textOrNull, commit_to: textOrNull }),
  ),
});
/**
 * A push to a project. If one push changed many branches, the service returns a single event for the push, without
 * `ref` and without a commit (https://docs.gitlab.com/administration/settings/push_event_activities_limit/).
 */
export type Push = z.output<typeof push>;

const body = z.strictObject({ body: z.string() });
const PATH = "/projects/:id/merge_requests/:iid";

/** Merge requests: their heads, approvals and comments. */
export const mergeRequests = defineArea("mergeRequests", "Beyond the specification", {
  /** Lists the merge requests whose merge added the given commit to a branch. */
  ofCommit: listOperation("/projects/:id/repository/commits/:sha/merge_requests", {
    summary: "Lists the merge requests that brought a commit.",
    answer: mergeRequest,
  }),
  /**
   * Lists the merge requests of a project, the last merged request first (https://docs.gitlab.com/api/merge_requests/).
   */
  ofProject: listOperation("/projects/:id/merge_requests", {
    summary: "Lists the merge requests of a project.",
    parameters: z.strictObject({
      state: z.optional(z.enum(["opened", "merged"])),
      target_branch: z.optional(z.string()),
      order_by: z.optional(z.literal("merged_at")),
    }),
    answer: mergeRequest,
  }),
  /** Lists the versions of a merge request, newest first. */
  versions: listOperation(`${PATH}/versions`, {
    summary: "Lists the heads of a merge request, the last head first.",
    answer: version,
    pagination: "none",
  }),
  /** Lists the pushes to a project, newest first (https://docs.gitlab.com/api/events/). */
  pushes: listOperation("/projects/:id/events", {
    summary: "Lists the pushes to a project, the last push first.",
    parameters: z.strictObject({ action: z.optional(z.literal("pushed")) }),
    answer: push,
  }),
  /** Reads the approvals of a merge request. */
  approvals: operation(`GET ${PATH}/approvals`, {
    summary: "Reads who approved a merge request.",
    answer: approvals,
  }),
  /** Lists the comments of a merge request. */
  notes: listOperation(`${PATH}/notes`, {
    summary: "Lists the comments of a merge request.",
    answer: note,
  }),
  /** Adds a comment of up to a million characters. */
  comment: operation(`POST ${PATH}/notes`, {
    summary: "Comments on a merge request.",
    parameters: body,
    answer: note,
  }),
  /** Replaces the text of a comment that the token's user wrote. */
  editComment: operation(`PUT ${PATH}/notes/:note`, {
    summary: "Replaces the text of a comment.",
    parameters: body,
    answer: note,
    isAbout: hasAskedId("note"),
  }),
  /**
   * Lists the reactions to a comment. Only the author of a reaction and administrators can remove this reaction
   * (https://docs.gitlab.com/api/emoji_reactions/).
   */
  reactions: listOperation(`${PATH}/notes/:note/award_emoji`, {
    summary: "Lists the reactions to a comment.",
    answer: reaction,
  }),
  /** Adds a reaction to a comment. The service responds 404 if the token's user has already added the same reaction. */
  react: operation(`POST ${PATH}/notes/:note/award_emoji`, {
    summary: "Reacts to a comment with an emoji.",
    parameters: z.strictObject({ name: z.string() }),
    answer: reaction,
    isAbout: ({ name }, given) => name === parameterOf(given, "name"),
  }),
});
