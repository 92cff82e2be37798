import { fail } from "../../diagnostics";
import type { CommandLine } from "./command-line";
import { defineReports, type ReportArguments, readReports } from "./reports";
import { defineRun, defineUnlocked, doNotGoTogether, type RunArguments, readRun } from "./stack-options";

export interface DriftArguments extends RunArguments, ReportArguments {
  /** Looks for what is live and declared by nobody as well. */
  readonly coverage: boolean;
  /** The file of what is passed over. */
  readonly ignore: string | undefined;
  /** The JSON of an earlier run, whose findings are not told again. */
  readonly since: string | undefined;
  /** Undoes the drift, after showing how. */
  readonly repair: boolean;
  /** Nobody is asked before a repair. */
  readonly autoApprove: boolean;
}

export const driftLine: CommandLine<DriftArguments> = {
  name: "drift",
  summary: "show what differs on the service from what is declared",
  description:
    "Compares the live objects with the state, in what the configuration declares: what changed, attribute by attribute, and what vanished. Writes neither the state nor the service, but with --repair, which brings back what was applied and leaves to apply what the code changed since. Exit 0 without drift or when all of it was repaired, 2 with drift, 1 on an error, also where an object could not be checked.",
  examples: [
    ["steward drift", "look at all stacks of the app"],
    [
      "steward drift --coverage --report drift.md",
      "look for what nobody declares as well, and leave a report",
    ],
    ["steward drift --repair", "show what undoes the drift, ask, and do it"],
    ["steward drift --since last.json --report last.json", "tell only what is new since the last run"],
    ["steward drift --json", "the same as JSON events, for a scheduled job"],
  ],
  define: (command) =>
    void defineUnlocked(defineReports(defineRun(command)))
      .option(
        "--coverage",
        "tell as well what is live in the projects and groups of the code, and declared by nobody",
      )
      .option("--ignore <file>", "pass over what this YAML file lists, each with a reason and until a day")
      .option("--since <file>", "tell only what is new since an earlier run, by its JSON report")
      .option("--repair", "bring back what was applied, and nothing else, after showing how")
      .option("--auto-approve", "repair without a question"),
  read(options) {
    const run = readRun(options);
    const coverage = options["coverage"] === true;
    // What is declared outside of the targets would look as if nobody declared it.
    if (coverage && run.targets.length > 0) doNotGoTogether("--coverage", "--target");
    const repair = options["repair"] === true;
    if (repair && !run.lock) doNotGoTogether("--repair", "--lock=false");
    const autoApprove = options["autoApprove"] === true;
    if (autoApprove && !repair) refuseAlone("--auto-approve", "--repair");
    const { ignore, since } = options as Record<string, string | undefined>;
    return { ...run, ...readReports(options), coverage, ignore, since, repair, autoApprove };
  },
};

function refuseAlone(option: string, other: string): never {
  return fail({
    code: "invalid_arguments",
    summary: "Option that needs another",
    detail: `${option} is for ${other}: give both, or leave it out.`,
  });
}
