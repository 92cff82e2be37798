import { type Approval, type ApprovedReceivers, digestOf, formatApproval } from "../approval/file";
import { fileKey } from "../approval/hidden-addresses";
import { secretsOf } from "../terminal/redact";
import type { Terminal } from "../terminal/terminal";
import type { Asked } from "./approvals";
import { receiversIn, showsNoChanges } from "./bound-part";
import { startOfComment, startsAs } from "./comment";
import { addressKey, approvalWith, copyWith } from "./embedded-approval";
import { judge, judgeUnseen } from "./entitled";
import type { Platform } from "./platform";
import { type MergedRequest, nameOf } from "./requests";

/** A merge request that enough entitled people approved. */
export interface ApprovedMerge {
  readonly kind: "approved";
  readonly merged: MergedRequest;
  readonly approval: Approval;
}

/**
 * A merge request whose comment has no copy of the approval file. Steward knows the changes of the request only after a plan.
 */
export interface UnseenMerge {
  readonly kind: "unseen";
  readonly merged: MergedRequest;
  readonly asked: Asked;
  /**
   * The services and state servers that may get tokens, because entitled people approved them. Undefined if the comment has no
   * copy of the approval: without the copy, Steward does not know who is entitled.
   */
  readonly receivers: ApprovedReceivers | undefined;
}

/** A merge request whose changes may not be applied. */
export interface RefusedMerge {
  readonly kind: "refused";
  readonly merged: MergedRequest;
  readonly why: string;
  /** The approvals that do not count, each with its reason. */
  readonly lines: readonly string[];
  /** A sentence that says how to get the changes applied. Undefined if `why` contains this sentence. */
  readonly advice?: string;
  /** The changes that the comment asks to approve, if the comment contains these changes. */
  readonly changes?: Approval["changes"];
}

export type Judged = ApprovedMerge | UnseenMerge | RefusedMerge;

export interface JudgeOptions {
  /** The name of the app. */
  readonly name: string;
  /** The minimum number of people who have to approve. */
  readonly atLeast: number;
  /**
   * The approvals that match the plan of this job. Absent before this job has a plan. Steward compares these approvals with
   * comments that have no copy of their approval.
   */
  readonly candidates?: readonly Approval[];
  /**
   * The e-mail addresses in the plan and the state. Copies of approvals from earlier releases contain only digests of these
   * addresses.
   */
  readonly addresses?: ReadonlySet<string>;
  readonly env: Terminal["env"];
}

/**
 * Judges which merge requests are approved. Leaves out requests without a comment that asks for approval.
 *
 * @throws ApiError if users or memberships can't be read
 */
export async function judgeRequests(
  platform: Platform,
  requests: readonly MergedRequest[],
  options: JudgeOptions,
): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const merged of requests) {
    const { asked, problem } = merged;
    if (problem !== undefined) {
      const why = `Steward can't decide whose approvals count: ${problem}. Push a new commit to the branch, and ask for approval again.`;
      judged.push({ kind: "refused", merged, why, lines: [] });
    } else if (asked !== undefined) judged.push(await judgeOne(platform, merged, asked, options));
  }
  return judged;
}

/** Returns true if the comment of a request asks people to approve a plan without changes. */
export const hasNoChanges = (judged: Judged): boolean =>
  judged.kind === "approved"
    ? judged.approval.changes.length === 0
    : judged.merged.asked !== undefined && showsNoChanges(judged.merged.asked.body);

/**
 * Returns the approval of a request that an earlier apply completed. The earlier apply added a reaction to the comment. The
 * reaction counts as an edit of the comment, so the approvals of people are older than the edit and no longer count. Two facts
 * prove that the approvals of people counted. Only the token's user can add the reaction, and only a job with the token can
 * make the authentication code of the copy.
 *
 * @returns undefined without the reaction, or without a copy that has this code
 */
export function completedUnder(merged: MergedRequest, env: Terminal["env"]): UnseenMerge | undefined {
  const { asked, request, isSpentByReaction } = merged;
  if (asked === undefined || !isSpentByReaction || showsNoChanges(asked.body)) return undefined;
  const copy = copyWith(asked.digest, asked.body, addressKey(env));
  if (copy?.receivers === undefined || copy.commit !== request.sha) return undefined;
  return { kind: "unseen", merged, asked, receivers: copy.receivers };
}

async function judgeOne(
  { client, address }: Platform,
  merged: MergedRequest,
  asked: Asked,
  { name, atLeast, candidates, addresses = new Set(), env }: JudgeOptions,
): Promise<Judged> {
  const { digest, body, given } = asked;
  const { sha } = merged.request;
  const refused = (why: string, more: Partial<RefusedMerge> = {}): RefusedMerge => ({
    kind: "refused",
    merged,
    why,
    lines: [],
    ...more,
  });
  const otherText = `The comment with the digest ${digest} does not show the changes as this release writes them. It was edited, or another release wrote it. Run \`steward ci comment\` again, and approve again.`;
  const tooFew = `The digest ${digest} does not have the approvals that it needs.`;
  const advice = `Approve merge request ${linkOf(merged, env)} on the platform, and run this job again.`;
  const embedded = approvalWith(digest, body, addresses, env);
  if (embedded === undefined && candidates === undefined) {
    const copy = copyWith(digest, body, addressKey(env));
    if (copy !== undefined && copy.commit !== sha) return refused(otherText);
    const early = copy ? await judge(client, address, copy, given, atLeast) : judgeUnseen(given, atLeast);
    if (!early.isMet) return refused(tooFew, { lines: early.lines, advice });
    if (receiversIn(body) === undefined) return refused(otherText);
    return { kind: "unseen", merged, asked, receivers: copy?.receivers };
  }
  const approval =
    embedded ??
    candidates
      ?.map((one): Approval => ({ ...one, commit: sha }))
      .find((one) => [undefined, fileKey(env)].some((key) => digestOf(formatApproval(one, key)) === digest));
  if (approval === undefined || approval.commit !== sha)
    return refused(`The plan differs from the approved one with the digest ${digest}.`, {
      advice: "Ask for approval again, in a new merge request.",
    });
  const { changes } = approval;
  if (!startsAs(body, startOfComment(name, approval, digest, secretsOf(env))))
    return refused(otherText, { changes });
  const { isMet, lines } = await judge(client, address, approval, given, atLeast);
  return isMet ? { kind: "approved", merged, approval } : refused(tooFew, { changes, lines, advice });
}

/** Returns the name of a merge request, and the address of its web page if the variables of the job contain the address. */
function linkOf({ request }: MergedRequest, env: Terminal["env"]): string {
  const project = env["CI_PROJECT_URL"]?.trim();
  const name = nameOf(request);
  return project ? `${name} (${project}/-/merge_requests/${request.iid})` : name;
}
