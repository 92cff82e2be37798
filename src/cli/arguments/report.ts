import { Option } from "commander";
import type { CommandLine, ViewArguments } from "./command-line";
import { defineView, readView } from "./command-line";
import { defineLimits, type LimitArguments, readLimits } from "./limits";
import { defineReports, type ReportArguments, readReports } from "./reports";

export interface ReportOfPlanArguments extends ViewArguments, ReportArguments, LimitArguments {
  /** A file, or `-` for the standard input. */
  readonly planJson: string;
  /** JavaScript modules that export rules. */
  readonly policies: readonly string[];
  /** Exit 2 where there is something to apply. */
  readonly detailedExitCode: boolean;
}

export const reportLine: CommandLine<ReportOfPlanArguments> = {
  name: "report",
  summary: "report and guard a plan of Terraform or OpenTofu",
  description:
    "Shows a plan that `terraform show -json` or `tofu show -json` printed, writes reports of it, and refuses one that goes beyond a limit. Objects of all providers are counted and shown. Exit 0, or 1 where the plan has errors, a condition failed, a limit is exceeded or a policy is violated; with --detailed-exitcode 2 where there are changes. Asks nothing of any service.",
  examples: [
    [
      "steward report --plan-json plan.json --max-deletes 0 --report plan.widget.json",
      "in a pipeline: exit 1 when the plan deletes anything",
    ],
    ["terraform show -json plan.out | steward report --plan-json - --report plan.md", "report a plan"],
  ],
  define: (command) =>
    void defineLimits(defineReports(defineView(command)))
      .requiredOption(
        "--plan-json <file>",
        "what `terraform show -json PLAN` printed; - reads the standard input",
      )
      .addOption(
        new Option(
          "--policy <module>",
          "check the planned projects against the rules that this JavaScript module exports; may be given more than once",
        ).argParser((file: string, before: readonly string[] = []) => [...before, file]),
      )
      .option("--detailed-exitcode", "exit 2 where there are changes"),
  read: (options) => ({
    ...readView(options),
    ...readReports(options),
    ...readLimits(options),
    planJson: options["planJson"],
    policies: options["policy"] ?? [],
    detailedExitCode: options["detailedExitcode"] === true,
  }),
};
