import type { Command, CommanderError, OptionValues } from "commander";
import { type Diagnostic, error } from "../../diagnostics";

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

const SUMMARIES: Readonly<Record<string, string>> = {
  "commander.unknownCommand": "Unknown command",
  "commander.unknownOption": "Unknown option",
  "commander.excessArguments": "Too many arguments",
  "commander.missingArgument": "Missing argument",
  "commander.optionMissingArgument": "Missing value of an option",
  "commander.invalidArgument": "Invalid value of an option",
};

/**
 * The diagnostic for an invalid command line, with a hint at what was probably meant.
 *
 * @param command the command that the line begins with, such as `state mv`; undefined if it is unknown
 */
export function usageDiagnostic(problem: CommanderError, command: string | undefined): Diagnostic {
  const help = ["steward", ...(command === undefined ? [] : [command]), "--help"].join(" ");
  const message = problem.message.replace(/^error: /, "").replace(/\n/g, " ");
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`.replace(/([^.?)])$/, "$1.");
  return error({
    code: "invalid_arguments",
    summary: SUMMARIES[problem.code] ?? "Invalid command line",
    detail: `${sentence}${singleDashHint(message)}${engineHint(message)}${generateHint(message)} See \`${help}\`.`,
  });
}

/** Terraform's option that writes declarations for the targets of import blocks. */
const GENERATE = /unknown option '--?generate-config-out\b/;

const generateHint = (message: string): string =>
  GENERATE.test(message)
    ? " `steward adopt PROJECT --out DIR` writes the declarations and imports of live objects; `steward exec -- terraform plan " +
      "-generate-config-out=FILE` runs Terraform's."
    : "";

/** Terraform's long options have a single dash. */
function singleDashHint(message: string): string {
  if (GENERATE.test(message)) return "";
  const option = /unknown option '-([a-z][a-z-]+)/.exec(message)?.[1];
  return option === undefined ? "" : ` Long options have two dashes: --${option}.`;
}

/** `--engine terraform`, up to version 0.1, is now `steward exec`. */
const engineHint = (message: string): string =>
  /unknown option '--engine\b/.test(message)
    ? " Omit --engine; `steward exec` runs Terraform and OpenTofu, as in `steward exec -- terraform " +
      "plan`."
    : "";
