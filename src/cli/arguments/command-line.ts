import type { Command, CommanderError } from "commander";
import { type Diagnostic, error } from "../../diagnostics";
import { defineOperands, defineOptions, type Given, type Options, readGiven } from "./option";

/** The syntax of a command and the parsing of its arguments, without any effect. */
export interface CommandLine<A> extends Description {
  readonly options: Options;
  /** The positional arguments, in their order. */
  readonly operands: Options;
  /** Adds the options and arguments of the command. */
  define(command: Command): void;
  /** Reads and validates the arguments that the command was given. */
  read(command: Command): A;
}

/** The arguments of a command. */
export type ArgumentsOf<L> = L extends CommandLine<infer A> ? A : never;

interface Description {
  readonly name: string;
  /** One line for the list of commands. */
  readonly summary: string;
  /** What the command does, in a few sentences. */
  readonly description: string;
  /** The purposes of example command lines. */
  readonly examples: Readonly<Record<string, string>>;
}

interface Syntax<O extends Options, P extends Options> extends Description {
  readonly options?: O;
  readonly operands?: P;
  /** The program whose arguments follow, such as `PROGRAM ARGUMENTS...`: options after it are its own. */
  readonly program?: string;
}

// biome-ignore lint/complexity/noBannedTypes: the type of a command without options or arguments has no members.
type None = {};

/** A command, of which `read` makes the arguments from the values of its options. */
export function commandLine<O extends Options = None, P extends Options = None>(
  syntax: Syntax<O, P>,
): CommandLine<Given<O> & Given<P>>;
export function commandLine<A, O extends Options = None, P extends Options = None>(
  syntax: Syntax<O, P>,
  read: (given: Given<O> & Given<P>) => A,
): CommandLine<A>;
export function commandLine(
  { options = {}, operands = {}, program, ...description }: Syntax<Options, Options>,
  read: (given: never) => unknown = (given) => given,
): CommandLine<unknown> {
  return {
    ...description,
    options,
    operands,
    define: (command) => {
      defineOptions(command, options);
      defineOperands(command, operands);
      if (program !== undefined) command.usage(`[options] -- ${program}`).passThroughOptions();
    },
    read: (command) => read(readGiven(command, options, operands) as never),
  };
}

/** The same command with more options, whose values are made into more arguments. */
export const withOptions = <A, O extends Options, B>(
  line: CommandLine<A>,
  options: O,
  read: (given: Given<O>) => B,
): CommandLine<A & B> => ({
  ...line,
  options: { ...line.options, ...options },
  define(command) {
    line.define(command);
    defineOptions(command, options);
  },
  read: (command) => ({ ...line.read(command), ...read(readGiven(command, options, {}) as Given<O>) }),
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
    detail: `${sentence}${singleDashHint(message)}${engineHint(message)} See \`${help}\`.`,
  });
}

/** Terraform's long options have a single dash. */
function singleDashHint(message: string): string {
  const option = /unknown option '-([a-z][a-z-]+)/.exec(message)?.[1];
  return option === undefined ? "" : ` Long options have two dashes: --${option}.`;
}

/** `--engine terraform`, up to version 0.1, is now `steward exec`. */
const engineHint = (message: string): string =>
  /unknown option '--engine\b/.test(message)
    ? " Omit --engine; `steward exec` runs Terraform and OpenTofu, as in `steward exec -- terraform " +
      "plan`."
    : "";
