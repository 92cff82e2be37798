import { fail } from "../../diagnostics";
import {
  type ApprovedArguments,
  defineApproved,
  outApprovalOption,
  readApproved,
  readOutApproval,
} from "./approval";
import type { CommandLine, ViewArguments } from "./command-line";
import { defineView, readView, reword } from "./command-line";
import { defineLimits, type LimitArguments, readLimits } from "./limits";
import { accessOption, readAccess } from "./plan";
import { definePolicies, type PolicyArguments, readPolicies } from "./policies";
import { defineReports, type ReportArguments, readReports } from "./reports";

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
