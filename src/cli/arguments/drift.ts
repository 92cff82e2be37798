import type { ContainerSelection } from "../../engine";
import { type ArgumentsOf, commandLine } from "./command-line";
import { failConflict, type Given, option, options } from "./option";
import type { ReportArguments } from "./reports";
import { ACCESS, LIMITS, RUN, SHARD, UNLOCKED, WAIVERS } from "./shared-options";

const OF_REPAIR = { requires: "--repair" };

/** How live values are written into the code. */
const ACCEPT = {
  accept: option(
    "--accept: write the live values into the code, after showing the difference; never the state",
    { excludes: ["--repair", "--coverage", "--summary", "--shard"] },
  ),
  ...options(
    {
      attributes: "--attribute <name...>: with --accept: only these attributes, such as access_level",
      reason: "--reason <text>: with --accept: why, for the layer that a fleet gets",
      dryRun: "--dry-run: with --accept: print a unified diff, and write nothing",
      allowLoosening: "--allow-loosening: with --accept: also values that allow more than the code",
      yes: "--yes: with --accept: write without asking",
    },
    { requires: "--accept" },
  ),
};

/** Projects and groups to check, or with `--coverage` to look in besides those of the configuration. */
const WITHIN = {
  projects: option(
    "--project <name...>: check only these projects and groups, such as 'acme/web/*'; with --coverage: also look in this project, by numeric id or full path, which needs no app",
  ),
  groups: option("--group <name...>: the same for a group and the projects in it", {
    requires: "--coverage",
  }),
  includeSubgroups: option(
    "--include-subgroups: with --group: also its subgroups, and the projects in them",
    { requires: "--group" },
  ),
};

export const driftLine = commandLine({
  name: "drift",
  summary: "show manual changes since the last apply",
  description:
    "Compares the live objects with the state, for the attributes that the configuration declares: which attributes changed and which objects vanished. Writes neither the state nor the service, except with --repair, which restores the applied values; changes of the configuration are left to apply. --accept writes live values into the code instead, where it spells them, and never the state. With --coverage and --project or --group in a folder without an app, everything live there is undeclared. With --state FILE in a folder without an app, or with --state -, it needs no configuration and checks a state that Terraform or OpenTofu keeps. Exit 0 without drift or when all of it was repaired, 2 with drift, 1 on an error, also when an object could not be checked.",
  examples: {
    "steward drift": "check all stacks of the app",
    "steward drift --coverage --report drift.md": "also list undeclared objects, and write a report",
    "steward drift --access": "also show who gained and who lost access by hand",
    "steward drift --repair": "show the repair, ask for approval, and apply it",
    "steward drift --accept --target steward_pages_settings.docs":
      "write the live values of an object into the code, after showing the difference",
    "steward drift --coverage --group acme": "list what is undeclared in a group, with or without an app",
    "steward drift --since last.json --report last.json": "report only drift that is new since the last run",
    "terraform state pull | steward drift --state -": "check a state that Terraform keeps",
    "steward drift --shard 3/10 --report 3.json":
      "check the third of ten parts of the stacks, as one of ten jobs",
    "steward drift --json": "the same as JSON events, for a scheduled job",
  },
  options: {
    ...RUN,
    ...SHARD,
    maxImports: LIMITS.maxImports,
    maxDeletes: {
      ...LIMITS.maxDeletes,
      ...OF_REPAIR,
      help: "with --repair: do not repair a stack if more than this many of its objects would be deleted or replaced; each entry that a whole list loses counts",
    },
    maxChanges: {
      ...LIMITS.maxChanges,
      ...OF_REPAIR,
      help: "with --repair: do not repair a stack if more than this many of its objects would change in any way",
    },
    ...UNLOCKED,
    coverage: option(
      "--coverage: also list live objects in the projects and groups of the configuration that are not declared",
      // With targets, everything outside them would look undeclared.
      { excludes: ["--target", "--exclude"] },
    ),
    ...WITHIN,
    ignoreFile: option(
      "--ignore <file>: ignore the differences that this YAML file accepts; each waiver has a reason, an owner and an end date",
      { file: "read" },
    ),
    waivers: { ...WAIVERS.waivers, isHidden: true },
    since: option("--since <file>: report only differences that the JSON report of an earlier run lacks", {
      file: "read",
    }),
    access: {
      ...ACCESS.access,
      help: "show who gained and who lost access by hand; reads members and rules",
    },
    // Whoever approves a repair has to see it.
    summary: option("--summary: print only how many objects drifted, by type", {
      excludes: ["--repair"],
    }),
    repair: option("--repair: restore the applied values, and nothing else, after showing the plan", {
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
