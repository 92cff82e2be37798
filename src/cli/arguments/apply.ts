import type { PlanMode } from "../../engine/plan/model";
import type { CommandLine } from "./command-line";
import { readMode } from "./plan";
import { defineReports, type ReportArguments, readReports } from "./reports";
import { defineRun, type RunArguments, readRun } from "./stack-options";

export interface ApplyArguments extends RunArguments, ReportArguments {
  readonly mode: PlanMode;
  /** Nobody is asked. */
  readonly autoApprove: boolean;
}

const AUTO_APPROVE = ["--auto-approve", "apply without a question"] as const;

export const applyLine: CommandLine<ApplyArguments> = {
  name: "apply",
  summary: "make the service as declared",
  description:
    "Shows the plan, asks, and applies it, stack by stack in the order of their dependencies. Without a terminal it needs --auto-approve.",
  examples: [
    ["steward apply", "plan, ask, apply"],
    ["steward apply --auto-approve --json", "in a pipeline: no question, JSON events on stdout"],
  ],
  define: (command) =>
    void defineReports(defineRun(command))
      .option(...AUTO_APPROVE)
      .option("--refresh-only", "only take over into the state what changed outside of steward")
      .option("--destroy", "delete everything that the state holds"),
  read: (options) => ({
    ...readRun(options),
    ...readReports(options),
    mode: readMode(options["refreshOnly"] === true, options["destroy"] === true),
    autoApprove: options["autoApprove"] === true,
  }),
};

export const destroyLine: CommandLine<ApplyArguments> = {
  name: "destroy",
  summary: "delete everything that the state holds",
  description:
    "Shows what would be deleted, asks, and deletes it, stacks that others depend on last. Without a terminal it needs --auto-approve.",
  examples: [
    ["steward destroy", "plan, ask, delete"],
    ["steward destroy --stack web --auto-approve", "delete one stack's objects without a question"],
  ],
  define: (command) => void defineReports(defineRun(command)).option(...AUTO_APPROVE),
  read: (options) => ({
    ...readRun(options),
    ...readReports(options),
    mode: "destroy",
    autoApprove: options["autoApprove"] === true,
  }),
};
