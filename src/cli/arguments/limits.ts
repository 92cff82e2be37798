import { type Command, InvalidArgumentError, type OptionValues } from "commander";
import type { LimitArguments } from "../stack/limits";

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
