import type { Job, MergeRequest } from "../../api";
import { type Approval, digestOf, parseApproval } from "../approval/file";
import { fileKey } from "../approval/hidden-addresses";
import { differencesOfRules } from "../approval/judged-plan";
import type { Report } from "../document/model";
import { ruleChanges } from "../policy/rule-changes";
import { readReportOf } from "../reports/merge";
import type { Terminal } from "../terminal/terminal";
import { requireReportOf } from "./bound-part";
import type { Checkouts } from "./checkouts";
import type { Platform } from "./platform";
import { jobOfRequest, orMissing, UnusablePlan } from "./request-job";

/** The plan of a merge request, from the artifacts of its plan job. */
export interface RequestPlan {
  readonly report: Report;
  /** The changes to approve. Undefined if the plan failed. */
  readonly approval:
    | { readonly approval: Approval; readonly digest: string; readonly text: string }
    | undefined;
  readonly job: Job;
}

/** The job and the files with the plan of a request, and the policies for this plan. */
export interface PlanSource {
  readonly job: string;
  readonly report: string;
  readonly approval: string;
  /** The hash of the policies of the target branch; null without policies. */
  readonly policies: string | null;
  readonly modules: readonly string[];
  readonly waivers: readonly string[];
}

/**
 * Reads the plan of a merge request from the newest pipeline of its head. The author controls that pipeline and can write
 * anything into its files. Refuses files that are too large, that have another format, or that belong to another commit.
 * Refuses files that the policies of the target branch did not judge. Refuses files whose list of changed rules
 * differs from the changes between the two checkouts.
 *
 * @returns the plan, or a text with the reason if the job has not ended or no pipeline ran
 * @throws UnusablePlan, DiagnosticError, ApiError
 */
export async function planOfRequest(
  platform: Platform,
  request: MergeRequest,
  source: PlanSource,
  checkouts: Checkouts,
  terminal: Pick<Terminal, "env">,
): Promise<RequestPlan | string> {
  const found = await jobOfRequest(platform, request, source.job);
  if (typeof found === "string") return found;
  const { job, read } = found;
  const { report: file } = source;
  const report = readReportOf(await read(file), file);
  if (report.command !== "plan") throw new UnusablePlan(`${file} is the report of a ${report.command}`);
  // Refuses a plan of another commit, because that plan is older than the last push.
  const commit = report.run?.commit;
  if (commit !== undefined && commit !== request.sha)
    throw new UnusablePlan(`${file} is of the commit ${commit}, and not of the head ${request.sha}`);
  const hasFailed = report.result === "failed";
  const bytes = await (hasFailed ? orMissing(read(source.approval)) : read(source.approval));
  if (bytes === undefined) return { report, approval: undefined, job };
  const approval = parseApproval(bytes, source.approval, fileKey(terminal.env));
  // If the plan failed and the approval file does not list the failed stacks, the file belongs to another plan.
  if (hasFailed && approval.unplanned === undefined) return { report, approval: undefined, job };
  requireReportOf(approval, report, source.approval);
  requireOwn(approval, request, source);
  await requireRules(approval, request, source, checkouts, terminal);
  return { report, approval: { approval, digest: digestOf(bytes), text: bytes.toString("utf8") }, job };
}

function requireOwn({ commit, policies }: Approval, { sha }: MergeRequest, source: PlanSource): void {
  if (commit !== sha)
    throw new UnusablePlan(
      `${source.approval} is of the commit ${commit ?? "none"}, and not of the head ${sha}`,
    );
  if (policies !== source.policies)
    throw new UnusablePlan(
      `${source.approval} was judged by other policies than the target branch has now. Rebase the branch, and plan with --base`,
    );
}

/**
 * Checks the list of changed rules in an approval file against the two checkouts, because the author could have removed rules
 * from the list.
 */
async function requireRules(
  { rule_changes: shown }: Approval,
  { iid, sha }: MergeRequest,
  { approval: file, modules, waivers }: PlanSource,
  checkouts: Checkouts,
  { env }: Pick<Terminal, "env">,
): Promise<void> {
  if (shown === undefined)
    throw new UnusablePlan(`${file} does not say which rules the request changes. Plan with --base`);
  const found = await checkouts.use({ sha, ref: `refs/merge-requests/${iid}/head` }, ({ base, head }) =>
    ruleChanges(base, head, { modules, waivers }, env),
  );
  const [first] = differencesOfRules(shown, found);
  if (first !== undefined)
    throw new UnusablePlan(`${file} names other changed rules than the checkout of ${sha}: ${first}`);
}
