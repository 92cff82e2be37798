import type { Command, CommanderError } from "commander";
import { type Diagnostic, error, nearest } from "../../diagnostics";
import type { NamedSource, Terminal } from "../terminal/terminal";
import { defineOperands, defineOptions, readGiven, usedFiles } from "./given";
import { groupOptions } from "./help-groups";
import type { Given, Options } from "./option";

/**
 * The syntax of a command, and `read`, which converts the given values to the arguments `A`. Neither the syntax nor `read` has
 * side effects.
 */
export interface CommandLine<A> extends Omit<Syntax<A, Options, Options>, "read"> {
  readonly read: (given: Readonly<Record<string, unknown>>) => A;
}

/** The type of the arguments that the command of a `CommandLine` gets. */
export type ArgumentsOf<L> = L extends CommandLine<infer A> ? A : never;

/** A function that runs a command with its arguments and returns the exit code. `program` defines all commands. */
export type Execute<A> = (args: A, terminal: Terminal, program: Command) => Promise<number>;

/** The function that runs the command of a `CommandLine`. The function gets the arguments that `read` returns. */
export type CommandFunction<L> = Execute<ArgumentsOf<L>>;

interface Syntax<A, O extends Options, P extends Options> {
  readonly name: string;
  /** The effect of the command, in a few words. The list of commands shows this text. */
  readonly summary: string;
  /** A few sentences about the effect of the command. */
  readonly description: string;
  /** The keys are command lines that serve as examples. The values say what these command lines are for. */
  readonly examples: Readonly<Record<string, string>>;
  readonly options?: O;
  /** The positional arguments of the command, in their order. */
  readonly operands?: P;
  /**
   * The name of the program that the command runs, as in `PROGRAM ARGUMENTS...`. Options after this name are options of that
   * program.
   */
  readonly program?: string;
  /**
   * Converts the values of options and operands to the arguments of the command, and validates these arguments. Without this
   * function, the values are the arguments.
   */
  readonly read?: (given: Given<O> & Given<P>) => A;
}

// biome-ignore lint/complexity/noBannedTypes: the type of a command without options or arguments has no members.
type None = {};

export const commandLine = <O extends Options = None, P extends Options = None, A = Given<O> & Given<P>>({
  read = (given) => given as A,
  ...syntax
}: Syntax<A, O, P>): CommandLine<A> => ({ ...syntax, read: read as CommandLine<A>["read"] });

/** Adds the options and positional arguments of a `CommandLine` to the command. */
export function defineLine(
  command: Command,
  { options = {}, operands = {}, program }: CommandLine<unknown>,
): void {
  defineOptions(command, options);
  defineOperands(command, operands);
  groupOptions(command);
  if (program !== undefined) command.usage(`[options] -- ${program}`).passThroughOptions();
}

/** Reads and validates the arguments of a command. */
export const readLine = <A>(command: Command, { options = {}, operands = {}, read }: CommandLine<A>): A =>
  read(readGiven(command, options, operands));

/**
 * Returns the files that a command line names. Also returns whether `--force` lets the command replace files that Steward did
 * not write.
 */
export const filesOfLine = <A>(command: Command, { options = {}, operands = {} }: CommandLine<A>) => ({
  used: usedFiles(command, options, operands),
  force: command.getOptionValue("force") === true,
});

const SOURCE_OPTIONS = ["config", "app", "output", "state"] as const;

/**
 * Returns the options of a command line that name the stacks and the state. Suggested commands repeat these options. Suggested
 * commands do not repeat a state from standard input, because a second command can't read this input again.
 */
export function sourceOfLine(command: Command): NamedSource {
  const given = SOURCE_OPTIONS.map((name) => {
    const option = command.options.find(({ long }) => long === `--${name}`)?.attributeName();
    const isGiven = option !== undefined && command.getOptionValueSource(option) === "cli";
    return [name, isGiven ? command.getOptionValue(option) : undefined] as const;
  });
  return Object.fromEntries(given.filter(([, value]) => typeof value === "string" && value !== "-"));
}

const SUMMARIES: Readonly<Record<string, string>> = {
  "commander.unknownCommand": "Unknown command",
  "commander.unknownOption": "Unknown option",
  "commander.excessArguments": "Too many arguments",
  "commander.missingArgument": "Missing argument",
  "commander.optionMissingArgument": "Missing value of an option",
  "commander.invalidArgument": "Invalid value of an option",
};

/**
 * Returns the diagnostic for an invalid command line, with a hint at the command or option that the user probably meant.
 *
 * @param command the command at the start of the line, such as `state mv`; undefined for an unknown command
 * @param options the options of that command
 */
export function usageDiagnostic(
  problem: CommanderError,
  command: string | undefined,
  options: Options = {},
): Diagnostic {
  const help = ["steward", ...(command === undefined ? [] : [command]), "--help"].join(" ");
  const message = problem.message
    .replace(/^error: /, "")
    .replace(/\n/g, " ")
    .replace(/^option '(--[\w-]+)[^']*' argument '(.*)' is invalid\. /s, "'$2' is not a valid value of $1. ")
    .replace(/ \(Did you mean (.*)\?\)$/, ". Did you mean $1?");
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}`.replace(/([^.?)])$/, "$1.");
  return error({
    code: "invalid_arguments",
    summary: SUMMARIES[problem.code] ?? "Invalid command line",
    detail: `${sentence}${singleDashHint(message)}${engineHint(message)}${optionHint(message, options)} See \`${help}\`.`,
  });
}

/**
 * Returns a hint at the option that the user abbreviated (`--detailed` for `--detailed-exitcode`) or misspelled. Commander
 * suggests only options that the help lists.
 */
function optionHint(message: string, options: Options): string {
  const given = /unknown option '(--[a-z][a-z-]+)/.exec(message)?.[1];
  if (given === undefined || message.includes("Did you mean")) return "";
  const names = Object.values(options)
    .flat()
    .flatMap(({ flags }) => /--[a-z][a-z-]*/.exec(flags)?.[0] ?? []);
  const matching = [...new Set(names)].filter((name) => name.startsWith(given));
  const close = matching.length > 0 ? matching.join(" or ") : nearest(given, names);
  return close === undefined ? "" : ` Did you mean ${close}?`;
}

/** Returns a hint for an option with one dash instead of two, such as `-out`. Terraform writes its options with one dash. */
function singleDashHint(message: string): string {
  const option = /unknown option '-([a-z][a-z-]+)/.exec(message)?.[1];
  return option === undefined ? "" : ` Long options have two dashes: --${option}.`;
}

/** Returns a hint if the command line contains `--engine`, an option that only version 0.1 had. `steward exec` replaces it. */
const engineHint = (message: string): string =>
  /unknown option '--engine\b/.test(message)
    ? " Omit --engine; `steward exec` runs Terraform and OpenTofu, as in `steward exec -- terraform " +
      "plan`."
    : "";
