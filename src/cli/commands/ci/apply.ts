import { fail } from "../../../diagnostics";
import { digestOf, formatApproval } from "../../approval/file";
import { ApprovalRecorder } from "../../approval/recorder";
import type { CiApplyArguments } from "../../arguments/ci";
import { type Approved, countApprovals } from "../../ci/count-approvals";
import { onPlatform, required } from "../../ci/platform";
import type { Terminal } from "../../terminal/terminal";
import { applyApproval } from "../apply-approved";
import { planWith, policiesOf } from "../plan";

/** Applies what the merge request of the commit approved. */
export async function ciApply(
  { apply: args, approvals: atLeast, name, file }: CiApplyArguments,
  terminal: Terminal,
): Promise<number> {
  const commit = required(terminal.env, "CI_COMMIT_SHA");
  const { head, approved } = await onPlatform(terminal, async (platform) => {
    const [found] = await platform.client.mergeRequests.ofCommit(platform.project, commit).toArray();
    if (found === undefined) return refuse(`no merge request brought the commit ${commit}.`);
    return { head: found.sha, approved: await countApprovals(platform, found, name) };
  });
  // What the merge request proposes, whatever commit the merge made of it.
  const env = { ...terminal.env, CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: head };
  const there = { ...terminal, env };
  const onlyShown = { detailedExitCode: false, requests: false, rights: false, summary: false };
  const planned = {
    ...args,
    ...onlyShown,
    ...{
      access: true,
      lock: false,
      reports: [],
      out: undefined,
      outApproval: file,
      writeImports: undefined,
      writeMoves: undefined,
    },
  };
  const policies = policiesOf(planned, there);
  const recorder = new ApprovalRecorder(file, policies, there);
  const code = await planWith(planned, there, policies, recorder);
  if (code !== 0) return code;
  if (recorder.candidates.some(({ changes }) => changes.length === 0)) {
    terminal.err.line("There is nothing to apply but reverts of changes by hand: nobody has to approve it.");
    return 0;
  }
  if (approved === undefined) return refuse(`no comment asks to approve the head ${head}.`);
  const approval = recorder.candidates.find((one) => digestOf(formatApproval(one)) === approved.digest);
  if (approval === undefined)
    return refuse(`the plan is another one now than the one with the digest ${approved.digest}.`);
  const needed = Math.max(atLeast, approval.approvals);
  if (approved.by.length < needed) return refuse(tooFew(approved, needed));
  return applyApproval(approval, approved.by.length, args, terminal);
}

const tooFew = ({ by, digest }: Approved, needed: number): string =>
  `${needed} ${needed === 1 ? "person has" : "people have"} to approve the digest ${digest}, and ` +
  `${by.length} did${by.length === 0 ? "" : ` (${by.join(", ")})`}. Approvals of the author, and those before the last push or before the comment had the digest, do not count.`;

const refuse = (why: string): never =>
  fail({
    code: "approvals_missing",
    summary: "Not approved",
    detail: `Nothing was sent: ${why} \`steward ci comment --approval\` asks for approval in a merge request.`,
  });
