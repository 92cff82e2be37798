import { type Command, InvalidArgumentError, type OptionValues } from "commander";

export interface LimitArguments {
  /** How many objects may be deleted at the most, replacements counted; any number where nothing is said. */
  readonly maxDeletes: number | undefined;
  /** How many objects may be created, updated, replaced or deleted at the most. */
  readonly maxChanges: number | undefined;
}

export const defineLimits = (command: Command): Command =>
  command
    .option(
      "--max-deletes <n>",
      "apply nothing when more objects than this would be deleted or replaced",
      parseLimit,
    )
    .option(
      "--max-changes <n>",
      "apply nothing when more objects than this would change in any way",
      parseLimit,
    );

export const readLimits = (options: OptionValues): LimitArguments => ({
  maxDeletes: options["maxDeletes"],
  maxChanges: options["maxChanges"],
});

function parseLimit(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Write a whole number, 0 for none.");
  return Number(text);
}
