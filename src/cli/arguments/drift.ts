import type { CommandLine } from "./command-line";
import { defineReports, type ReportArguments, readReports } from "./reports";
import { defineRun, doNotGoTogether, type RunArguments, readRun } from "./stack-options";

export interface DriftArguments extends RunArguments, ReportArguments {
  /** Looks for what is live and declared by nobody as well. */
  readonly coverage: boolean;
  /** The file of what is passed over. */
  readonly ignore: string | undefined;
  /** The JSON of an earlier run, whose findings are not told again. */
  readonly since: string | undefined;
}

export const driftLine: CommandLine<DriftArguments> = {
  name: "drift",
  summary: "show what differs on the service from what is declared",
  description:
    "Compares the live objects with the state, in what the configuration declares: what changed, attribute by attribute, and what vanished. Writes neither the state nor the service. Exit 0 without drift, 2 with drift, 1 on an error.",
  examples: [
    ["steward drift", "look at all stacks of the app"],
    [
      "steward drift --coverage --report drift.md",
      "look for what nobody declares as well, and leave a report",
    ],
    ["steward drift --since last.json --report last.json", "tell only what is new since the last run"],
    ["steward drift --json", "the same as JSON events, for a scheduled job"],
  ],
  define: (command) =>
    void defineReports(defineRun(command))
      .option(
        "--coverage",
        "tell as well what is live in the projects and groups of the code, and declared by nobody",
      )
      .option("--ignore <file>", "pass over what this YAML file lists, each with a reason and until a day")
      .option("--since <file>", "tell only what is new since an earlier run, by its JSON report"),
  read(options) {
    const run = readRun(options);
    const coverage = options["coverage"] === true;
    // What is declared outside of the targets would look as if nobody declared it.
    if (coverage && run.targets.length > 0) doNotGoTogether("--coverage", "--target");
    const { ignore, since } = options as Record<string, string | undefined>;
    return { ...run, ...readReports(options), coverage, ignore, since };
  },
};
