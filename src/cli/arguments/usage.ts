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

/** What is wrong with a command line, with what was probably meant. */
export function usageDiagnostic(problem: CommanderError): Diagnostic {
  const words = problem.message.replace(/^error: /, "").replace(/\n/g, " ");
  const sentence = `${words.charAt(0).toUpperCase()}${words.slice(1)}`.replace(/([^.?)])$/, "$1.");
  return error({
    code: "invalid_arguments",
    summary: SUMMARIES[problem.code] ?? "Invalid command line",
    detail: `${sentence}${singleDashHint(words)}${engineHint(words)} See \`steward --help\`.`,
  });
}

/** Terraform writes long options with one dash. */
function singleDashHint(words: string): string {
  const option = /unknown option '-([a-z][a-z-]+)/.exec(words)?.[1];
  return option === undefined ? "" : ` Long options have two dashes here: --${option}.`;
}

/** What was `--engine terraform` up to 0.1 is `steward exec`. */
const engineHint = (words: string): string =>
  /unknown option '--engine\b/.test(words)
    ? " Leave --engine out; Terraform and OpenTofu are run by `steward exec`, as in `steward exec -- terraform plan`."
    : "";
