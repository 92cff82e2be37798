import { ApiError, type MergeRequest } from "../../api";
import { fail } from "../../diagnostics";
import { atMost } from "../../text";
import { type Approval, digestOf, formatApproval } from "../approval/file";
import { ApprovalRecorder } from "../approval/plans";
import { requireReceivers } from "../approval/receivers";
import type { CiApplyArguments } from "../arguments/ci";
import { invalid } from "../arguments/option";
import { type Asked, askedApprovals } from "../ci/approvals";
import { receiversIn, showsNoChanges, showsReceivers } from "../ci/bound-part";
import { startOfComment, startsAs } from "../ci/comment";
import { judge, judgeUnseen, type Verdict } from "../ci/entitled";
import { NoToken, onPlatform, type Platform, required } from "../ci/platform";
import { PushersUnknown } from "../ci/pushers";
import { openPolicies } from "../policy/policies";
import { redactor } from "../terminal/redact";
import type { Terminal } from "../terminal/terminal";
import { applyApproval } from "./apply";
import { type Gate, planWith } from "./plan";

/** Applies the approved changes of the commit's merge request. */
export async function ciApply(args: CiApplyArguments, terminal: Terminal): Promise<number> {
  const commit = commitOf(terminal.env);
  let isConnected = false;
  try {
    return await onPlatform(terminal, (platform) => {
      isConnected = true;
      return applyOn(platform, commit, args, terminal);
    });
  } catch (problem) {
    if (problem instanceof NoToken)
      return refuse(`Steward could not count the approvals. ${problem.message}`);
    return isConnected ? Promise.reject(problem) : refuseUnread(problem);
  }
}

/** The commit of the job. @throws DiagnosticError `invalid_arguments` */
function commitOf(env: Terminal["env"]): string {
  const commit = required(env, "CI_COMMIT_SHA");
  if (/^[0-9a-f]{7,64}$/i.test(commit)) return commit;
  return invalid(
    "Invalid commit",
    `CI_COMMIT_SHA is ${JSON.stringify(commit)}, not the SHA of a commit. Nothing was sent. Correct the variable.`,
  );
}

async function applyOn(
  platform: Platform,
  commit: string,
  { approvals: atLeast, name, file, ...args }: CiApplyArguments,
  terminal: Terminal,
): Promise<number> {
  const request = await reading(() => mergedAs(platform, commit, terminal));
  const asked = await reading(() => askedApprovals(platform, request, name));
  if (asked === undefined) return refuse(`No comment asks for approval of the commit ${request.sha}.`);
  if (showsNoChanges(asked.body)) {
    terminal.err.line("The comment of the merge request shows no changes, so there is nothing to apply.");
    return 0;
  }
  requireMet(asked, judgeUnseen(asked.given, atLeast));
  if (receiversIn(asked.body) === undefined) return refuseText(asked);
  // The approval names the head of the merge request. The merge may have made another commit.
  const env = { ...terminal.env, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: request.sha };
  const there = { ...terminal, env };
  const planned = { ...args, access: true, lock: false, reports: [], outApproval: file };
  const policies = openPolicies(planned, there);
  const recorder = new ApprovalRecorder(file, policies, there);
  // Until here, no request has a token of the apply. A service that the comment does not show gets none.
  const gate: Gate = (stacks) => requireReceivers(stacks, (found) => showsReceivers(asked.body, found));
  const code = await planWith(planned, there, policies, recorder, gate);
  if (code !== 0) return code;
  if (recorder.candidates.some(({ changes }) => changes.length === 0)) {
    terminal.err.line("Only manual changes would be reverted, so there is nothing to approve or apply.");
    return 0;
  }
  const approval = recorder.candidates.find((one) => digestOf(formatApproval(one)) === asked.digest);
  if (approval === undefined)
    return refuse(`The plan differs from the approved one with the digest ${asked.digest}.`);
  const start = startOfComment(name, approval, asked.digest, redactor(terminal.env));
  if (!startsAs(asked.body, start)) return refuseText(asked);
  await requireApprovals(platform, approval, asked, atLeast);
  return applyApproval(approval, approval.approvals, args, terminal);
}

/**
 * Finds the merge request that was merged as this commit, as a merge, a squash or a fast-forward. An open request with the same
 * head is not enough: its approval is about a merge that has not happened.
 */
async function mergedAs(
  { client, project }: Platform,
  commit: string,
  { env }: Terminal,
): Promise<MergeRequest> {
  const branch = env["CI_COMMIT_BRANCH"] || env["CI_DEFAULT_BRANCH"] || undefined;
  const all = await client.mergeRequests.ofCommit(project, commit).toArray();
  const found = all.find(
    (one) =>
      one.state === "merged" &&
      (branch === undefined || one.target_branch === branch) &&
      [one.merge_commit_sha, one.squash_commit_sha, one.sha].includes(commit),
  );
  const place = branch === undefined ? "" : ` into ${branch}`;
  return found ?? refuse(`No merge request was merged as the commit ${commit}${place}.`);
}

const refuseText = ({ digest }: Asked): never =>
  refuse(
    `The comment with the digest ${digest} does not show the changes as this release writes them. It was edited, or another release wrote it. Run \`steward ci comment\` again, and approve again.`,
  );

/** How many lines a refusal has. */
const MAX_LINES = 20;

async function requireApprovals(
  { client, address }: Platform,
  approval: Approval,
  asked: Asked,
  atLeast: number,
): Promise<void> {
  requireMet(asked, await reading(() => judge(client, address, approval, asked.given, atLeast)));
}

function requireMet({ digest }: Asked, { isMet, lines }: Verdict): void {
  if (!isMet)
    refuse(`The digest ${digest} does not have the approvals that it needs.`, atMost(lines, MAX_LINES));
}

/** Runs a read of approvals or memberships. A failed read refuses the apply. */
async function reading<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (problem) {
    if (problem instanceof PushersUnknown)
      return refuse(
        `Steward can't decide whose approvals count: ${problem.message}. Push a new commit to the branch, and ask for approval again.`,
      );
    return refuseUnread(problem);
  }
}

/** @throws DiagnosticError for a response of the platform; any other problem unchanged */
function refuseUnread(problem: unknown): never {
  if (problem instanceof ApiError)
    fail({ code: problem.code, summary: problem.summary, detail: `${problem.message} Nothing was sent.` });
  throw problem;
}

const refuse = (why: string, lines: readonly string[] = []): never =>
  fail({
    code: "approvals_missing",
    summary: "Not approved",
    detail: [
      `${why} Nothing was sent. \`steward ci comment --approval\` asks for approval in the merge request.`,
      ...lines,
    ],
  });
