import { existsSync } from "node:fs";
import path from "node:path";
import { ApiError, type MergeRequest } from "../../api";
import { DiagnosticError } from "../../diagnostics";
import { describeFileProblem } from "../../files";
import { atMost } from "../../text";
import { type Approval, digestOf, formatApproval, parseApproval } from "../approval/file";
import { fileKey } from "../approval/hidden-addresses";
import { ApprovalRecorder } from "../approval/recorder";
import type { JudgeArguments } from "../arguments/ci";
import { Checkouts, type RequestCheckouts } from "../ci/checkouts";
import { onPlatform, type Platform, required } from "../ci/platform";
import { jobOfRequest, orMissing, UnusablePlan } from "../ci/request-job";
import { nameOf, openRequests } from "../ci/requests";
import { copySynthesized } from "../ci/synthesized";
import { differencesOfApprovals, readVerdicts, type Verdict, writeVerdicts } from "../ci/verdicts";
import { branchIn } from "../ci/waiting";
import { digestOfPolicies, openPolicies } from "../policy/open-policies";
import { ruleChanges } from "../policy/rule-changes";
import { Channel, type Terminal } from "../terminal/terminal";
import { jsonEvent, writeResult } from "../views/json/events";
import { planWith } from "./plan";

/** The folder for the copy of the synthesized app, in the checkout of a request. */
const SYNTHESIZED = ".steward-synthesized";

/**
 * Judges the open merge requests of a branch. The working folder is a checkout of that branch. Steward uses the policies in
 * this checkout. Steward plans the commit of each request again, and compares the plan with the request's approval file. The
 * judgement runs no code of a request.
 *
 * @returns 0 if the verdicts are written, even negative ones. `ci comment --judged` later refuses the requests with a negative
 * verdict
 */
export async function judge(args: JudgeArguments, terminal: Terminal): Promise<number> {
  const { env, folder } = terminal;
  const branch = branchIn(env) ?? required(env, "CI_COMMIT_BRANCH");
  const policies = digestOfPolicies(folder, args.policies);
  const known = existsSync(path.resolve(folder, args.out)) ? await readVerdicts(args.out, terminal) : [];
  const checkouts = new Checkouts(terminal);
  try {
    return await onPlatform(terminal, async (platform) => {
      const found: Verdict[] = [];
      for await (const request of openRequests(platform, branch)) {
        const judging = new Judging(platform, request, policies, known, args, terminal);
        const verdict = await judging.verdict(checkouts);
        const text = typeof verdict === "string" ? verdict : describe(verdict);
        const line = `${nameOf(request)}: ${text}`;
        writeResult(terminal.out, args, [jsonEvent("log", line)], [line]);
        if (typeof verdict !== "string") found.push(verdict);
      }
      await writeVerdicts(args.out, found, terminal);
      return 0;
    });
  } finally {
    checkouts.close();
  }
}

const describe = ({ digest, problems }: Verdict): string =>
  problems.length === 0
    ? `the file with the digest ${digest} has the results of the policies.`
    : `the file with the digest ${digest} can't be shown: ${atMost(problems, 5).join("; ").replace(/\.?$/, ".")}`;

/** Judges one merge request. */
class Judging {
  constructor(
    private readonly platform: Platform,
    private readonly request: MergeRequest,
    private readonly policies: string | null,
    private readonly known: readonly Verdict[],
    private readonly args: JudgeArguments,
    private readonly terminal: Terminal,
  ) {}

  /** Returns the verdict, or a text with the reason if the request has no approval file. */
  async verdict(checkouts: Checkouts): Promise<Verdict | string> {
    const { platform, request, args } = this;
    let digest: string | undefined;
    try {
      const found = await jobOfRequest(platform, request, args.job);
      if (typeof found === "string") return `not judged, because ${found}.`;
      const bytes = await orMissing(found.read(args.approval));
      if (bytes === undefined) return `not judged, because ${args.approval} is missing.`;
      digest = digestOf(bytes);
      const verdict = this.#verdictOf(digest, []);
      // Without this check, each run would plan each merge request again, and send many requests to the service. The digest
      // binds the verdict to the approval file.
      const isKnown = (one: Verdict) => JSON.stringify(one) === JSON.stringify(verdict);
      if (this.known.some(isKnown)) return verdict;
      const given = parseApproval(bytes, args.approval, fileKey(this.terminal.env));
      const { sha, iid } = request;
      const ref = `refs/merge-requests/${iid}/head`;
      const problems = await checkouts.use({ sha, ref }, async (checkout) => {
        const judged = await this.#plan(checkout);
        return typeof judged === "string" ? [judged] : differencesOfApprovals(given, judged);
      });
      return { ...verdict, problems };
    } catch (problem) {
      const why = expectedProblem(problem);
      return digest === undefined
        ? `not judged, because ${why.replace(/\.?$/, ".")}`
        : this.#verdictOf(digest, [why]);
    }
  }

  #verdictOf(digest: string, problems: readonly string[]): Verdict {
    const { iid: request, sha: commit } = this.request;
    const day = new Date().toISOString().slice(0, 10);
    return { request, commit, digest, policies: this.policies, day, problems };
  }

  /**
   * Plans the checkout with the policies of the working folder. Returns the approval of the plan, or a text with the reason
   * if the plan fails.
   */
  async #plan({ head, base }: RequestCheckouts): Promise<Approval | string> {
    const { args, terminal } = this;
    const { policies: modules, waivers } = args;
    const { CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: _, ...env } = terminal.env;
    const silent = new Channel(() => undefined);
    const own: Terminal = {
      ...terminal,
      env: { ...env, CI_COMMIT_SHA: this.request.sha },
      folder: head,
      out: silent,
      err: silent,
      outputs: undefined,
    };
    const config = await this.#configIn(head);
    const policies = openPolicies({ policies: modules, waivers, base: terminal.folder, config }, own);
    policies.ruleChanges = ruleChanges(base, head, { modules, waivers }, terminal.env);
    const recorder = new JudgedRecorder("", policies, own);
    const options = { ...args, config, base: terminal.folder, mode: "normal", json: false } as const;
    const reporting = { reports: [], reportEmails: false };
    await planWith(
      { ...options, ...reporting, out: undefined, lock: false, access: true },
      own,
      policies,
      recorder,
    );
    const [judged] = recorder.candidates;
    if (recorder.hasPlans) return parseApproval(Buffer.from(formatApproval(judged)), "the plan");
    return `the plan failed: ${judged.unplanned?.[0]?.why ?? "it has no stack"}`;
  }

  /**
   * Returns the path of the configuration in a checkout. With `--synth-job`, copies the configuration from the artifacts of the
   * job with that name into the checkout. Without `--synth-job`, the repository contains the configuration.
   */
  async #configIn(head: string): Promise<string> {
    const { args, platform, request } = this;
    if (args.synthJob === undefined) return args.config ?? ".";
    const job = await jobOfRequest(platform, request, args.synthJob);
    if (typeof job === "string") throw new UnusablePlan(job);
    await copySynthesized(job.read, args.config ?? "cdktf.out", path.join(head, SYNTHESIZED));
    return SYNTHESIZED;
  }
}

/**
 * Keeps the judged plan in memory and writes no file. The author of the request controls the checkout, and could have put a
 * link or another file where Steward would write.
 */
class JudgedRecorder extends ApprovalRecorder {
  override async write(): Promise<void> {}
}

/**
 * Returns the message of a problem that concerns only one request, such as a missing artifact.
 *
 * @throws any other problem
 */
function expectedProblem(problem: unknown): string {
  if (problem instanceof DiagnosticError) return problem.diagnostics[0]?.detail ?? problem.message;
  if (problem instanceof UnusablePlan || problem instanceof ApiError) return problem.message;
  if (problem instanceof Error) return describeFileProblem(problem);
  throw problem;
}
