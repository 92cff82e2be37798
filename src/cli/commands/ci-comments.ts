import { ApiError, type MergeRequest } from "../../api";
import { type Diagnostic, DiagnosticError, error } from "../../diagnostics";
import { counted } from "../../text";
import type { CommentArguments } from "../arguments/ci";
import { invalid } from "../arguments/option";
import { Checkouts } from "../ci/checkouts";
import { commentOf, postComment } from "../ci/comment";
import { addressKey } from "../ci/embedded-approval";
import { onPlatform, type Platform, required } from "../ci/platform";
import { UnusablePlan } from "../ci/request-job";
import { type PlanSource, planOfRequest } from "../ci/request-plan";
import { nameOf, openRequests } from "../ci/requests";
import { readVerdicts, type Verdict } from "../ci/verdicts";
import { branchIn } from "../ci/waiting";
import { digestOfPolicies } from "../policy/open-policies";
import { secretsOf } from "../terminal/redact";
import type { Terminal } from "../terminal/terminal";
import { reportDiagnostics } from "../views/diagnostics";
import { jsonEvent, writeResult } from "../views/json/events";

/**
 * Writes the comments of all open merge requests of a branch, from the artifacts of their pipelines. Runs in a pipeline of
 * the protected branch, because the checkout of this pipeline contains the policies for these requests.
 *
 * @returns 1 if the plan of a request can't be used
 */
export async function comments(args: CommentArguments, terminal: Terminal): Promise<number> {
  const { env, folder } = terminal;
  const branch = branchIn(env) ?? required(env, "CI_COMMIT_BRANCH");
  const source: PlanSource = {
    job: args.job,
    report: oneReport(args.files),
    approval: args.approval!,
    policies: digestOfPolicies(folder, args.policies),
    modules: args.policies,
    waivers: args.waivers,
  };
  const verdicts = await verdictsOf(args, source, terminal);
  const checkouts = new Checkouts(terminal);
  try {
    return await onPlatform(terminal, async (platform) => {
      const found: Diagnostic[] = [];
      for await (const request of openRequests(platform, branch)) {
        const result = await resultOf(() =>
          commentOn(platform, request, { ...source, verdicts }, checkouts, args, terminal),
        );
        if (typeof result !== "string") found.push(problemOf(request, result));
        else say([`${nameOf(request)}: ${result}`], args, terminal);
      }
      reportDiagnostics(found, terminal, args);
      return found.length > 0 ? 1 : 0;
    });
  } finally {
    checkouts.close();
  }
}

/**
 * The files of a plan job, and the verdicts of `ci judge` on these files. `verdicts` is undefined if the pipeline has no job
 * with `ci judge`.
 */
interface JudgedSource extends PlanSource {
  readonly verdicts: readonly Verdict[] | undefined;
}

async function verdictsOf(
  { judged }: CommentArguments,
  { policies }: PlanSource,
  terminal: Terminal,
): Promise<readonly Verdict[] | undefined> {
  if (judged !== undefined) return readVerdicts(judged, terminal);
  if (policies !== null)
    terminal.err.line(
      "Warning: the comments show the results of policies from the pipelines of the requests, which their authors can edit. Run `steward ci judge` in an earlier job without the token for comments, and add --judged FILE.",
    );
  return undefined;
}

/**
 * Requires that the judging job found no problem in the file of a request.
 *
 * @returns false if the job judged another file
 * @throws UnusablePlan
 */
function requireVerdict(
  { iid, sha }: MergeRequest,
  digest: string,
  { verdicts, policies, approval }: JudgedSource,
): boolean {
  if (verdicts === undefined) return true;
  const found = verdicts.find(
    (one) => one.request === iid && one.commit === sha && one.digest === digest && one.policies === policies,
  );
  if (found === undefined) return false;
  const [first, ...others] = found.problems;
  if (first === undefined) return true;
  const more = others.length === 0 ? "" : ` (and ${counted(others.length, "more difference")})`;
  throw new UnusablePlan(
    `${approval} has other results than the job that judges the requests: ${first}${more}`,
  );
}

function oneReport([file, ...others]: CommentArguments["files"]): string {
  if (others.length === 0) return file;
  return invalid(
    "Too many reports",
    "--requests reads one report of each request, because one approval file belongs to one plan. Pass one report.",
  );
}

const say = (lines: readonly string[], args: CommentArguments, { out }: Terminal): void =>
  writeResult(
    out,
    args,
    lines.map((line) => jsonEvent("log", line)),
    lines,
  );

async function commentOn(
  platform: Platform,
  request: MergeRequest,
  source: JudgedSource,
  checkouts: Checkouts,
  args: CommentArguments,
  terminal: Terminal,
): Promise<string> {
  const plan = await planOfRequest(platform, request, source, checkouts, terminal);
  if (typeof plan === "string") return `no plan to show, because ${plan}.`;
  const { report, approval, job } = plan;
  if (approval !== undefined) {
    const isJudged = requireVerdict(request, approval.digest, source);
    if (!isJudged) return `no plan to show, because ${args.judged} has no verdict on its files yet.`;
  }
  const run = { commit: request.sha, ...(job.web_url !== null && { job: job.web_url }) };
  const { env } = terminal;
  const body = commentOf(report, args.name, run, approval, secretsOf(env), addressKey(env));
  if (args.dryRun) {
    say(body.split("\n"), args, terminal);
    return "the comment above was not posted.";
  }
  return `the comment was ${await postComment(platform, request.iid, body)}.`;
}

/**
 * Runs the work for one merge request. Returns an expected problem instead of throwing it, so that all other merge requests
 * still get their comments.
 */
async function resultOf(work: () => Promise<string>): Promise<string | Error> {
  try {
    return await work();
  } catch (problem) {
    if (problem instanceof Error) return problem;
    throw problem;
  }
}

function problemOf(request: MergeRequest, problem: Error): Diagnostic {
  const isExpected =
    problem instanceof UnusablePlan || problem instanceof ApiError || problem instanceof DiagnosticError;
  const [first] = problem instanceof DiagnosticError ? problem.diagnostics : [];
  const why = first?.detail ?? problem.message;
  return error({
    code: "request_plan_unusable",
    summary: `No comment for ${nameOf(request)}`,
    detail: `${isExpected ? "" : "Steward failed: "}${String(why).replace(/\.?$/, ".")} The comment of ${nameOf(request)} was not written. Run the pipeline of the request again.`,
  });
}
