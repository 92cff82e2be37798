import type { Command, OptionValues } from "commander";

/** How one command is written on the command line, and what is read from it. Parses only; does nothing. */
export interface CommandLine<A> {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What it does, in a few sentences. */
  readonly description: string;
  /** Each a line to type, and what it is for. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  /** Adds its options and arguments. */
  define(command: Command): void;
  /** Its arguments, checked against each other. */
  read(options: OptionValues, positional: readonly string[]): A;
}

/** How results are shown. */
export interface ViewArguments {
  readonly json: boolean;
  readonly color: boolean;
}

export const defineView = (command: Command): Command =>
  command
    .option("--json", "write one JSON event a line to stdout, in the shape of Terraform's, the result last")
    .option("--no-color", "write without colours, also on a terminal");

export const readView = (options: OptionValues): ViewArguments => ({
  json: options["json"] === true,
  color: options["color"] !== false,
});
