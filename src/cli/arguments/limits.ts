import { type Command, InvalidArgumentError, type OptionValues } from "commander";

export interface LimitArguments {
  /** The maximum number of objects and entries of sets to delete, including replacements. No limit if undefined. */
  readonly maxDeletes: number | undefined;
  /** The maximum number of objects to create, update, replace or delete. */
  readonly maxChanges: number | undefined;
  /** The maximum number of objects to import. */
  readonly maxImports: number | undefined;
}

export const defineLimits = (command: Command): Command =>
  defineMaxImports(command, "apply nothing")
    .option(
      "--max-deletes <n>",
      "apply nothing when more objects than this would be deleted or replaced; each entry that a whole list loses counts, as each DELETE request of the plan does",
      parseLimit,
    )
    .option(
      "--max-changes <n>",
      "apply nothing when more objects than this would change in any way",
      parseLimit,
    );

/** @param refusal what the command does in place of going on */
export const defineMaxImports = (command: Command, refusal: string): Command =>
  command.option("--max-imports <n>", `${refusal} when more objects than this would be imported`, parseLimit);

export const readLimits = (options: OptionValues): LimitArguments => ({
  maxDeletes: options["maxDeletes"],
  maxChanges: options["maxChanges"],
  maxImports: options["maxImports"],
});

export function parseLimit(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("Enter a whole number, 0 for none.");
  return Number(text);
}
