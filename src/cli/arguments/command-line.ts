import type { Command, OptionValues } from "commander";

/** The syntax of a command and the parsing of its arguments, without any effect. */
export interface CommandLine<A> {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What the command does, in a few sentences. */
  readonly description: string;
  /** Example command lines, each with its purpose. */
  readonly examples: readonly (readonly [line: string, purpose: string])[];
  /** Adds the options and arguments of the command. */
  define(command: Command): void;
  /** Reads and validates the arguments. */
  read(options: OptionValues, positional: readonly string[]): A;
}

/** Output options. */
export interface ViewArguments {
  readonly json: boolean;
  readonly color: boolean;
}

export const defineView = (command: Command): Command =>
  command
    .option(
      "--json",
      "write JSON events to stdout, one per line, in Terraform's format; the last one is the result",
    )
    .option("--no-color", "write without colours, even on a terminal");

/** Puts the options that a function adds under a heading of their own in the help. */
export function underHeading<T extends Command>(
  heading: string,
  define: (command: T) => T,
): (command: T) => T {
  return (command) => {
    const before = command.options.length;
    define(command);
    for (const option of command.options.slice(before)) option.helpGroup(heading);
    return command;
  };
}

/** Describes shared options in the words of one command, by their names. */
export function reword(command: Command, descriptions: Readonly<Record<string, string>>): Command {
  for (const [name, description] of Object.entries(descriptions))
    command.options.find(({ long }) => long === name)!.description = description;
  return command;
}

export const readView = (options: OptionValues): ViewArguments => ({
  json: options["json"] === true,
  color: options["color"] !== false,
});
