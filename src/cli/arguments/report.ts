import { fail } from "../../diagnostics";
import {
  type ApprovedArguments,
  defineApproved,
  outApprovalOption,
  readApproved,
  readOutApproval,
} from "./approval";
import { type CommandLine, defineView, readView, reword, type ViewArguments } from "./command-line";
import { defineLimits, type LimitArguments, readLimits } from "./limits";
import { accessOption, readAccess } from "./plan";
import { definePolicies, type PolicyArguments, readPolicies } from "./policies";
import { type Destination, defineReports, type ReportArguments, readReports } from "./reports";

export interface ReportOfPlanArguments
  extends ViewArguments,
    ReportArguments,
    LimitArguments,
    PolicyArguments {
  /** A file, or `-` for standard input. */
  readonly planJson: string;
  /** Show who gains and who loses access. */
  readonly access: boolean;
  /** The file for the changes to approve. */
  readonly outApproval: string | undefined;
  readonly approved: ApprovedArguments | undefined;
  /** Exit with 2 if there are changes. */
  readonly detailedExitCode: boolean;
}

export const reportLine: CommandLine<ReportOfPlanArguments> = {
  name: "report",
  summary: "report on a plan of Terraform or OpenTofu, and check limits and policies",
  description:
    "Shows a plan that `terraform show -json` or `tofu show -json` printed, writes reports " +
    "of it, and refuses a plan that exceeds a limit or violates a policy. Objects of all providers " +
    "are counted and shown. Exit 0, or 1 if the plan has errors, a condition failed, a limit " +
    "is exceeded or a policy is violated; with --detailed-exitcode, 2 when there are changes. " +
    "Sends no request to any service, except that --access reads members and rules from the one " +
    "that STEWARD_BASE_URL and STEWARD_TOKEN name.",
  examples: [
    [
      "steward report --plan-json plan.json --max-deletes 0 --report plan.widget.json",
      "in a pipeline: exit 1 when the plan deletes anything",
    ],
    [
      "steward report --plan-json plan.json --policy policy.ts",
      "in a pipeline: exit 1 when the plan violates a mandatory rule",
    ],
    ["terraform show -json plan.out | steward report --plan-json - --report plan.md", "report a plan"],
  ],
  define: (command) =>
    void reword(defineApproved(definePolicies(defineLimits(defineReports(defineView(command))))), {
      "--policy": "check the plan against the rules that this module exports; may be given more than once",
      "--max-deletes":
        "exit 1 when more objects than this would be deleted or replaced; each entry that a whole list loses counts, except what a new list removes, which the plan does not hold",
      "--max-changes": "exit 1 when more objects than this would change in any way",
      "--max-imports": "exit 1 when more objects than this would be imported",
    })
      // Commander would require it of `report merge` too.
      .option("--plan-json <file>", "what `terraform show -json PLAN` printed; - reads the standard input")
      .addOption(accessOption())
      .addOption(outApprovalOption())
      .option("--detailed-exitcode", "exit 2 when there are changes"),
  read: (options) => ({
    ...readView(options),
    ...readReports(options),
    ...readLimits(options),
    ...readPolicies(options),
    planJson: options["planJson"] ?? missingPlan(),
    access: readAccess(options),
    outApproval: readOutApproval(options),
    approved: readApproved(options),
    detailedExitCode: options["detailedExitcode"] === true,
  }),
};

const missingPlan = (): never =>
  fail({
    code: "invalid_arguments",
    summary: "Missing option",
    detail:
      "Give the plan to report with --plan-json FILE, or join reports with `steward report merge`. See `steward report --help`.",
  });

export interface ReportMergeArguments extends ViewArguments {
  /** The JSON reports to join. */
  readonly files: readonly [string, ...string[]];
  /** Where to write the joined one. */
  readonly reports: readonly Destination[];
  /** Exit with 2 if a plan has changes. */
  readonly detailedExitCode: boolean;
}

export const reportMergeLine: CommandLine<ReportMergeArguments> = {
  name: "report merge",
  summary: "join the reports of parallel jobs into one",
  description:
    "Reads the JSON reports that parallel jobs wrote, such as the shards of `steward plan --shard` or `steward drift --shard`, and writes the report of all of them, in any format. Refuses reports that are no parts of one run: of different commands, releases, services or apps, or with the same stack. An undeclared object counts only if no job knows its declaration. A shard without a report is an error in the joined one. The exit code is the worst of the jobs: 1 after an error, 2 with drift (with --detailed-exitcode also with planned changes), or else 0. Sends no request.",
  examples: [
    ["steward report merge shards/*.json --report drift.html", "one page of all shards"],
    ["steward report merge 1.json 2.json --report all.json --report all.md", "several formats"],
  ],
  define: (command) =>
    void defineReports(defineView(command))
      .argument("<file...>", "JSON reports to join")
      .option("--detailed-exitcode", "exit 2 when a plan has changes"),
  read: (options, [first, ...more]) => {
    const { reports, reportEmails } = readReports(options);
    if (reports.length === 0)
      fail({
        code: "invalid_arguments",
        summary: "Missing option",
        detail: "Give the file of the joined report with --report FILE.",
      });
    if (reportEmails)
      fail({
        code: "invalid_arguments",
        summary: "Unknown e-mail addresses",
        detail:
          "--report-emails has no effect on joined reports: addresses that the jobs masked can't be restored. Omit it, and give it to the jobs.",
      });
    return {
      ...readView(options),
      files: [first!, ...more],
      reports,
      detailedExitCode: options["detailedExitcode"] === true,
    };
  },
};

export interface HistoryArguments extends ViewArguments {
  /** The folder with the reports. */
  readonly folder: string;
  /** The page to write; undefined for `index.html` in the folder. */
  readonly file: string | undefined;
}

export const historyLine: CommandLine<HistoryArguments> = {
  name: "history",
  summary: "turn the drift reports of many runs into one page",
  description:
    "Reads the JSON reports of many runs of `steward drift --report FILE.json` in a folder and its subfolders, and writes one HTML page: drift over time, the projects that drift most, the age of open drifts, and the time to repair. The times are those of the reports, and the names of the files do not matter. Files that are no reports, or damaged, are named and left out. Reports of applies explain repairs; other reports are left out. Sends no request. Exit 0, or 1 if there is no drift report or the page can't be written.",
  examples: [
    ["steward history runs", "write runs/index.html"],
    ["steward drift --report runs/2026-11-23T0100.json", "in a scheduled job, whose reports are kept"],
    ["steward history runs --out public/index.html", "write the page elsewhere"],
    ["steward history runs --json", "the same numbers as JSON events"],
  ],
  define: (command) =>
    void defineView(
      command
        .argument("<dir>", "folder with the JSON reports, in subfolders too")
        .option("--out <file>", "the page to write (default: index.html in the folder)"),
    ),
  read: (options, [folder]) => ({ ...readView(options), folder: folder!, file: options["out"] }),
};
