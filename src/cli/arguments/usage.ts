import type { CommanderError } from "commander";
import { type Diagnostic, error } from "../../diagnostics";

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
