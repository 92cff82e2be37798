import type { MergeRequest, Push } from "../../api";
import type { Platform } from "./platform";

/** The error if the platform's records do not show who pushed a commit of a merge request. */
export class PushersUnknown extends Error {
  override readonly name = "PushersUnknown";
}

/**
 * Reads the users who pushed to the branch of a merge request. Steward reads the platform's own records of pushes, because
 * anybody can write any author into a commit. The record of a push of many branches does not name the branches
 * (https://docs.gitlab.com/administration/settings/push_event_activities_limit/), so the user who made the push counts too.
 *
 * Pushes after the push of the request's head belong to a later request from a branch of this name. The search ends at the
 * push that created the branch before the request was opened. Older pushes belong to an earlier branch of this name.
 *
 * @param heads all heads that the request had, with their times
 * @returns the ids of users
 * @throws PushersUnknown unless a push of each head is recorded
 */
export async function pushersOf(
  { client }: Pick<Platform, "client">,
  { sha, source_branch: branch, source_project_id: project }: MergeRequest,
  heads: readonly { readonly head_commit_sha: string; readonly created_at: string }[],
): Promise<ReadonlySet<number>> {
  if (project === null) throw new PushersUnknown("the fork that the branch belongs to is gone");
  const opened = Math.min(...heads.map(({ created_at: at }) => Date.parse(at)));
  const missing = new Set([sha, ...heads.map(({ head_commit_sha: head }) => head)]);
  const pushers = new Set<number>();
  let isInRequest = false;
  for await (const { author, created_at: at, push_data: push } of client.mergeRequests.pushes(project, {
    action: "pushed",
  })) {
    if (!mayChange(push, branch)) continue;
    isInRequest ||= push?.commit_to === sha;
    if (!isInRequest) continue;
    pushers.add(author.id);
    if (push?.ref !== branch) continue;
    missing.delete(push.commit_to ?? "");
    if (push.action === "created" && missing.size === 0 && Date.parse(at) <= opened) break;
  }
  const [unknown] = missing;
  if (unknown !== undefined)
    throw new PushersUnknown(`the platform has no record of the push of ${unknown} to ${branch}`);
  return pushers;
}

/** Returns true if a push may have changed the branch. The removal of a branch does not count, because it brings no commit. */
const mayChange = (push: Push["push_data"], branch: string): boolean =>
  push?.action !== "removed" && push?.ref_type !== "tag" && (push?.ref ?? branch) === branch;
