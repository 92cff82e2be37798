import type { Command, OptionValues } from "commander";
import { fail } from "../../diagnostics";
import type { ContainerSelection } from "../../engine";
import { type CommandLine, reword } from "./command-line";
import { defineLimits, defineShard, type LimitArguments, readLimits, readShard } from "./limits";
import { accessOption } from "./plan";
import { waiversOption } from "./policies";
import { defineReports, type ReportArguments, readReports } from "./reports";
import { failRequires } from "./selection";
import {
  defineRun,
  defineUnlocked,
  failConflict,
  type RunArguments,
  readRun,
  repeated,
} from "./stack-options";

/** How `drift --accept` writes live values into the code. */
export interface AcceptArguments {
  /** The attributes to accept; all that drifted if empty. */
  readonly attributes: readonly string[];
  /** Of the layers that fleets get. */
  readonly reason: string | undefined;
  /** Print a unified diff, and write nothing. */
  readonly dryRun: boolean;
  /** Also accept what is looser than the code. */
  readonly allowLoosening: boolean;
  /** Write without asking. */
  readonly yes: boolean;
}

const defineAccept = (command: Command): Command =>
  command
    .option("--accept", "write the live values into the code, after showing the difference; never the state")
    .addOption(
      repeated(
        "--attribute",
        "name",
        "with --accept: only these attributes, such as access_level",
        "several",
      ),
    )
    .option("--reason <text>", "with --accept: why, for the layer that a fleet gets")
    .option("--dry-run", "with --accept: print a unified diff, and write nothing")
    .option("--allow-loosening", "with --accept: also values that allow more than the code")
    .option("--yes", "with --accept: write without asking");

function readAccept(options: OptionValues): AcceptArguments | undefined {
  const { accept, attribute = [], reason, dryRun, allowLoosening, yes } = options;
  if (accept !== true) {
    const alone = Object.entries({
      attribute: options["attribute"],
      reason,
      dryRun,
      allowLoosening,
      yes,
    }).find(([, value]) => value !== undefined);
    if (alone !== undefined)
      failRequires(
        `--${alone[0].replace(/[A-Z]/g, (letter: string) => `-${letter.toLowerCase()}`)}`,
        "--accept",
      );
    return undefined;
  }
  for (const [name, option] of CONFLICTS) if (options[name] !== undefined) failConflict("--accept", option);
  return {
    attributes: attribute,
    reason,
    dryRun: dryRun === true,
    allowLoosening: allowLoosening === true,
    yes: yes === true,
  };
}

const CONFLICTS = [
  ["repair", "--repair"],
  ["coverage", "--coverage"],
  ["summary", "--summary"],
  ["shard", "--shard"],
] as const;

export interface DriftArguments extends RunArguments, ReportArguments, LimitArguments {
  /** Also finds live objects that are not declared. */
  readonly coverage: boolean;
  /** With coverage: projects and groups to look in besides those of the configuration. */
  readonly within: readonly ContainerSelection[];
  /** Files of waivers. */
  readonly ignore: readonly string[];
  /** The JSON report of an earlier run, whose findings are not reported again. */
  readonly since: string | undefined;
  /** Restores the applied values after showing the plan. */
  readonly repair: boolean;
  /** Show who gained and who lost access by hand. */
  readonly access: boolean;
  /** Totals by type in place of the findings. */
  readonly summary: boolean;
  /** Writes live values into the code. */
  readonly accept: AcceptArguments | undefined;
  /** Repair without asking for approval. */
  readonly autoApprove: boolean;
}

export const driftLine: CommandLine<DriftArguments> = {
  name: "drift",
  summary: "show what was changed on the service since the last apply",
  description:
    "Compares the live objects with the state, for the attributes that the configuration declares: which attributes changed and which objects vanished. Writes neither the state nor the service, except with --repair, which restores the applied values; changes of the configuration are left to apply. --accept writes live values into the code instead, where it spells them, and never the state. With --coverage and --project or --group in a folder without an app, everything live there is undeclared. With --state FILE in a folder without an app, or with --state -, it needs no configuration and checks a state that Terraform or OpenTofu keeps. Exit 0 without drift or when all of it was repaired, 2 with drift, 1 on an error, also when an object could not be checked.",
  examples: [
    ["steward drift", "check all stacks of the app"],
    ["steward drift --coverage --report drift.md", "also list undeclared objects, and write a report"],
    ["steward drift --access", "also show who gained and who lost access by hand"],
    ["steward drift --repair", "show the repair, ask for approval, and apply it"],
    [
      "steward drift --accept --target steward_pages_settings.docs",
      "write the live values of an object into the code, after showing the difference",
    ],
    ["steward drift --coverage --group acme", "list what is undeclared in a group, with or without an app"],
    [
      "steward drift --since last.json --report last.json",
      "report only drift that is new since the last run",
    ],
    ["terraform state pull | steward drift --state -", "check a state that Terraform keeps"],
    [
      "steward drift --shard 3/10 --report 3.json",
      "check the third of ten parts of the stacks, as one of ten jobs",
    ],
    ["steward drift --json", "the same as JSON events, for a scheduled job"],
  ],
  define: (command) =>
    void defineAccept(
      reword(defineUnlocked(defineLimits(defineReports(defineShard(defineRun(command))))), LIMITS)
        .option(
          "--coverage",
          "also list live objects in the projects and groups of the configuration that are not declared",
        )
        .addOption(
          repeated(
            "--project",
            "name",
            "check only these projects and groups, such as 'acme/web/*'; with --coverage: also look in this project, by numeric id or full path, which needs no app",
            "several",
          ),
        )
        .addOption(repeated("--group", "name", "the same for a group and the projects in it", "several"))
        .option("--include-subgroups", "with --group: also its subgroups, and the projects in them")
        .option(
          "--ignore <file>",
          "pass over the differences that the waivers of this YAML file name, each with a reason, an owner and an end",
        )
        .addOption(waiversOption().hideHelp())
        .option("--since <file>", "report only differences that the JSON report of an earlier run lacks")
        .addOption(accessOption("show who gained and who lost access by hand; reads members and rules"))
        .option("--summary", "print only how many objects drifted, by type")
        .option("--repair", "restore the applied values, and nothing else, after showing the plan")
        .option("--auto-approve", "repair without asking for approval"),
    ),
  read(options) {
    const coverage = options["coverage"] === true;
    const { project: _, ...others } = options;
    const run = { ...readRun(coverage ? others : options), ...readShard(options) };
    // With targets, everything outside them would look undeclared.
    if (coverage && run.targets.length > 0) failConflict("--coverage", "--target");
    if (coverage && run.excludes.length > 0) failConflict("--coverage", "--exclude");
    const within = readWithin(options, coverage);
    const repair = options["repair"] === true;
    if (repair && !run.lock) failConflict("--repair", "--lock=false");
    if (repair && within.length > 0) failConflict("--repair", `--${within[0]!.kind}`);
    const autoApprove = options["autoApprove"] === true;
    if (autoApprove && !repair) refuseAlone("--auto-approve", "--repair");
    const { since } = options as Record<string, string | undefined>;
    const ignore = [
      ...(options["ignore"] === undefined ? [] : [options["ignore"]]),
      ...(options["waivers"] ?? []),
    ];
    const summary = options["summary"] === true;
    // Whoever approves a repair has to see it.
    if (summary && repair) failConflict("--summary", "--repair");
    const limits = readLimits(options);
    if (limits.maxDeletes !== undefined && !repair) refuseAlone("--max-deletes", "--repair");
    if (limits.maxChanges !== undefined && !repair) refuseAlone("--max-changes", "--repair");
    return {
      ...run,
      ...limits,
      ...readReports(options),
      coverage,
      within,
      ignore,
      since,
      repair,
      autoApprove,
      access: options["access"] === true,
      accept: readAccept(options),
      summary,
    };
  },
};

const LIMITS = {
  "--max-deletes":
    "with --repair: repair nothing of a stack with which more objects than this would be deleted or replaced; each entry that a whole list loses counts",
  "--max-changes":
    "with --repair: repair nothing of a stack with which more objects than this would change in any way",
};

/** The projects and groups of the command line. */
function readWithin(options: OptionValues, coverage: boolean): ContainerSelection[] {
  const { project = [], group = [] } = options as Record<string, readonly string[] | undefined>;
  const isNested = options["includeSubgroups"] === true;
  if (group.length > 0 && !coverage) refuseAlone("--group", "--coverage");
  if (isNested && group.length === 0) refuseAlone("--include-subgroups", "--group");
  if (!coverage) return [];
  return [
    ...(project.length > 0 ? [{ kind: "project", names: project, contents: "none" } as const] : []),
    ...(group.length > 0
      ? [{ kind: "group", names: group, contents: isNested ? "nested" : "direct" } as const]
      : []),
  ];
}

function refuseAlone(option: string, other: string): never {
  return fail({
    code: "invalid_arguments",
    summary: "Option requires another option",
    detail: `${option} requires ${other}: give both, or omit ${option}.`,
  });
}
