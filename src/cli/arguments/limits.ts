import { type Command, InvalidArgumentError, type OptionValues } from "commander";
import type { Shard } from "../../engine";
import { underHeading } from "./command-line";
import { failConflict } from "./stack-options";

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

export interface ImportExistingArguments {
  /** Import what is declared and live and in no state, in place of an error for each. */
  readonly importExisting: boolean;
}

export const defineImportExisting = (command: Command): Command =>
  command.option(
    "--import-existing",
    "take over declared objects that exist on the service and are in no state",
  );

/** @param isImplied whether another option needs it */
export function readImportExisting(options: OptionValues, isImplied = false): ImportExistingArguments {
  const importExisting = options["importExisting"] === true || isImplied;
  if (importExisting)
    for (const [name, option] of Object.entries(WITHOUT_NEW_OBJECTS))
      if (options[name] === true) failConflict("--import-existing", option);
  if (importExisting && options["refresh"] === false) failConflict("--import-existing", "--refresh=false");
  return { importExisting };
}

/** Plans that create nothing. */
const WITHOUT_NEW_OBJECTS = { refreshOnly: "--refresh-only", destroy: "--destroy" };

export const defineShard = underHeading("Stacks and state:", (command: Command) =>
  command.option(
    "--shard <n/m>",
    "work only on the n-th of m parts of the app's stacks, as one of m parallel jobs; stacks that depend on each other stay together",
    parseShard,
  ),
);

function parseShard(text: string): Shard {
  const [, number, total] = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/.exec(text) ?? [];
  const shard = { number: Number(number), total: Number(total) };
  if (number === undefined || shard.number > shard.total)
    throw new InvalidArgumentError("Enter a number and a total, such as 3/10 for the third of ten parts.");
  return shard;
}

/** What names its stacks or its objects can't be spread over jobs that don't know each other. */
const OTHER_CHOICES = ["stack", "config", "state", "target", "replace", "project", "group"] as const;

export function readShard(options: OptionValues): { readonly shard: Shard | undefined } {
  const shard: Shard | undefined = options["shard"];
  const other = OTHER_CHOICES.find((name) => options[name] !== undefined);
  if (shard !== undefined && other !== undefined) failConflict("--shard", `--${other}`);
  return { shard };
}

export interface WaveArguments {
  /** How many projects an apply changes at a time; all if undefined. */
  readonly wave: number | undefined;
}

export const defineWave = (command: Command): Command =>
  command.option(
    "--wave <n>",
    "apply so many projects at a time, each wave planned anew, and stop after a wave in which one failed",
    (text: string) => {
      if (!/^[1-9]\d{0,5}$/.test(text))
        throw new InvalidArgumentError("Enter a number of projects, such as 50.");
      return Number(text);
    },
  );

export function readWave(options: OptionValues): WaveArguments {
  const wave: number | undefined = options["wave"];
  const other = ["destroy", "refreshOnly", "target", "exclude", "approved"].find(
    (name) => options[name] !== undefined,
  );
  if (wave !== undefined && other !== undefined)
    failConflict("--wave", `--${other.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  return { wave };
}
