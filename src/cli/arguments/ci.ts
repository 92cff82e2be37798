import { type ArgumentsOf, commandLine } from "./command-line";
import { oneOf, option, options, parseCount, parsed, withDefault } from "./option";
import { CHANGE_OR_IMPORT, MODE } from "./plan";
import type { ReportArguments } from "./reports";
import { REPLACE, VIEW } from "./shared-options";

const REPORT_FILES = {
  files: option("<report...>: JSON reports of one run, such as those of all shards", { file: "read" }),
};

const POST = {
  ...VIEW,
  ...options({
    dryRun: "--dry-run: print the posts without sending them",
    webhookFile:
      "--webhook-file <file>: post totals to the chat webhook in this file (default: STEWARD_WEBHOOK_URL)",
  }),
};

const NAME = {
  name: withDefault(option("--name <name>: the name of this app, if the repository has several"), "steward"),
};

const EXIT =
  "The exit code is that of the reported run, even if nothing could be posted (a warning). STEWARD_COMMENT_TOKEN needs the scope api and the Reporter role in the project of the pipeline.";

export const ciCommentLine = commandLine({
  name: "ci comment",
  summary: "post the report of a plan in its merge request",
  description: `Writes one comment into the merge request of the pipeline, and updates it in later runs. The comment shows totals, problems, access and the digest to approve; the rest is folded. Comments of other users stay unchanged. ${EXIT}`,
  examples: {
    "steward ci comment plan.json":
      "post the report of `steward plan --report plan.json`, even of a failed plan",
    "steward ci comment plan.json --approval changes.json":
      "also ask for approval of `plan --out-approval changes.json`",
    "steward ci comment shards/*.json --dry-run": "print the comment for several jobs",
  },
  options: {
    ...POST,
    ...NAME,
    approval: option(
      "--approval <file>: file of `plan --out-approval`; the comment shows its digest for approval",
    ),
  },
  operands: REPORT_FILES,
});
export type CommentArguments = ArgumentsOf<typeof ciCommentLine>;

export const ciIssuesLine = commandLine({
  name: "ci issues",
  summary: "keep one issue for each project or stack with drift",
  description: `Opens an issue for each project or stack with drift, in the project of the pipeline. Updates the issue when the drift changes, and closes it after a newer run checked all of its objects and found no drift. Drift that \`--since\` leaves out keeps its issue open. Issues have the label steward-drift. ${EXIT}`,
  examples: {
    "steward ci issues drift.json": "open issues for `steward drift --report drift.json`",
    "steward ci issues drift.json --by stack --owners OWNERS --max-new 5":
      "one issue for each stack, with owners, and at most five new ones",
  },
  options: {
    ...POST,
    ...NAME,
    by: withDefault(
      oneOf("--by <scope>: open one issue for each project or stack", ["project", "stack"]),
      "project",
    ),
    owners: option(
      "--owners <file>: people to mention in issues, in lines such as `acme/web-* @maya`; the last match wins",
    ),
    maxNew: withDefault(parsed("--max-new <n>: maximum number of new issues in one run", parseCount), 10),
  },
  operands: REPORT_FILES,
});

export const ciApplyLine = commandLine({
  name: "ci apply",
  summary: "apply the approved changes of a merge request",
  description:
    "Runs in a protected job of the default branch. Finds the merge request of the commit, plans, and applies the plan if enough people approved its digest. Approvals count from active members of the changed projects who are not the author and did not push. They have to be newer than the last push and the comment with the digest. A policy may require more approvals, or other people. Unapproved reverts of manual changes are left out. STEWARD_TOKEN applies the plan. STEWARD_COMMENT_TOKEN, which wrote the comment, reads the merge request (scope read_api, role Reporter).",
  examples: {
    "steward ci apply": "require one approval",
    "steward ci apply --approvals 2 --max-deletes 0": "require two approvals, and refuse deletes",
  },
  options: {
    ...CHANGE_OR_IMPORT,
    ...REPLACE,
    destroy: { ...MODE.destroy, help: "delete all objects in the state" },
    approvals: withDefault(parsed("--approvals <n>: number of required approvals", parseCount), 1),
    ...NAME,
    file: withDefault(
      option("--out-approval <file>: file for the changes of the new plan", { file: "approval" }),
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
