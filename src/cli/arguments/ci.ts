import { type ArgumentsOf, commandLine } from "./command-line";
import { oneOf, option, options, parsed, withDefault } from "./option";
import { CHANGE_OR_IMPORT, MODE } from "./plan";
import type { ReportArguments } from "./reports";
import { POLICIES, REPLACE, REQUESTS, VARIABLES, VIEW } from "./shared-options";
import { parseCount } from "./values";

const REPORT_FILES = {
  files: option("<report...>: JSON reports from one run, such as one from each shard", { file: "read" }),
};

const POST = {
  ...VIEW,
  ...options({
    dryRun: "--dry-run: print the posts without sending them",
    webhookFile:
      "--webhook-file <file>: post totals to the chat webhook whose URL is in this file (default: STEWARD_WEBHOOK_URL)",
  }),
};

const NAME = {
  name: withDefault(option("--name <name>: name of this app, if the repository contains several"), "steward"),
};

const EXIT =
  "The exit code is that of the reported run. If posting fails, the command only warns. STEWARD_COMMENT_TOKEN needs the scope api and the Reporter role in the project of the pipeline.";

export const ciCommentLine = commandLine({
  name: "ci comment",
  summary: "post a plan's report in its merge request",
  description: `Writes one comment into the merge request of the pipeline, and updates it in later runs. The comment shows totals, problems, access and the digest to approve; the rest is collapsed. Comments of other users stay unchanged. ${EXIT}`,
  examples: {
    "steward ci comment plan.json":
      "post the report from `steward plan --report plan.json`, even if the plan failed",
    "steward ci comment plan.json --approval changes.json":
      "also ask for approval of the changes in changes.json",
    "steward ci comment shards/*.json --dry-run": "print the comment for the reports of several jobs",
    "steward ci comment plan.json --approval changes.json --requests --judged verdicts.json":
      "in a pipeline of the protected branch, write the comment of each open merge request from the files of its plan job",
  },
  options: {
    ...POST,
    ...NAME,
    approval: option(
      "--approval <file>: ask for approval of the changes in this file from `plan --out-approval`",
    ),
    requests: option(
      "--requests: write the comment of each open merge request of the branch; the files are artifacts of its newest pipeline",
      { requires: "--approval", excludes: ["--webhook-file"] },
    ),
    job: withDefault(
      option("--job <name>: with --requests: job of the request's pipeline that leaves the files", {
        requires: "--requests",
      }),
      "steward-plan",
    ),
    judged: option(
      "--judged <file>: with --requests: verdicts of `ci judge`; without a verdict, a request gets no comment",
      { requires: "--requests", file: "read" },
    ),
    policies: {
      ...POLICIES.policies,
      help: "with --requests: policy module of the plan, besides `policy` in cdktf.json (repeatable)",
      requires: "--requests",
    },
    waivers: {
      ...POLICIES.waivers,
      help: "with --requests: waivers of the plan (repeatable)",
      requires: "--requests",
    },
  },
  operands: REPORT_FILES,
});
export type CommentArguments = ArgumentsOf<typeof ciCommentLine>;

export const ciJudgeLine = commandLine({
  name: "ci judge",
  summary: "judge the open merge requests by the policies of their target branch",
  description:
    "Runs in a pipeline of the protected branch, in a job with the token that reads (STEWARD_TOKEN) and no other. Plans the commit of each open merge request again, and checks the plan against the policies and waivers in the working folder. Compares the result with the approval file that the request's pipeline left. No code of a request runs. The verdicts are bound to the digests of these files. `ci comment --requests --judged FILE` writes no comment without one. Exit code 0 once the verdicts are written, even if all are negative.",
  examples: {
    "steward ci judge changes.json --synth-job synth --job preview":
      "judge the requests whose job synth left cdktf.out, and whose job preview left changes.json",
    "steward ci judge changes.json --config . --policy policy.js":
      "judge requests with a configuration in JSON, which no job synthesizes",
  },
  options: {
    ...VIEW,
    out: withDefault(
      option("--out <file>: file for the verdicts; unchanged requests keep the verdicts in it", {
        file: "verdicts",
      }),
      "verdicts.json",
    ),
    job: withDefault(
      option("--job <name>: job of the request's pipeline that leaves the approval file"),
      "steward-plan",
    ),
    synthJob: option(
      "--synth-job <name>: job of the request's pipeline that leaves the synthesized app; without it, the configuration is in the repository",
    ),
    config: option(
      "--config <path>: folder of the synthesized app (default: cdktf.out), or of the configuration in the repository",
    ),
    policies: POLICIES.policies,
    waivers: POLICIES.waivers,
    ...VARIABLES,
    ...REQUESTS,
  },
  operands: {
    approval: option("<approval>: name of the approval file in the artifacts of the request's pipeline"),
  },
});
export type JudgeArguments = ArgumentsOf<typeof ciJudgeLine>;

export const ciIssuesLine = commandLine({
  name: "ci issues",
  summary: "keep one issue for each project or stack with drift",
  description: `Opens an issue for each project or stack with drift, in the project of the pipeline. Updates the issue when the drift changes, and closes it once a newer run checked every object in the issue and found no drift. Drift that \`--since\` leaves out keeps its issue open. Issues have the label steward-drift. ${EXIT}`,
  examples: {
    "steward ci issues drift.json": "open issues for the report from `steward drift --report drift.json`",
    "steward ci issues drift.json --by stack --owners OWNERS --max-new 5":
      "open one issue for each stack, mention its owners, and open at most five new issues",
  },
  options: {
    ...POST,
    ...NAME,
    by: withDefault(
      oneOf("--by <scope>: open one issue for each project or stack", ["project", "stack"]),
      "project",
    ),
    owners: option(
      "--owners <file>: file of people to mention in issues, with lines such as `acme/web-* @maya`; the last match wins",
    ),
    maxNew: withDefault(parsed("--max-new <n>: open at most N new issues in one run", parseCount), 10),
  },
  operands: REPORT_FILES,
});

export const ciApplyLine = commandLine({
  name: "ci apply",
  summary: "apply the approved changes of merge requests",
  description:
    "Runs in a protected job of the branch's last commit. Finds the merged requests whose approvals are not spent, plans, and applies the plan if each change belongs to an approved request. Jobs of older commits write nothing. Only active members of the changed projects can approve, except the author and people who pushed commits. An approval must be newer than the last push and the comment with the digest. A policy may require more approvals, or approvals from other people. The apply leaves out unapproved reverts of manual changes. Steward applies the plan with STEWARD_TOKEN. It reads the merge request with STEWARD_COMMENT_TOKEN, the token that wrote the comment (scope api, role Reporter).",
  examples: {
    "steward ci apply": "require one approval",
    "steward ci apply --approvals 2 --max-deletes 0":
      "require two approvals, and refuse a plan that deletes anything",
    "steward ci apply --config cdktf.out --judged judged.json":
      "run no code of the repository: an earlier job synthesized the app, and another one judged the policies",
  },
  options: {
    ...CHANGE_OR_IMPORT,
    ...REPLACE,
    destroy: { ...MODE.destroy, help: "delete all objects in the state" },
    approvals: withDefault(parsed("--approvals <n>: number of required approvals", parseCount), 1),
    ...NAME,
    judged: option(
      "--judged <file>: run no policy module, and take the verdicts from this file, which `plan --out-approval` wrote in an earlier job",
      { excludes: ["--policy"], file: "read" },
    ),
    file: withDefault(
      option("--out-approval <file>: file for the changes in the new plan", { file: "approval" }),
      "steward-approval.json",
    ),
  },
  read: ({ destroy, ...given }) => ({
    ...given,
    mode: destroy ? ("destroy" as const) : ("normal" as const),
    autoApprove: true,
  }),
});
export type CiApplyArguments = ArgumentsOf<typeof ciApplyLine> & ReportArguments;
