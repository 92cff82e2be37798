import type { MergeRequest, Note } from "../../api";
import { approvalIn } from "./comment";
import type { GivenApproval } from "./entitled";
import type { Platform } from "./platform";
import { pushersOf } from "./pushers";

/** The changes that a comment asks people to approve, and the approvals of the comment's merge request. */
export interface Asked {
  readonly digest: string;
  /** The text of the comment that asks for the approval. */
  readonly body: string;
  readonly given: readonly GivenApproval[];
}

/**
 * Reads the approvals of a merge request. An approval counts only if it is newer than the last push, and newer than the text of
 * the comment.
 *
 * @param comment the comment that the token's user wrote for this app
 * @returns undefined if the comment does not ask people to approve the head of the request
 * @throws PushersUnknown
 */
export async function askedIn(
  platform: Platform,
  request: MergeRequest,
  comment: Note,
): Promise<Asked | undefined> {
  const { client, project } = platform;
  const { iid, sha, author } = request;
  const asked = approvalIn(comment.body);
  if (asked === undefined || asked.commit !== sha) return undefined;
  const heads = await client.mergeRequests.versions(project, iid).toArray();
  const pushed = heads.find(({ head_commit_sha: head }) => head === sha);
  const since = Math.max(
    Date.parse(comment.updated_at),
    Date.parse(pushed?.created_at ?? "") || Number.POSITIVE_INFINITY,
  );
  const { approved_by: approvals } = await client.mergeRequests.approvals(project, iid);
  const pushers = await pushersOf(platform, request, heads);
  return {
    digest: asked.digest,
    body: comment.body,
    given: approvals.map(({ user, approved_at: at }) => ({
      user: user.id,
      username: user.username,
      isEarly: at === null || !(Date.parse(at) >= since),
      isAuthor: user.id === author.id,
      isPusher: pushers.has(user.id),
      isOwn: user.id === platform.user,
    })),
  };
}
