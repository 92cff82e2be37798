import type { MergeRequest, Note } from "../../api";
import { type Asked, askedIn } from "./approvals";
import { BranchCommits, commitsOf } from "./branch";
import { commentMarker } from "./comment";
import type { Platform } from "./platform";
import { PushersUnknown } from "./pushers";
import { isSpentBy, type Mark, markIn } from "./spent";

/** A merge request that was merged into the branch, with the facts that decide about its approval. */
export interface MergedRequest {
  readonly request: MergeRequest;
  /** The number of commits that the branch got after the merge of this request. */
  readonly position: number;
  /**
   * Steward's note on the request, which says that an apply began or ended. Undefined if Steward wrote no note about an apply.
   */
  readonly mark: Mark | undefined;
  /** Whether the token's user added the reaction ✅ to the comment. This reaction spends the approval. */
  readonly isSpentByReaction: boolean;
  /** The comment about the app, written by the token's user. */
  readonly comment: Note | undefined;
  /** The changes that the comment asks people to approve. Undefined if no comment asks for approval of the request's head. */
  readonly asked: Asked | undefined;
  /** The reason why Steward can't decide whose approvals count; undefined if Steward can decide. */
  readonly problem: string | undefined;
}

/** The merge requests of a branch that matter for an apply. */
export interface BranchRequests {
  /** The last commit of the branch; undefined if the branch does not exist. */
  readonly head: string | undefined;
  /** Requests whose approval is not spent, newest merge first. */
  readonly unspent: readonly MergedRequest[];
  /** The request whose merge made the head of the branch. The approval of this request may already be spent. */
  readonly ofHead: MergeRequest | undefined;
  /**
   * The request whose merge made the head of the branch, if its approval is spent; otherwise undefined. A retried job may still
   * use this approval to read the service.
   */
  readonly spentHead: MergedRequest | undefined;
}

/** Lists the open merge requests of a branch. */
export async function* openRequests(
  { client, project }: Platform,
  branch: string,
): AsyncGenerator<MergeRequest> {
  const open = { state: "opened", target_branch: branch } as const;
  for await (const request of client.mergeRequests.ofProject(project, open))
    if (request.state === "opened" && request.target_branch === branch) yield request;
}

/** The maximum number of merge requests that Steward searches for approvals that are not spent. */
const MAX_REQUESTS = 100;

/** Returns the name of a merge request, as the platform writes it. */
export const nameOf = ({ iid }: Pick<MergeRequest, "iid">): string => `!${iid}`;

/**
 * Reads the merge requests that were merged into a branch of the project, newest merge first. Ignores a request if the branch
 * contains neither its merge commit, nor its squash commit, nor its head. The search ends at a request whose apply covered the
 * whole branch.
 *
 * @param name the name of the app
 * @throws ApiError
 */
export async function readRequests(
  platform: Platform,
  branch: string,
  name: string,
): Promise<BranchRequests> {
  const { client, project } = platform;
  const commits = new BranchCommits(platform, branch);
  const head = await commits.head();
  if (head === undefined) return { head, unspent: [], ofHead: undefined, spentHead: undefined };
  const unspent: MergedRequest[] = [];
  let ofHead: MergeRequest | undefined;
  let spentHead: MergedRequest | undefined;
  let left = MAX_REQUESTS;
  const merged = { state: "merged", target_branch: branch, order_by: "merged_at" } as const;
  for await (const request of client.mergeRequests.ofProject(project, merged)) {
    if (left-- === 0) break;
    if (request.state !== "merged" || request.target_branch !== branch) continue;
    const position = await positionOf(request, commits);
    if (position === undefined) continue;
    if (position === 0) ofHead = request;
    const { mark, comment } = await notesOf(platform, request, name);
    const isMarked = mark?.isSpent === true;
    const isSpentByReaction = comment !== undefined && (await isSpentBy(platform, request.iid, comment));
    const isSpent = isMarked || isSpentByReaction;
    if (!isSpent || position === 0) {
      const asked = await askedOf(platform, request, comment);
      const read = { request, position, mark, isSpentByReaction, comment, ...asked };
      if (isSpent) spentHead = read;
      else unspent.push(read);
    }
    if (isMarked && mark.isWhole) break;
  }
  unspent.sort((one, other) => one.position - other.position);
  return { head, unspent, ofHead, spentHead };
}

async function askedOf(
  platform: Platform,
  request: MergeRequest,
  comment: Note | undefined,
): Promise<Pick<MergedRequest, "asked" | "problem">> {
  try {
    return { asked: comment && (await askedIn(platform, request, comment)), problem: undefined };
  } catch (problem) {
    if (problem instanceof PushersUnknown) return { asked: undefined, problem: problem.message };
    throw problem;
  }
}

async function positionOf(request: MergeRequest, commits: BranchCommits): Promise<number | undefined> {
  for (const commit of commitsOf(request)) {
    const position = await commits.positionOf(commit);
    if (position !== undefined) return position;
  }
  return undefined;
}

/**
 * Returns the comment and the mark about an app on a merge request. Ignores notes that another user than the token's user
 * wrote.
 */
async function notesOf({ client, project, user }: Platform, { iid }: MergeRequest, name: string) {
  const marker = `${commentMarker(name)}\n`;
  let comment: Note | undefined;
  let mark: Mark | undefined;
  for await (const note of client.mergeRequests.notes(project, iid)) {
    if (note.author.id !== user) continue;
    if (note.body.startsWith(marker)) comment ??= note;
    const found = markIn(note, name);
    // If there are several marks, a mark that spends the approval has priority over other marks.
    if (found !== undefined && (mark === undefined || (found.isSpent && !mark.isSpent))) mark = found;
  }
  return { comment, mark };
}
