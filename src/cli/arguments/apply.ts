import { type ArgumentsOf, commandLine } from "./command-line";
import { APPROVED, IMPORT_EXISTING, LEAVING, LIMITS, POLICIES, readApproved } from "./guards";
import { declared, invalid, oneEach, option, parsed } from "./option";
import { MODE, readMode } from "./plan";
import type { ReportArguments } from "./reports";
import { ACCESS, PROJECTS, REFRESH, REPLACE, RUN, type ViewArguments } from "./stack-options";
import { parseProjects, parseSwitch } from "./values";

/** Accepts `--lock=false`, which Terraform has here, to refuse it with a reason. */
function refuseUnlocked(text: string): true {
  if (parseSwitch(text)) return true;
  return invalid(
    "State can't be written without its lock",
    "--lock=false is for commands that only read the state. This command writes it, and without the lock another run could " +
      "write it at the same time and lose changes. Omit the option, or give --lock-timeout to " +
      "wait for the lock; `steward plan --lock=false` works without it.",
  );
}

const LOCKED = declared<boolean>("--lock <boolean>: ", true, { isHidden: true, parse: refuseUnlocked });

/** What changes objects. */
const CHANGE = {
  ...RUN,
  ...PROJECTS,
  ...LIMITS,
  ...REFRESH,
  ...POLICIES,
  ...ACCESS,
  lock: LOCKED,
};

/** What `ci apply` has as well. */
export const CHANGE_OR_IMPORT = oneEach({ ...CHANGE, ...IMPORT_EXISTING });

export const applyLine = commandLine({
  name: "apply",
  summary: "apply the configuration to the service",
  description:
    "Shows the plan, asks for approval, and applies it, stack by stack in the order of their dependencies. A plan that violates a mandatory rule of a policy (`policy` of cdktf.json, --policy) is refused. Without a terminal it needs --auto-approve. With FILE it applies the plan that `steward plan --out FILE` saved, without asking. A saved plan is refused when the configuration, the state, the service, the version of steward or a live setting that it changes has changed, or when the plan computed from them differs from the file. Sensitive variables, variables that configure a provider, and --app must be given again.",
  examples: {
    "steward apply": "plan, ask for approval, apply",
    "steward apply plan.steward": "apply the plan that `steward plan --out plan.steward` saved",
    "steward apply --approved changes.json --digest D":
      "apply what people approved, and refuse a plan with any other change; asks nothing",
    "steward apply --auto-approve --max-deletes 0": "in a pipeline: refuse a plan that deletes anything",
    "steward apply --import-existing --max-imports 60":
      "take over what is declared and exists; refuse more than 60 imports",
    "steward apply --wave 50": "change 50 projects at a time, and stop where one fails",
    "steward apply --auto-approve --json": "in a pipeline: no question, JSON events on stdout",
  },
  options: {
    ...CHANGE_OR_IMPORT,
    ...APPROVED,
    ...LEAVING,
    wave: parsed(
      "--wave <n>: apply so many projects at a time, each wave planned anew, and stop after a wave in which one failed",
      parseProjects,
      { excludes: ["--destroy", "--refresh-only", "--target", "--exclude", "--approved"] },
    ),
    ...REPLACE,
    autoApprove: option("--auto-approve: apply without asking for approval"),
    refreshOnly: { ...MODE.refreshOnly, help: "update the state from the service; change nothing" },
    destroy: { ...MODE.destroy, help: "delete all objects in the state" },
  },
  operands: {
    plan: option("[file]: a saved plan", {
      // What it fixes.
      excludes: [
        ...[
          "--refresh-only",
          "--destroy",
          "--refresh",
          "--access",
          "--import-existing",
          "--allow-leaving",
          "--wave",
        ],
        ...["--target", "--exclude", "--project", "--replace", "--stack", "--approved"],
      ],
    }),
  },
  read: (given) => ({ ...given, mode: readMode(given), approved: readApproved(given) }),
});
/** What an apply, or a destroy, is given beside its reports. */
type ChangeArguments = ViewArguments &
  Pick<ArgumentsOf<typeof applyLine>, "mode" | "autoApprove"> &
  Partial<Omit<ArgumentsOf<typeof applyLine>, keyof typeof MODE | "digest" | "approvals">>;
export type ApplyArguments = ChangeArguments & ReportArguments;

export const destroyLine = commandLine({
  name: "destroy",
  summary: "delete all objects in the state",
  description:
    "Shows what would be deleted, asks for approval, and deletes it, dependent stacks first. Without a terminal it needs --auto-approve.",
  examples: {
    "steward destroy": "plan, ask for approval, delete",
    "steward destroy --stack web --auto-approve":
      "delete the objects of one stack without asking for approval",
  },
  options: {
    ...CHANGE,
    maxDeletes: {
      ...LIMITS.maxDeletes,
      help: "delete nothing when more objects than this would be deleted; each entry of a whole list counts",
    },
    autoApprove: option("--auto-approve: delete without asking for approval"),
  },
  read: (given): ChangeArguments => ({ ...given, mode: "destroy" }),
});
