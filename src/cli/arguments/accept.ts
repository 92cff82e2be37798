import type { Command, OptionValues } from "commander";
import { failRequires } from "./selection";
import { failConflict, repeated } from "./stack-options";

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

export const defineAccept = (command: Command): Command =>
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

export function readAccept(options: OptionValues): AcceptArguments | undefined {
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
