import { fail } from "../../diagnostics";
import { type CommandLine, defineView, readView, type ViewArguments } from "./command-line";
import type { Destination } from "./report-destinations";
import { defineReports, readReports } from "./reports";

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
