import { type Command, Option, type OptionValues } from "commander";
import { fail } from "../../diagnostics";
import type { PlanMode } from "../../engine";
import { type ApprovedArguments, defineApproved, readApproved } from "./approval";
import { type CommandLine, reword } from "./command-line";
import {
  defineImportExisting,
  defineLimits,
  defineWave,
  type ImportExistingArguments,
  type LimitArguments,
  readImportExisting,
  readLimits,
  readWave,
  type WaveArguments,
} from "./limits";
import {
  accessOption,
  defineLeaving,
  type LeavingArguments,
  readAccess,
  readLeaving,
  readMode,
} from "./plan";
import { definePolicies, type PolicyArguments, readPolicies } from "./policies";
import { defineReports, type ReportArguments, readReports } from "./reports";
import {
  defineProjects,
  defineRefresh,
  defineRun,
  failConflict,
  type RunArguments,
  readRun,
  replaceOption,
} from "./stack-options";
import { parseSwitch } from "./values";

export interface ApplyArguments
  extends RunArguments,
    ReportArguments,
    LimitArguments,
    PolicyArguments,
    ImportExistingArguments,
    LeavingArguments,
    WaveArguments {
  readonly mode: PlanMode;
  /** Apply without asking for approval. */
  readonly autoApprove: boolean;
  /** Addresses of objects to replace even without other changes. */
  readonly replace: readonly string[];
  /** Show who gains and who loses access. */
  readonly access: boolean;
  /** The file of a saved plan. Without it, the command makes a plan. */
  readonly plan: string | undefined;
  /** What was approved. The command applies nothing else. */
  readonly approved: ApprovedArguments | undefined;
}

const AUTO_APPROVE = ["--auto-approve", "apply without asking for approval"] as const;

export const applyLine: CommandLine<ApplyArguments> = {
  name: "apply",
  summary: "apply the configuration to the service",
  description:
    "Shows the plan, asks for approval, and applies it, stack by stack in the order of their dependencies. A plan that violates a mandatory rule of a policy (`policy` of cdktf.json, --policy) is refused. Without a terminal it needs --auto-approve. With FILE it applies the plan that `steward plan --out FILE` saved, without asking. A saved plan is refused when the configuration, the state, the service, the version of steward or a live setting that it changes has changed, or when the plan computed from them differs from the file. Sensitive variables, variables that configure a provider, and --app must be given again.",
  examples: [
    ["steward apply", "plan, ask for approval, apply"],
    ["steward apply plan.steward", "apply the plan that `steward plan --out plan.steward` saved"],
    [
      "steward apply --approved changes.json --digest D",
      "apply what people approved, and refuse a plan with any other change; asks nothing",
    ],
    ["steward apply --auto-approve --max-deletes 0", "in a pipeline: refuse a plan that deletes anything"],
    [
      "steward apply --import-existing --max-imports 60",
      "take over what is declared and exists; refuse more than 60 imports",
    ],
    ["steward apply --wave 50", "change 50 projects at a time, and stop where one fails"],
    ["steward apply --auto-approve --json", "in a pipeline: no question, JSON events on stdout"],
  ],
  define: (command) =>
    void defineWave(
      defineLeaving(defineApproved(defineImportExisting(defineChange(command, "one at a time")))),
    )
      .argument("[file]", "a saved plan")
      .addOption(replaceOption())
      .option(...AUTO_APPROVE)
      .option("--refresh-only", "update the state from the service; change nothing")
      .option("--destroy", "delete all objects in the state"),
  read: (options, [plan]) => {
    if (plan !== undefined) refusePlanning(options);
    return {
      ...readLocked(options),
      ...readReports(options),
      ...readLimits(options),
      ...readPolicies(options),
      ...readImportExisting(options),
      ...readLeaving(options),
      ...readWave(options),
      mode: readMode(options),
      autoApprove: options["autoApprove"] === true,
      replace: options["replace"] ?? [],
      access: readAccess(options),
      plan,
      approved: readApproved(options),
    };
  },
};

export const destroyLine: CommandLine<ApplyArguments> = {
  name: "destroy",
  summary: "delete all objects in the state",
  description:
    "Shows what would be deleted, asks for approval, and deletes it, dependent stacks first. Without a terminal it needs --auto-approve.",
  examples: [
    ["steward destroy", "plan, ask for approval, delete"],
    [
      "steward destroy --stack web --auto-approve",
      "delete the objects of one stack without asking for approval",
    ],
  ],
  define: (command) =>
    void reword(defineChange(command).option(...AUTO_APPROVE), {
      "--auto-approve": "delete without asking for approval",
      "--max-deletes":
        "delete nothing when more objects than this would be deleted; each entry of a whole list counts",
    }),
  read: (options) => ({
    ...readLocked(options),
    ...readReports(options),
    ...readLimits(options),
    ...readPolicies(options),
    importExisting: false,
    allowLeaving: undefined,
    wave: undefined,
    mode: "destroy",
    autoApprove: options["autoApprove"] === true,
    replace: [],
    access: readAccess(options),
    plan: undefined,
    approved: undefined,
  }),
};

/**
 * Accepts `--lock=false`, which Terraform has here, to refuse it with a reason. The help does not list it.
 */
export const defineChange = (command: Command, several?: "one at a time"): Command =>
  definePolicies(
    defineRefresh(defineLimits(defineReports(defineProjects(defineRun(command, several), several)))),
  )
    .addOption(accessOption())
    .addOption(new Option("--lock <boolean>").argParser(parseSwitch).hideHelp());

function readLocked(options: OptionValues): RunArguments {
  const run = readRun(options);
  if (run.lock) return run;
  return fail({
    code: "invalid_arguments",
    summary: "State can't be written without its lock",
    detail:
      "--lock=false is for commands that only read the state. This command writes it, and without the lock another run could " +
      "write it at the same time and lose changes. Omit the option, or give --lock-timeout to " +
      "wait for the lock; `steward plan --lock=false` works without it.",
  });
}

const FIXED_BY_THE_PLAN = {
  refreshOnly: "--refresh-only",
  destroy: "--destroy",
  refresh: "--refresh",
  access: "--access",
  importExisting: "--import-existing",
  allowLeaving: "--allow-leaving",
  wave: "--wave",
  target: "--target",
  exclude: "--exclude",
  project: "--project",
  replace: "--replace",
  stack: "--stack",
  approved: "--approved",
};

/** Options that a saved plan already fixes. */
function refusePlanning(options: OptionValues): void {
  for (const [name, option] of Object.entries(FIXED_BY_THE_PLAN))
    if (options[name] !== undefined) failConflict("FILE", option);
}
