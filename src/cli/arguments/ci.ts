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
    dryRun: "--dry-run: print what would be sent, and send nothing",
    webhookFile:
      "--webhook-file <file>: post totals to the chat whose webhook this file holds (default: STEWARD_WEBHOOK_URL)",
  }),
};

const NAME = {
  name: withDefault(option("--name <name>: the name of this app, if the repository has several"), "steward"),
};

const EXIT =
  "The exit code is that of the reported run, also when nothing could be posted, which is a warning. STEWARD_COMMENT_TOKEN needs the scope api and the Reporter role in the project of the pipeline.";

export const ciCommentLine = commandLine({
  name: "ci comment",
  summary: "write the report of a plan into its merge request",
  description: `Writes one comment into the merge request of the pipeline, and replaces its text from then on: totals, problems, access and the digest to approve on top, everything else folded. Comments of others with the same marker are left alone. ${EXIT}`,
  examples: {
    "steward ci comment plan.json": "after `steward plan --report plan.json`, which may have failed",
    "steward ci comment plan.json --approval changes.json":
      "ask for approval of `plan --out-approval changes.json`",
    "steward ci comment shards/*.json --dry-run": "print the comment on a run of several jobs",
  },
  options: {
    ...POST,
    ...NAME,
    approval: option(
      "--approval <file>: the file of `plan --out-approval`: the comment asks to approve its digest",
    ),
  },
  operands: REPORT_FILES,
});
export type CommentArguments = ArgumentsOf<typeof ciCommentLine>;

export const ciIssuesLine = commandLine({
  name: "ci issues",
  summary: "keep one issue for each project or stack that drifts",
  description: `Opens an issue for each project or stack with drift, in the project of the pipeline, updates it while the drift changes, and closes it once a newer run has checked all of its objects and found them in order. Drift that \`--since\` knows keeps its issue open. Issues have the label steward-drift. ${EXIT}`,
  examples: {
    "steward ci issues drift.json": "after `steward drift --report drift.json`",
    "steward ci issues drift.json --by stack --owners OWNERS --max-new 5":
      "mention owners; open at most five issues",
  },
  options: {
    ...POST,
    ...NAME,
    by: withDefault(
      oneOf("--by <scope>: the object that an issue is about", ["project", "stack"]),
      "project",
    ),
    owners: option(
      "--owners <file>: people to mention in issues: lines such as `acme/web-* @maya`; the last match wins",
    ),
    maxNew: withDefault(parsed("--max-new <n>: open at most so many new issues in a run", parseCount), 10),
  },
  operands: REPORT_FILES,
});

export const ciApplyLine = commandLine({
  name: "ci apply",
  summary: "apply what a merge request approved",
  description:
    "In a protected job of the default branch: finds the merge request of the commit, plans, and applies the plan if it is the one whose digest the merge request's comment asks to approve, and enough people approved it since: not the author, after the last push, and after the comment had the digest. A policy may ask for more approvals. Reverts of changes by hand that nobody approved are left out. STEWARD_TOKEN applies; STEWARD_COMMENT_TOKEN, the one that wrote the comment, reads the merge request (scope read_api, Reporter).",
  examples: {
    "steward ci apply": "apply what one person approved",
    "steward ci apply --approvals 2 --max-deletes 0": "two people, and no deletes",
  },
  options: {
    ...CHANGE_OR_IMPORT,
    ...REPLACE,
    destroy: { ...MODE.destroy, help: "delete all objects in the state" },
    approvals: withDefault(parsed("--approvals <n>: how many people have to approve", parseCount), 1),
    ...NAME,
    file: withDefault(
      option("--out-approval <file>: where to write the changes of the new plan", { file: "approval" }),
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
