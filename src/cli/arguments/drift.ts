import type { ContainerSelection } from "../../engine";
import { type ArgumentsOf, commandLine } from "./command-line";
import { failConflict, type Given, option, options } from "./option";
import type { ReportArguments } from "./reports";
import { ACCESS, LIMITS, RUN, SHARD, UNLOCKED, WAIVERS } from "./shared-options";

const OF_REPAIR = { requires: "--repair" };

/** The options of `drift --accept`, which writes live values into the code. */
const ACCEPT = {
  accept: option(
    "--accept: show the differences, and write the live values into the code; the state stays unchanged",
    { excludes: ["--repair", "--coverage", "--summary", "--shard"] },
  ),
  ...options(
    {
      attributes: "--attribute <name...>: with --accept: accept only these attributes, such as access_level",
      reason: "--reason <text>: with --accept: reason to record in a fleet's layer",
      dryRun: "--dry-run: with --accept: print a unified diff, and write nothing",
      allowLoosening:
        "--allow-loosening: with --accept: also accept values that allow more than the declared values",
      yes: "--yes: with --accept: write without asking",
    },
    { requires: "--accept" },
  ),
};

/**
 * The options that select projects and groups to check. With `--coverage`, Steward searches these projects and groups, and also
 * the projects and groups in the configuration.
 */
const WITHIN = {
  projects: option(
    "--project <name...>: check only these projects and groups, such as 'acme/web/*'; --coverage searches these even without an app",
  ),
  groups: option(
    "--group <name...>: with --coverage: search these groups and their projects, even without an app",
    {
      requires: "--coverage",
    },
  ),
  includeSubgroups: option("--include-subgroups: with --group: include subgroups and their projects", {
    requires: "--group",
  }),
};

export const driftLine = commandLine({
  name: "drift",
  summary: "show manual changes since the last apply",
  description:
    "Compares the live objects with the state. Lists declared attributes that changed, and objects that no longer exist. Changes nothing by default. --repair restores the applied values on the service. --accept writes the live values into the code. --coverage also lists undeclared objects. With --project or --group, --coverage needs no app. --state checks a Terraform or OpenTofu state without a configuration. Exit code 0 without drift, 2 with drift, or 1 on an error. An object that Steward can't check is an error.",
  examples: {
    "steward drift": "check all stacks of the app",
    "steward drift --coverage --report drift.md": "also list undeclared objects, and write a report",
    "steward drift --access": "also show who gained and who lost access",
    "steward drift --repair": "show the repair, ask for approval, and apply it",
    "steward drift --accept --target steward_pages_settings.docs":
      "show the differences, and write one object's live values into the code",
    "steward drift --coverage --group acme": "list the undeclared objects of a group, with or without an app",
    "steward drift --since last.json --report last.json": "report only drift that is new since the last run",
    "terraform state pull | steward drift --state -": "check a Terraform state",
    "steward drift --shard 3/10 --report 3.json": "split the stacks among ten jobs, and check the third part",
    "steward drift --json": "in a scheduled job: write JSON events",
  },
  options: {
    ...RUN,
    ...SHARD,
    maxImports: LIMITS.maxImports,
    maxDeletes: {
      ...LIMITS.maxDeletes,
      ...OF_REPAIR,
      help: "with --repair: skip a stack if the repair deletes or replaces more than N objects; each removed list entry counts",
    },
    maxChanges: {
      ...LIMITS.maxChanges,
      ...OF_REPAIR,
      help: "with --repair: skip a stack if the repair changes more than N objects",
    },
    ...UNLOCKED,
    coverage: option(
      "--coverage: also list undeclared live objects in the configured projects and groups",
      // With `--target` or `--exclude`, Steward reads only some declarations, so the objects of all other declarations would
      // look undeclared.
      { excludes: ["--target", "--exclude"] },
    ),
    ...WITHIN,
    ignoreFile: option(
      "--ignore <file>: ignore drift that this YAML file waives; each waiver needs a reason, an owner and an end date",
      { file: "read" },
    ),
    waivers: { ...WAIVERS.waivers, isHidden: true },
    since: option("--since <file>: leave out drift that this earlier JSON report already contains", {
      file: "read",
    }),
    access: {
      ...ACCESS.access,
      help: "show who gained and who lost access through manual changes",
    },
    // `--repair` asks people for approval, so `--repair` has to show people the objects.
    summary: option("--summary: print only the number of drifted objects, by type", {
      excludes: ["--repair"],
    }),
    repair: option("--repair: show the plan, ask for approval, and restore the applied values", {
      excludes: ["--lock=false"],
    }),
    autoApprove: option("--auto-approve: repair without asking for approval", OF_REPAIR),
    ...ACCEPT,
  },
  read: ({ ignoreFile, waivers, projects, ...given }) => {
    const within = given.coverage ? withinOf({ ...given, projects }) : [];
    if (given.repair && within.length > 0) failConflict("--repair", `--${within[0]!.kind}`);
    const containers = given.coverage ? [] : projects;
    if (containers.length > 0 && given.targets.length + given.excludes.length > 0)
      failConflict("--project", given.targets.length > 0 ? "--target" : "--exclude");
    return {
      ...given,
      refresh: true,
      containers,
      within,
      ignore: [...(ignoreFile === undefined ? [] : [ignoreFile]), ...waivers],
    };
  },
});
export type DriftArguments = ArgumentsOf<typeof driftLine> & ReportArguments;

const withinOf = ({ projects, groups, includeSubgroups }: Given<typeof WITHIN>): ContainerSelection[] => [
  ...(projects.length > 0 ? [{ kind: "project", names: projects, contents: "none" } as const] : []),
  ...(groups.length > 0
    ? [{ kind: "group", names: groups, contents: includeSubgroups ? "nested" : "direct" } as const]
    : []),
];
