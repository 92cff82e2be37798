import type { Command, OptionValues } from "commander";
import { parseLimit } from "./limits";

export interface LeavingArguments {
  /** How many projects may leave a fleet whose list is empty or shrinks by more than a tenth; none if undefined. */
  readonly allowLeaving: number | undefined;
}

export const defineLeaving = (command: Command): Command =>
  command.option(
    "--allow-leaving <n>",
    "let up to so many projects leave a fleet, where its list is empty or lacks more than a tenth of them",
    parseLimit,
  );

export const readLeaving = (options: OptionValues): LeavingArguments => ({
  allowLeaving: options["allowLeaving"],
});
