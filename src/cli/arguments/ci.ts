import { type Command, Option, type OptionValues } from "commander";
import { type ApplyArguments, applyLine, defineChange } from "./apply";
import { type CommandLine, defineView, readView, type ViewArguments } from "./command-line";
import { defineImportExisting } from "./limits";
import { replaceOption } from "./stack-options";
import { parseCount } from "./values";

interface PostArguments extends ViewArguments {
  /** The JSON reports of one run. */
  readonly files: readonly [string, ...string[]];
  /** Print what would be sent, and send nothing. */
  readonly dryRun: boolean;
  /** A file that holds the address of a chat's webhook. */
  readonly webhookFile: string | undefined;
}

export interface CommentArguments extends PostArguments {
  /** Tells the comments of several apps of one repository apart. */
  readonly name: string;
  /** The file that `plan --out-approval` wrote. */
  readonly approval: string | undefined;
}

export interface IssuesArguments extends PostArguments {
  readonly by: "project" | "stack";
  readonly owners: string | undefined;
  readonly maxNew: number;
}

export interface CiApplyArguments {
  readonly apply: ApplyArguments;
  /** How many people have to approve, at least. */
  readonly approvals: number;
  readonly name: string;
  /** Where the changes to approve are written again. */
  readonly file: string;
}

const definePost = (command: Command): Command =>
  defineView(command.argument("<report...>", "JSON reports of one run, such as those of all shards"))
    .option("--dry-run", "print what would be sent, and send nothing")
    .option(
      "--webhook-file <file>",
      "post totals to the chat whose webhook this file holds (default: STEWARD_WEBHOOK_URL)",
    );

const readPost = (options: OptionValues, files: readonly (string | undefined)[]): PostArguments => ({
  ...readView(options),
  files: files as unknown as readonly [string, ...string[]],
  dryRun: options["dryRun"] === true,
  webhookFile: options["webhookFile"],
});

const nameOption = (): Option =>
  new Option("--name <name>", "tells the comments of several apps of one repository apart").default(
    "steward",
  );

const EXIT =
  "The exit code is that of the reported run, also when nothing could be posted, which is a warning. STEWARD_COMMENT_TOKEN needs the scope api and the Reporter role in the project of the pipeline.";

export const ciCommentLine: CommandLine<CommentArguments> = {
  name: "ci comment",
  summary: "write the report of a plan into its merge request",
  description: `Writes one comment into the merge request of the pipeline, and replaces its text from then on: totals, problems, access and the digest to approve on top, everything else folded. Comments of others with the same marker are left alone. ${EXIT}`,
  examples: [
    ["steward ci comment plan.json", "after `steward plan --report plan.json`, which may have failed"],
    [
      "steward ci comment plan.json --approval changes.json",
      "ask for approval of `plan --out-approval changes.json`",
    ],
    ["steward ci comment shards/*.json --dry-run", "print the comment on a run of several jobs"],
  ],
  define: (command) =>
    void definePost(command)
      .addOption(nameOption())
      .option(
        "--approval <file>",
        "the file of `plan --out-approval`: the comment asks to approve its digest",
      ),
  read: (options, files) => ({
    ...readPost(options, files),
    name: options["name"],
    approval: options["approval"],
  }),
};

export const ciIssuesLine: CommandLine<IssuesArguments> = {
  name: "ci issues",
  summary: "keep one issue for each project or stack that drifts",
  description: `Opens an issue for each project or stack with drift, in the project of the pipeline, updates it while the drift changes, and closes it when there is none any more. Drift that \`--since\` knows keeps its issue open. Issues have the label steward-drift. ${EXIT}`,
  examples: [
    ["steward ci issues drift.json", "after `steward drift --report drift.json`"],
    [
      "steward ci issues drift.json --by stack --owners OWNERS --max-new 5",
      "mention owners; open at most five issues",
    ],
  ],
  define: (command) =>
    void definePost(command)
      .addOption(
        new Option("--by <scope>", "what has an issue of its own")
          .choices(["project", "stack"])
          .default("project"),
      )
      .option(
        "--owners <file>",
        "whom issues mention: lines such as `acme/web-* @maya`, the last that matches wins",
      )
      .addOption(
        new Option("--max-new <n>", "open at most so many new issues in a run")
          .argParser(parseCount)
          .default(10),
      ),
  read: (options, files) => ({
    ...readPost(options, files),
    by: options["by"],
    owners: options["owners"],
    maxNew: options["maxNew"],
  }),
};

export const ciApplyLine: CommandLine<CiApplyArguments> = {
  name: "ci apply",
  summary: "apply what a merge request approved",
  description:
    "In a protected job of the default branch: finds the merge request of the commit, plans, and applies the plan if it is the one whose digest the merge request's comment asks to approve, and enough people approved it since: not the author, after the last push, and after the comment had the digest. A policy may ask for more approvals. Reverts of changes by hand that nobody approved are left out. STEWARD_TOKEN applies; STEWARD_COMMENT_TOKEN, the one that wrote the comment, reads the merge request (scope read_api, Reporter).",
  examples: [
    ["steward ci apply", "apply what one person approved"],
    ["steward ci apply --approvals 2 --max-deletes 0", "two people, and no deletes"],
  ],
  define: (command) =>
    void defineImportExisting(defineChange(command, "one at a time"))
      .addOption(replaceOption())
      .option("--destroy", "delete all objects in the state")
      .addOption(
        new Option("--approvals <n>", "how many people have to approve").argParser(parseCount).default(1),
      )
      .addOption(nameOption())
      .option("--out-approval <file>", "where to write the changes of the new plan", "steward-approval.json"),
  read: ({ approvals, name, outApproval: file, ...options }) => ({
    apply: applyLine.read({ ...options, autoApprove: true }, []),
    approvals,
    name,
    file,
  }),
};
