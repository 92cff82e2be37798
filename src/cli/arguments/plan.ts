import type { PlanMode } from "../../engine";
import { type ArgumentsOf, commandLine } from "./command-line";
import { EXCLUDED_BY_IMPORTS, IMPORT_EXISTING, LEAVING, LIMITS, OUT_APPROVAL, POLICIES } from "./guards";
import { type Given, option, options } from "./option";
import type { ReportArguments } from "./reports";
import {
  ACCESS,
  PROJECTS,
  REFRESH,
  REPLACE,
  RUN,
  SHARD,
  UNLOCKED,
  type ViewArguments,
} from "./stack-options";

/** What a plan is for. */
export const MODE = {
  refreshOnly: option("--refresh-only: only show changes made outside of steward", {
    excludes: ["--destroy", "--refresh=false"],
  }),
  destroy: option("--destroy: plan to delete all objects in the state"),
};

export const readMode = ({ refreshOnly, destroy }: Given<typeof MODE>): PlanMode => {
  if (refreshOnly) return "refresh-only";
  return destroy ? "destroy" : "normal";
};

export const planLine = commandLine({
  name: "plan",
  summary: "show what apply would change",
  description:
    "Reads the live objects, compares them with the configuration, and shows what apply would do. Changes nothing. Checks the policies that cdktf.json or --policy names. Exit 0, or 1 on an error or a violated mandatory rule; with --detailed-exitcode, 2 when there are changes.",
  examples: {
    "steward plan": "plan all stacks of the app",
    "steward plan --stack web --detailed-exitcode": "plan one stack, and exit 2 when it has changes",
    "steward plan --summary": "only the number of changes, by type and action",
    "steward plan --out plan.steward": "save the plan for `steward apply plan.steward`",
    "steward plan --lock=false --out-approval changes.json":
      "on a merge request: list what people approve; `steward apply --approved changes.json --digest D` applies that alone",
    "steward plan --lock=false --report plan.md":
      "on a merge request: no lock, nothing written, a read-only token is enough",
    "steward plan --access":
      "show who gains and who loses access: deployments, approvals, job tokens, images, members",
    "steward plan --shard 3/10 --report 3.json":
      "plan the third of ten parts of the stacks, as one of ten jobs",
    "steward plan --import-existing": "take over what is declared and exists, instead of errors",
    "steward plan --import-existing --max-imports 60 --out plan.steward":
      "save the plan unless it imports more than 60 objects",
    "steward plan --stack web --write-imports imports.tf":
      "write import blocks for what exists, for Terraform or OpenTofu",
    "steward plan --rights": "show the scopes and roles that applying the plan needs",
    "steward plan --show-requests": "show method, path and body of each request that an apply would send",
    "steward plan --policy policy.ts": "check the changes against the rules that a module exports",
    "steward plan --config cdktf.out/stacks/web --json": "plan what was synthesized before, as JSON events",
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
      help: "exit 1, and write no plan, approval or import blocks, when more objects than this would be imported",
    },
    ...MODE,
    ...REPLACE,
    ...ACCESS,
    rights: option(
      "--rights: show the scopes and roles that the plan needs, and which of them the token lacks",
      { excludes: ["--refresh-only"] },
    ),
    summary: option("--summary: print only how many objects change, by type and action"),
    requests: option("--show-requests: show the requests that an apply would send; secrets are masked", {
      excludes: ["--refresh-only"],
    }),
    out: option("--out <file>: save the plan for apply and show; it holds no sensitive value"),
    ...OUT_APPROVAL,
    writeImports: option(
      "--write-imports <file>: write import blocks for Terraform of what exists: HCL, or JSON for a file that ends in .json",
      { excludes: EXCLUDED_BY_IMPORTS },
    ),
    ...options({
      writeMoves:
        "--write-moves <file>: write moved blocks for Terraform of what has a new address: HCL, or JSON",
      detailedExitCode: "--detailed-exitcode: exit 2 when there are changes",
    }),
  },
  read: (given) => ({
    ...given,
    mode: readMode(given),
    importExisting: given.importExisting || given.writeImports !== undefined,
    access: given.access || given.outApproval !== undefined,
  }),
});
export type PlanArguments = ViewArguments &
  Partial<Omit<ArgumentsOf<typeof planLine>, keyof typeof MODE>> &
  ReportArguments;
