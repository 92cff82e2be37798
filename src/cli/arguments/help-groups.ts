import type { Command, Option } from "commander";

/** For each command: the options that most runs need, in the order of the help. */
const COMMON: Readonly<Record<string, readonly string[]>> = {
  plan: [
    "--stack",
    "--project",
    "--target",
    "--access",
    "--out",
    "--report",
    "--detailed-exitcode",
    "--var",
    "--refresh-only",
    "--json",
  ],
  apply: [
    "--auto-approve",
    "--stack",
    "--project",
    "--target",
    "--access",
    "--report",
    "--max-deletes",
    "--max-changes",
    "--var",
    "--json",
  ],
  "ci apply": [
    "--approvals",
    "--judged",
    "--stack",
    "--project",
    "--target",
    "--access",
    "--report",
    "--max-deletes",
    "--max-changes",
    "--var",
    "--json",
  ],
  destroy: [
    "--auto-approve",
    "--stack",
    "--project",
    "--target",
    "--access",
    "--report",
    "--max-deletes",
    "--var",
    "--json",
  ],
  drift: [
    "--stack",
    "--project",
    "--coverage",
    "--since",
    "--ignore",
    "--repair",
    "--accept",
    "--access",
    "--report",
    "--json",
  ],
};

/**
 * All groups except the common options: each group has a heading and its options, in the order of the help. Options without a
 * group follow under "Other options:".
 */
const GROUPS: readonly (readonly [string, readonly string[]])[] = [
  ["Select objects:", ["--group", "--include-subgroups", "--exclude", "--replace", "--shard", "--destroy"]],
  [
    "Policies and limits:",
    [
      "--policy",
      "--base",
      "--waivers",
      "--waive",
      "--reason",
      "--without-approval",
      "--max-imports",
      "--max-deletes",
      "--max-changes",
      "--allow-leaving",
      "--approved",
      "--digest",
      "--approvals",
      "--wave",
      "--fail-fast",
    ],
  ],
  ["Accept and repair drift:", ["--attribute", "--dry-run", "--allow-loosening", "--yes", "--auto-approve"]],
  [
    "Output:",
    [
      "--no-access",
      "--rights",
      "--summary",
      "--show-requests",
      "--out-approval",
      "--report-format",
      "--report-emails",
      "--force",
      "--no-color",
    ],
  ],
  ["Import and Terraform:", ["--import-existing", "--write-imports", "--write-moves"]],
  ["App, state and speed:", ["--app", "--output", "--config", "--state", "--var-file", "--refresh"]],
];

const OTHER = "Other options:";

/** Options that the help shows only with `--help-all`. */
const RARE = new Set([
  "--max-requests-per-minute",
  "--parallelism",
  "--lock",
  "--lock-timeout",
  "--output",
  "--report-format",
  "--write-moves",
  "--show-requests",
  "--report-emails",
  "--digest",
  "--approvals",
  "--force",
]);

/** The headings of the option groups, in the order of the help. */
const ORDER = ["Common options:", ...GROUPS.map(([heading]) => heading), OTHER];

/** Returns the common options of a command. Undefined if the help of the command has no groups. */
const commonOf = (command: Command): readonly string[] | undefined =>
  COMMON[`${command.parent?.name()} ${command.name()}`] ?? COMMON[command.name()];

/** Groups the options of a command that has many options. The common options come first. */
export function groupOptions(command: Command): void {
  const common = commonOf(command);
  if (common === undefined) return;
  for (const option of command.options) {
    const name = option.long ?? "";
    const group = GROUPS.find(([, names]) => names.includes(name))?.[0] ?? OTHER;
    option.helpGroup(common.includes(name) ? ORDER[0]! : group);
  }
}

/**
 * Orders the option groups in the help of a command. Without groups, the command's own options come before the options that
 * all commands have.
 */
export function orderGroups<T>(groups: Map<string, T[]>): Map<string, T[]> {
  const rank = (heading: string) => (heading === "Options:" ? ORDER.length : ORDER.indexOf(heading));
  const isGrouped = groups.has(ORDER[0]!);
  const order = isGrouped ? rank : (heading: string) => (heading === "Options:" ? 0 : 1);
  return new Map([...groups].sort(([one], [other]) => order(one) - order(other)));
}

/** Returns the options that the help of a command shows: common options first, and rare options only if `all` is set. */
export function shownOptions(command: Command, options: readonly Option[], all: boolean): Option[] {
  const common = commonOf(command);
  if (common === undefined) return [...options];
  const rank = ({ long }: Option) => {
    const at = common.indexOf(long ?? "");
    return at < 0 ? common.length : at;
  };
  return options
    .filter(({ long }) => all || common.includes(long ?? "") || !RARE.has(long ?? ""))
    .sort((one, other) => rank(one) - rank(other));
}

/** Returns true if the normal help of a command leaves out options. */
export const hasRareOptions = (command: Command): boolean => commonOf(command) !== undefined;
