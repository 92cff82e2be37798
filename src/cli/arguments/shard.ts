import { type Command, InvalidArgumentError, type OptionValues } from "commander";
import type { Shard } from "../../engine";
import { underHeading } from "./command-line";
import { failConflict } from "./stack-options";

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
