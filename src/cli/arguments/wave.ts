import { type Command, InvalidArgumentError, type OptionValues } from "commander";
import { failConflict } from "./stack-options";

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
