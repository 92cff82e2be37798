import type { CommandLine } from "./command-line";
import { defineReports, type ReportArguments, readReports } from "./reports";
import { defineRun, type RunArguments, readRun } from "./stack-options";

export type DriftArguments = RunArguments & ReportArguments;

export const driftLine: CommandLine<DriftArguments> = {
  name: "drift",
  summary: "show what differs on the service from what is declared",
  description:
    "Compares the live objects with the state, in what the configuration declares: what changed, attribute by attribute, and what vanished. Writes neither the state nor the service. Exit 0 without drift, 2 with drift, 1 on an error.",
  examples: [
    ["steward drift", "look at all stacks of the app"],
    ["steward drift --json", "the same as JSON events, for a scheduled job"],
  ],
  define: (command) => void defineReports(defineRun(command)),
  read: (options) => ({ ...readRun(options), ...readReports(options) }),
};
