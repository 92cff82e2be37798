import { atMost } from "../../text";
import { type Approval, nameOfApproved } from "../approval/file";
import { readJudged, requireComparedRules, requireJudged, requireShownRules } from "../approval/judged-plan";
import { JudgedPolicies } from "../approval/judged-policies";
import type { ApprovedRequest } from "../approval/plans";
import { requireReceivers } from "../approval/receivers";
import { ApprovalRecorder } from "../approval/recorder";
import type { CiApplyArguments } from "../arguments/ci";
import { invalid } from "../arguments/option";
import { BlockedStacks } from "../ci/blocked-stacks";
import { pipelineProblem } from "../ci/branch";
import {
  type ApprovedMerge,
  completedUnder,
  hasNoChanges,
  type Judged,
  judgeRequests,
  type RefusedMerge,
} from "../ci/judged";
import { NoToken, onPlatform, type Platform, required } from "../ci/platform";
import { MAX_LINES, notOnBranch, reading, refuse, refuseUnread } from "../ci/refusals";
import { type BranchRequests, type MergedRequest, nameOf, readRequests } from "../ci/requests";
import { areShownBy } from "../ci/shown-receivers";
import { Marks } from "../ci/spent";
import { branchIn } from "../ci/waiting";
import { removeOutdated } from "../outputs/write-output";
import { openPolicies } from "../policy/open-policies";
import type { Policies } from "../policy/policies";
import { ciRun } from "../terminal/ci-run";
import type { Terminal } from "../terminal/terminal";
import { applyApproved } from "./apply";
import { type Gate, planWith } from "./plan";

/** Applies the approved changes of the merge requests of a branch. */
export async function ciApply(args: CiApplyArguments, terminal: Terminal): Promise<number> {
  const commit = commitOf(terminal.env);
  const branch = branchOf(terminal.env);
  for (const { file } of args.reports) removeOutdated("report", file, terminal);
  let isConnected = false;
  try {
    return await onPlatform(terminal, async (platform) => {
      isConnected = true;
      const found = await reading(() => readRequests(platform, branch, args.name));
      const job = new BranchJob(platform, branch, commit, args, terminal);
      return found.head === commit ? job.apply(found) : job.supersededBy(found);
    });
  } catch (problem) {
    if (problem instanceof NoToken)
      return refuse(`Steward could not count the approvals. ${problem.message}`);
    return isConnected ? Promise.reject(problem) : refuseUnread(problem);
  }
}

/** Returns the commit of the job. @throws DiagnosticError `invalid_arguments` */
function commitOf(env: Terminal["env"]): string {
  const commit = required(env, "CI_COMMIT_SHA");
  if (/^[0-9a-f]{7,64}$/i.test(commit)) return commit;
  return invalid(
    "Invalid commit",
    `CI_COMMIT_SHA is ${JSON.stringify(commit)}, not the SHA of a commit. Nothing was sent. Correct the variable.`,
  );
}

/** Returns the branch of the job. @throws DiagnosticError `invalid_arguments` */
const branchOf = (env: Terminal["env"]): string => branchIn(env) ?? required(env, "CI_COMMIT_BRANCH");

class BranchJob {
  constructor(
    private readonly platform: Platform,
    private readonly branch: string,
    private readonly commit: string,
    private readonly args: CiApplyArguments,
    private readonly terminal: Terminal,
  ) {}

  /**
   * Reports that this job applies nothing, because the branch has a newer commit than the job's commit. The job of the
   * head applies the waiting changes. Returns 1 if the head has no job that applies these changes.
   */
  async supersededBy({ head, unspent }: BranchRequests): Promise<number> {
    if (head === undefined) return refuse(`The platform has no branch ${this.branch}.`);
    const warning = await notOnBranch(this.platform, this.branch, this.commit);
    if (warning !== undefined) this.terminal.err.line(warning);
    const judged = await this.#judge(unspent);
    const problem = await reading(() => pipelineProblem(this.platform, this.branch, head));
    const { out } = this.terminal;
    out.line(
      `Superseded by ${head}. This job wrote nothing: the job of that commit applies the merge requests that wait.`,
    );
    for (const one of judged.filter((one) => !hasNoChanges(one)))
      out.line(
        `${nameOf(one.merged.request)} waits, ${one.kind === "refused" ? "not approved" : "approved"}.`,
      );
    if (problem === undefined) return 0;
    return refuse(
      `Merged requests wait for their apply, but no job applies them: ${this.branch} is at ${head}. ${problem}`,
      `Start a new pipeline for ${this.branch}.`,
    );
  }

  /** Applies the changes of all merge requests that are approved, merged and unspent. */
  async apply(found: BranchRequests): Promise<number> {
    const early = await this.#judge(found.unspent);
    const usable = early.flatMap((one) => (one.kind === "refused" ? [] : [one]));
    const readers = usable.some((one) => !hasNoChanges(one)) ? usable : await this.#readersOf(found, early);
    if (typeof readers === "string") {
      this.terminal.err.line(readers);
      return 0;
    }
    const run = await this.#plan(readers);
    if (typeof run === "number") return run;
    const { args, policies, recorder, judgedPlan } = run;
    const [{ changes: planned, unplanned = [] }] = recorder.candidates;
    const unseen = early.filter(({ kind }) => kind === "unseen").map(({ merged }) => merged);
    const late = await this.#judge(unseen, recorder);
    const judged = early.map((one) => late.find(({ merged }) => merged === one.merged) ?? one);
    const approved = judged.flatMap((one) => (one.kind === "approved" ? [one] : []));
    const held = new Set(approved.flatMap(({ approval }) => approval.changes.map(nameOfApproved)));
    const blocked = new BlockedStacks(unplanned, judgedPlan, approved, planned);
    this.terminal.err.lines(blocked.lines);
    const changes = planned.filter((one) => !blocked.has(one));
    this.#requireApproved(changes, judged, found);
    const ofHead = approved.find(({ merged }) => merged.position === 0);
    if (policies.ruleChanges !== undefined) {
      if (ofHead !== undefined) requireShownRules(ofHead.approval.rule_changes, policies.ruleChanges);
      requireComparedRules(approved.map(({ merged, approval }) => [nameOf(merged.request), approval]));
    }
    if (judgedPlan !== undefined)
      requireJudged(
        changes.filter((one) => held.has(nameOfApproved(one))),
        judgedPlan,
      );
    if (approved.some((one) => !hasNoChanges(blocked.without(one))))
      return this.#applyAll(approved, blocked, args);
    if (blocked.isEmpty)
      this.terminal.err.line(
        changes.length > 0
          ? "The plan only reverts manual changes, and no approved merge request does. Nothing was applied."
          : "The plan has no changes. Nothing was applied.",
      );
    return blocked.isEmpty ? 0 : 1;
  }

  /**
   * Plans the changes with the apply token of the job.
   *
   * @param readers the merge requests whose approved comments name the services and states that may get the token
   * @returns the exit code if no stack has a plan; otherwise the policies, and the recorder with the plans
   */
  async #plan(readers: readonly Judged[]) {
    const { name: _, approvals: __, file, judged: judgedFile, ...given } = this.args;
    const { commit, terminal } = this;
    const judgedPlan = judgedFile === undefined ? undefined : await readJudged(judgedFile, commit, terminal);
    const args = { ...given, judgedPolicies: judgedPlan && new JudgedPolicies(judgedPlan) };
    const options = { ...args, access: true, lock: false, reports: [], outApproval: file };
    if (args.config === undefined)
      terminal.err.line(
        "Warning: this job has the apply token, and runs the app of the repository. Give it the output folder of an earlier job without tokens: --config cdktf.out --judged FILE.",
      );
    else if (judgedPlan !== undefined && judgedPlan.rule_changes === undefined)
      terminal.err.line(
        "Warning: the merged commit's own policies judged the changes. Give the job that judges them a checkout of the target branch: --base FOLDER.",
      );
    const policies = args.judgedPolicies ?? openPolicies(options, terminal);
    const recorder = new ApprovalRecorder(file, policies, terminal, true);
    // This gate runs before the first request with the apply token. The gate ends the run if a service would get the token and
    // no approved comment shows that service.
    const gate: Gate = (stacks) =>
      requireReceivers(stacks, (all) => areShownBy(readers, all, this.platform.address));
    const code = await planWith(options, terminal, policies, recorder, gate);
    // If only some stacks have no plan, the job applies all stacks that have a plan.
    const isPartial = recorder.hasPlans && recorder.candidates[0].unplanned !== undefined;
    return code !== 0 && !isPartial ? code : { args, policies, recorder, judgedPlan };
  }

  /**
   * Returns the approvals that allow a job to read the service although no waiting request is approved. A retried job may read
   * the service under the approval that the first run of this job has spent. Returns a text with the reason if there is nothing
   * to apply.
   *
   * @throws DiagnosticError `approvals_missing`
   */
  async #readersOf(found: BranchRequests, early: readonly Judged[]): Promise<Judged[] | string> {
    const refused = early.find((one) => one.kind === "refused" && !hasNoChanges(one));
    if (refused?.kind === "refused")
      return refuse(refused.why, refused.advice, atMost(refused.lines, MAX_LINES));
    const { spentHead } = found;
    const spent = spentHead === undefined ? [] : await this.#judge([spentHead]);
    if (spent.some((one) => one.kind !== "refused" && !hasNoChanges(one))) return spent;
    const completed = spentHead && completedUnder(spentHead, this.terminal.env);
    if (completed !== undefined) return [completed];
    if (early.length > 0 || spent.some(hasNoChanges))
      return "The comment of the merge request shows no changes, so there is nothing to apply.";
    if (spentHead?.isSpentByReaction === true)
      return `No changes. An apply completed ${nameOf(spentHead.request)}, so its approval is spent.`;
    return this.#refuseWithout(found);
  }

  #refuseWithout({ ofHead, spentHead }: BranchRequests): never {
    if (ofHead === undefined)
      return refuse(
        `No merge request was merged as the commit ${this.commit} into ${this.branch}.`,
        "Open a merge request with the changes, so that people can approve them.",
      );
    const name = nameOf(ofHead);
    if (spentHead === undefined)
      return refuse(
        `No comment in ${name} asks for approval of the commit ${ofHead.sha}.`,
        "`steward ci comment --approval` asks for approval in the merge request.",
      );
    return refuse(
      `The approval of ${name} is spent: an apply completed it.`,
      "Open a new merge request for later changes.",
    );
  }

  /** Applies the approved changes, and marks each completed approval as spent. */
  async #applyAll(
    all: readonly ApprovedMerge[],
    blocked: BlockedStacks,
    args: Omit<CiApplyArguments, "approvals" | "name" | "file" | "judged"> & {
      readonly judgedPolicies: Policies | undefined;
    },
  ): Promise<number> {
    const marks = new Marks(this.platform, this.args.name, this.commit, ciRun(this.terminal.env).job);
    const approved = all.filter((one) => hasNoChanges(one) || !hasNoChanges(blocked.without(one)));
    const known = new Map(approved.map(({ merged: { request, mark } }) => [request.iid, mark]));
    const requests = approved.map(
      (one): ApprovedRequest => ({
        approval: blocked.without(one).approval,
        request: nameOf(one.merged.request),
        mayBeOvertaken: one.merged.position > 0,
      }),
    );
    const start = async (): Promise<void> => {
      await this.#requireHead();
      for (const [iid, mark] of known) known.set(iid, await reading(() => marks.start(iid, mark)));
    };
    const { code, overtaken, done } = await applyApproved(
      requests,
      undefined,
      { ...args, access: true },
      this.terminal,
      start,
    );
    // Whether no earlier request of the branch waits for an apply. The mark records that no request waits, so later jobs do not
    // search the earlier requests again.
    const isWhole = code === 0 && blocked.isEmpty && this.#isWhole();
    for (const { merged, approval } of approved) {
      if (code !== 0 && !approval.changes.every(({ stack }) => done.has(stack))) continue;
      const { request, comment } = merged;
      const by = overtaken.has(nameOf(request)) ? "overtaken" : "applied";
      await marks.spend({ iid: request.iid, comment, mark: known.get(request.iid), by, isWhole });
    }
    return blocked.isEmpty ? code : 1;
  }

  /** Refuses the apply if the branch got a new commit while the job planned. */
  async #requireHead(): Promise<void> {
    const { client, project } = this.platform;
    const head = await reading(async () => {
      for await (const { id } of client.pipelines.commits(project, { ref_name: this.branch })) return id;
      return undefined;
    });
    if (head !== this.commit)
      refuse(
        `${this.branch} got the commit ${head} while this job planned. The job of that commit applies the merge requests that wait.`,
      );
  }

  /** Returns true if the command line does not limit the run to some stacks or objects. */
  #isWhole(): boolean {
    const { targets, excludes, stacks, containers } = this.args;
    return [targets, excludes, stacks, containers].every((all) => all === undefined || all.length === 0);
  }

  #judge(
    requests: readonly MergedRequest[],
    planned?: Pick<ApprovalRecorder, "candidates" | "addresses">,
  ): Promise<Judged[]> {
    const { name, approvals: atLeast } = this.args;
    const options = {
      name,
      atLeast,
      env: this.terminal.env,
      ...(planned && { candidates: planned.candidates, addresses: planned.addresses }),
    };
    return reading(() => judgeRequests(this.platform, requests, options));
  }

  /**
   * Refuses the apply if a change belongs to no approved merge request. Does not compare values: `ApprovedPlans` does this
   * later.
   */
  #requireApproved(changes: Approval["changes"], judged: readonly Judged[], found: BranchRequests): void {
    const approved = judged.flatMap((one) => (one.kind === "approved" ? one.approval.changes : []));
    const held = new Set(approved.map(nameOfApproved));
    const left = changes.filter((one) => one.is_revert !== true && !held.has(nameOfApproved(one)));
    if (left.length === 0) return;
    const names = new Set(left.map(nameOfApproved));
    const isOf = ({ changes: asked = left }: RefusedMerge) =>
      asked.some((one) => names.has(nameOfApproved(one)));
    const refused = judged.flatMap((one) => (one.kind === "refused" && isOf(one) ? [one] : []));
    if (refused[0] !== undefined)
      refuse(refused[0].why, refused[0].advice, atMost(refused[0].lines, MAX_LINES));
    if (approved.length === 0) this.#refuseWithout(found);
  }
}
