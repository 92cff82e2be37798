import { type Command, Option, type OptionValues } from "commander";
import type { PlanMode } from "../../engine";
import { outApprovalOption, readOutApproval } from "./approval";
import type { CommandLine } from "./command-line";
import {
  defineImportExisting,
  defineMaxImports,
  defineShard,
  type ImportExistingArguments,
  type LimitArguments,
  parseLimit,
  readImportExisting,
  readLimits,
  readShard,
} from "./limits";
import { definePolicies, type PolicyArguments, readPolicies } from "./policies";
import { defineReports, type ReportArguments, readReports } from "./reports";
import {
  defineProjects,
  defineRefresh,
  defineRun,
  defineUnlocked,
  failConflict,
  type RunArguments,
  readRun,
  replaceOption,
} from "./stack-options";

export interface LeavingArguments {
  /** How many projects may leave a fleet whose list is empty or shrinks by more than a tenth; none if undefined. */
  readonly allowLeaving: number | undefined;
}

export const defineLeaving = (command: Command): Command =>
  command.option(
    "--allow-leaving <n>",
    "let up to so many projects leave a fleet, where its list is empty or lacks more than a tenth of them",
    parseLimit,
  );

export const readLeaving = (options: OptionValues): LeavingArguments => ({
  allowLeaving: options["allowLeaving"],
});

export interface PlanArguments
  extends RunArguments,
    ReportArguments,
    PolicyArguments,
    ImportExistingArguments,
    Pick<LimitArguments, "maxImports">,
    LeavingArguments {
  readonly mode: PlanMode;
  /** Exit with 2 if there are changes. */
  readonly detailedExitCode: boolean;
  /** Addresses of objects to replace even without other changes. */
  readonly replace: readonly string[];
  /** Show who gains and who loses access. */
  readonly access: boolean;
  /** Show the requests that an apply would send. */
  readonly requests: boolean;
  /** Show the scopes and roles that applying the plan needs. */
  readonly rights: boolean;
  /** Totals by type and action in place of the changes. */
  readonly summary: boolean;
  /** The file to save the plan to. */
  readonly out: string | undefined;
  /** The file for the changes to approve. */
  readonly outApproval: string | undefined;
  /** The file for import blocks of what exists. */
  readonly writeImports: string | undefined;
  /** The file for moved blocks. */
  readonly writeMoves: string | undefined;
}

export const planLine: CommandLine<PlanArguments> = {
  name: "plan",
  summary: "show what apply would change",
  description:
    "Reads the live objects, compares them with the configuration, and shows what apply would do. Changes nothing. Checks the policies that cdktf.json or --policy names. Exit 0, or 1 on an error or a violated mandatory rule; with --detailed-exitcode, 2 when there are changes.",
  examples: [
    ["steward plan", "plan all stacks of the app"],
    ["steward plan --stack web --detailed-exitcode", "plan one stack, and exit 2 when it has changes"],
    ["steward plan --summary", "only the number of changes, by type and action"],
    ["steward plan --out plan.steward", "save the plan for `steward apply plan.steward`"],
    [
      "steward plan --lock=false --out-approval changes.json",
      "on a merge request: list what people approve; `steward apply --approved changes.json --digest D` applies that alone",
    ],
    [
      "steward plan --lock=false --report plan.md",
      "on a merge request: no lock, nothing written, a read-only token is enough",
    ],
    [
      "steward plan --access",
      "show who gains and who loses access: deployments, approvals, job tokens, images, members",
    ],
    [
      "steward plan --shard 3/10 --report 3.json",
      "plan the third of ten parts of the stacks, as one of ten jobs",
    ],
    ["steward plan --import-existing", "take over what is declared and exists, instead of errors"],
    [
      "steward plan --import-existing --max-imports 60 --out plan.steward",
      "save the plan unless it imports more than 60 objects",
    ],
    [
      "steward plan --stack web --write-imports imports.tf",
      "write import blocks for what exists, for Terraform or OpenTofu",
    ],
    ["steward plan --rights", "show the scopes and roles that applying the plan needs"],
    ["steward plan --show-requests", "show method, path and body of each request that an apply would send"],
    ["steward plan --policy policy.ts", "check the changes against the rules that a module exports"],
    ["steward plan --config cdktf.out/stacks/web --json", "plan what was synthesized before, as JSON events"],
  ],
  define: (command) =>
    void defineMaxImports(
      defineLeaving(
        defineImportExisting(
          definePolicies(
            defineRefresh(defineUnlocked(defineReports(defineShard(defineProjects(defineRun(command)))))),
          ),
        ),
      ),
      "exit 1, and write no plan, approval or import blocks,",
    )
      .option("--refresh-only", "only show changes made outside of steward")
      .option("--destroy", "plan to delete all objects in the state")
      .addOption(replaceOption())
      .addOption(accessOption())
      .option("--rights", "show the scopes and roles that the plan needs, and which of them the token lacks")
      .option("--summary", "print only how many objects change, by type and action")
      .option("--show-requests", "show the requests that an apply would send; secrets are masked")
      .option("--out <file>", "save the plan for apply and show; it holds no sensitive value")
      .addOption(outApprovalOption())
      .option(
        "--write-imports <file>",
        "write import blocks for Terraform of what exists: HCL, or JSON for a file that ends in .json",
      )
      .option(
        "--write-moves <file>",
        "write moved blocks for Terraform of what has a new address: HCL, or JSON",
      )
      .option("--detailed-exitcode", "exit 2 when there are changes"),
  read: (options) => ({
    ...readRun(options),
    ...readShard(options),
    ...readReports(options),
    ...readPolicies(options),
    ...readImportExisting(options, options["writeImports"] !== undefined),
    ...readLeaving(options),
    maxImports: readLimits(options).maxImports,
    mode: readMode(options),
    replace: options["replace"] ?? [],
    access: readAccess(options) || options["outApproval"] !== undefined,
    outApproval: readOutApproval(options),
    rights: readDescription(options, "rights"),
    summary: options["summary"] === true,
    requests: readDescription(options, "showRequests", "--show-requests"),
    out: options["out"],
    writeImports: options["writeImports"],
    writeMoves: options["writeMoves"],
    detailedExitCode: options["detailedExitcode"] === true,
  }),
};

/** The option of commands that show a plan. */
export const accessOption = (
  description = "show who gains and who loses access; reads members and rules",
): Option => new Option("--access", description);

export const readAccess = (options: OptionValues): boolean => readDescription(options, "access");

/** An option that describes changes: a plan that only refreshes has none. */
function readDescription(
  options: OptionValues,
  name: "access" | "rights" | "showRequests",
  option = `--${name}`,
): boolean {
  const isGiven = options[name] === true;
  if (isGiven && options["refreshOnly"] === true) failConflict(option, "--refresh-only");
  return isGiven;
}

export function readMode(options: OptionValues): PlanMode {
  const [refreshOnly, destroy] = [options["refreshOnly"] === true, options["destroy"] === true];
  if (refreshOnly && destroy) failConflict("--refresh-only", "--destroy");
  if (refreshOnly && options["refresh"] === false) failConflict("--refresh-only", "--refresh=false");
  if (refreshOnly) return "refresh-only";
  return destroy ? "destroy" : "normal";
}
