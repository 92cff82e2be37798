import type { PlanMode } from "../../engine";
import { type ArgumentsOf, commandLine } from "./command-line";
import { declared, type Given, invalid, oneEach, option, parsed } from "./option";
import type { ReportArguments } from "./reports";
import {
  ACCESS,
  ACCESS_BY_DEFAULT,
  APPROVED,
  EXCLUDED_BY_IMPORTS,
  IMPORT_EXISTING,
  LEAVING,
  LIMITS,
  OUT_APPROVAL,
  POLICIES,
  PROJECTS,
  plannedAccess,
  REFRESH,
  REPLACE,
  RUN,
  readApproved,
  SHARD,
  UNLOCKED,
  type ViewArguments,
} from "./shared-options";
import { parseProjects, parseReason, parseSwitch } from "./values";

/** The options that select the mode of a plan, such as `--destroy`. */
export const MODE = {
  refreshOnly: option("--refresh-only: show only manual changes since the last apply", {
    excludes: ["--destroy", "--refresh=false"],
  }),
  destroy: option("--destroy: show a plan that deletes all objects in the state"),
};

const readMode = ({ refreshOnly, destroy }: Given<typeof MODE>): PlanMode => {
  if (refreshOnly) return "refresh-only";
  return destroy ? "destroy" : "normal";
};

export const planLine = commandLine({
  name: "plan",
  summary: "show what apply would change",
  description:
    "Reads the live objects, compares them with the configuration, and shows what an apply would change. Changes nothing. Checks the policies from cdktf.json and --policy. Exit code 0, or 1 on an error or a violated mandatory rule. With --detailed-exitcode, the exit code is 2 if there are changes.",
  examples: {
    "steward plan": "plan all stacks of the app",
    "steward plan --stack web --detailed-exitcode": "plan one stack, and exit 2 when it has changes",
    "steward plan --summary": "print only the number of changed objects, by type and action",
    "steward plan --out plan.steward": "save the plan for `steward apply plan.steward`",
    "steward plan --lock=false --out-approval changes.json":
      "in a merge request: write the changes to approve, for `steward apply --approved changes.json --digest D`",
    "steward plan --lock=false --report plan.md":
      "in a merge request: plan without a lock, using a read-only token",
    "steward plan --access": "read all members and groups, and show who gains and who loses access",
    "steward plan --shard 3/10 --report 3.json": "split the stacks among ten jobs, and plan the third part",
    "steward plan --import-existing": "plan imports for declared objects that already exist",
    "steward plan --import-existing --max-imports 60 --out plan.steward":
      "save the plan unless it imports more than 60 objects",
    "steward plan --stack web --write-imports imports.tf":
      "write import blocks for existing objects, for Terraform or OpenTofu",
    "steward plan --rights": "show the scopes and roles that an apply needs",
    "steward plan --show-requests": "show method, path and body of each request that an apply would send",
    "steward plan --policy policy.ts": "check the changes against the rules that a module exports",
    "steward plan --config cdktf.out/stacks/web --json": "plan a synthesized stack, with JSON events",
  },
  options: {
    ...RUN,
    ...PROJECTS,
    ...SHARD,
    ...UNLOCKED,
    ...REFRESH,
    ...POLICIES,
    ...IMPORT_EXISTING,
    ...LEAVING,
    maxImports: {
      ...LIMITS.maxImports,
      help: "exit with 1 and write no files if the plan imports more than N objects",
    },
    ...MODE,
    ...REPLACE,
    ...ACCESS_BY_DEFAULT,
    rights: option(
      "--rights: show the scopes and roles that the plan needs, and which of them the token lacks",
      { excludes: ["--refresh-only"] },
    ),
    summary: option("--summary: print only the number of changed objects, by type and action"),
    requests: option("--show-requests: show the requests that an apply would send; secrets are masked", {
      excludes: ["--refresh-only"],
    }),
    out: option("--out <file>: save the plan for apply and show, without sensitive values", {
      file: "plan",
    }),
    ...OUT_APPROVAL,
    writeImports: option(
      "--write-imports <file>: write Terraform import blocks for existing objects, as JSON if the file ends in .json, otherwise as HCL",
      { excludes: EXCLUDED_BY_IMPORTS, file: "imports" },
    ),
    writeMoves: option(
      "--write-moves <file>: write Terraform moved blocks for renamed objects, as JSON if the file ends in .json, otherwise as HCL",
      { file: "moves" },
    ),
    detailedExitCode: option("--detailed-exitcode: exit 2 when there are changes"),
  },
  read: (given) => ({
    ...given,
    mode: readMode(given),
    importExisting: given.importExisting || given.writeImports !== undefined,
    access: plannedAccess({ ...given, access: given.outApproval === undefined ? given.access : true }),
  }),
});
export type PlanArguments = ViewArguments &
  Partial<Omit<ArgumentsOf<typeof planLine>, keyof typeof MODE>> &
  ReportArguments;

/** Parses `--lock`. Refuses `--lock=false` with an explanation: Steward does not support this option of Terraform. */
function refuseUnlocked(text: string): true {
  if (parseSwitch(text)) return true;
  return invalid(
    "State can't be written without its lock",
    "--lock=false works only with commands that do not write the state, such as plan. Without the lock, two runs could write the " +
      "state at the same time and lose changes. Omit the option, or wait for the lock with --lock-timeout.",
  );
}

const LOCKED = declared<boolean>("--lock <boolean>: ", true, { isHidden: true, parse: refuseUnlocked });

/** The options of commands that change objects. */
const CHANGE = {
  ...RUN,
  ...PROJECTS,
  ...LIMITS,
  ...REFRESH,
  ...POLICIES,
  ...ACCESS_BY_DEFAULT,
  lock: LOCKED,
};

/**
 * The options of `ci apply`. `ci apply` has the option `ACCESS` instead of `ACCESS_BY_DEFAULT`, because its access report reads
 * all members and groups.
 */
export const CHANGE_OR_IMPORT = oneEach({ ...CHANGE, ...ACCESS, ...IMPORT_EXISTING });

export const applyLine = commandLine({
  name: "apply",
  summary: "apply the configuration to the service",
  description:
    "Shows the plan, asks for approval, and applies the plan, stack by stack in dependency order. Refuses a plan that violates a mandatory policy rule. Without a terminal, it needs --auto-approve. With FILE, it applies the plan that `steward plan --out FILE` saved, without asking. It refuses a saved plan if Steward's version, the configuration, the state, the service or an affected live setting has changed. Give sensitive variables, provider variables and --app again with a saved plan.",
  examples: {
    "steward apply": "plan, ask for approval, apply",
    "steward apply plan.steward": "apply the plan that `steward plan --out plan.steward` saved",
    "steward apply --approved changes.json --digest D":
      "apply approved changes without asking, and refuse a plan with other changes",
    "steward apply --auto-approve --max-deletes 0": "in a pipeline: refuse a plan that deletes anything",
    "steward apply --import-existing --max-imports 60":
      "import declared objects that already exist; refuse more than 60 imports",
    "steward apply --wave 50": "change 50 projects at a time, and stop after a failure",
    "steward apply --auto-approve --json": "in a pipeline: apply without asking, and write JSON events",
  },
  options: {
    ...oneEach({ ...CHANGE, ...IMPORT_EXISTING }),
    ...APPROVED,
    ...LEAVING,
    wave: parsed(
      "--wave <n>: apply N projects at a time, plan again before each wave, and stop after a failed wave",
      parseProjects,
      { excludes: ["--destroy", "--refresh-only", "--target", "--exclude", "--approved"] },
    ),
    ...REPLACE,
    autoApprove: option("--auto-approve: apply without asking for approval"),
    withoutApproval: parsed(
      "--without-approval <reason>: apply without asking and without the approvals that policies require, in an emergency; reports show the reason",
      parseReason,
      { excludes: ["--approved"] },
    ),
    refreshOnly: {
      ...MODE.refreshOnly,
      help: "update the state from the service; change nothing on the service",
    },
    destroy: { ...MODE.destroy, help: "delete all objects in the state" },
  },
  operands: {
    plan: option("[file]: saved plan to apply", {
      file: "read",
      // A saved plan already contains the effect of these options, so `apply FILE` refuses these options.
      excludes: [
        "--refresh-only",
        "--destroy",
        "--refresh",
        "--access",
        "--import-existing",
        "--allow-leaving",
        "--wave",
        "--target",
        "--exclude",
        "--project",
        "--replace",
        "--stack",
        "--approved",
        "--without-approval",
      ],
    }),
  },
  read: (given) => ({
    ...given,
    mode: readMode(given),
    autoApprove: given.autoApprove || given.withoutApproval !== undefined,
    approved: readApproved(given),
    access: plannedAccess(given),
  }),
});
/** The arguments of `apply` and `destroy`, without the arguments about reports. */
type ChangeArguments = ViewArguments &
  Pick<ArgumentsOf<typeof applyLine>, "mode" | "autoApprove"> &
  Partial<Omit<ArgumentsOf<typeof applyLine>, keyof typeof MODE | "digest" | "approvals">>;
export type ApplyArguments = ChangeArguments & ReportArguments;

export const destroyLine = commandLine({
  name: "destroy",
  summary: "delete all objects in the state",
  description:
    "Shows the objects to delete, asks for approval, and deletes them, dependent stacks first. Without a terminal, it needs --auto-approve.",
  examples: {
    "steward destroy": "plan, ask for approval, delete",
    "steward destroy --stack web --auto-approve":
      "delete the objects of one stack without asking for approval",
  },
  options: {
    ...CHANGE,
    maxDeletes: {
      ...LIMITS.maxDeletes,
      help: "delete nothing if the plan deletes more than N objects; each list entry counts",
    },
    autoApprove: option("--auto-approve: delete without asking for approval"),
  },
  read: (given): ChangeArguments => ({ ...given, mode: "destroy", access: plannedAccess(given) }),
});
