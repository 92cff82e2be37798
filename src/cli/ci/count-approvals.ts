import type { MergeRequest } from "../../api";
import { approvalIn, commentMarker, findComment } from "./comment";
import type { Platform } from "./platform";

/** What was approved in a merge request, and by whom. */
export interface Approved {
  readonly digest: string;
  /** The usernames of those who approved this digest of this head, without the author. */
  readonly by: readonly string[];
}

/**
 * Who approved what the comment asks to approve. An approval counts if it was given after the last push and after the comment
 * had this digest, by somebody else than the author of the merge request.
 *
 * @returns undefined if the comment asks for no approval of the head
 */
export async function countApprovals(
  platform: Platform,
  { iid, sha, author }: MergeRequest,
  name: string,
): Promise<Approved | undefined> {
  const { client, project } = platform;
  const comment = await findComment(platform, iid, commentMarker(name));
  const asked = comment && approvalIn(comment.body);
  if (comment === undefined || asked === undefined || asked.commit !== sha) return undefined;
  const versions = await client.mergeRequests.versions(project, iid).toArray();
  const pushed = versions.find(({ head_commit_sha: head }) => head === sha);
  const since = Math.max(
    Date.parse(comment.updated_at),
    Date.parse(pushed?.created_at ?? "") || Number.POSITIVE_INFINITY,
  );
  const { approved_by: approvals } = await client.mergeRequests.approvals(project, iid);
  const by = approvals.filter(
    ({ user, approved_at: at }) =>
      user.id !== author.id && user.id !== platform.user && at !== null && Date.parse(at) >= since,
  );
  return { digest: asked.digest, by: by.map(({ user }) => user.username) };
}
