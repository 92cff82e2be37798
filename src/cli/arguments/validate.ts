import type { CommandLine } from "./command-line";
import {
  defineSource,
  defineVariables,
  readSource,
  readVariables,
  type SourceArguments,
  type VariableArguments,
} from "./stack-options";

export type ValidateArguments = SourceArguments & VariableArguments;

export const validateLine: CommandLine<ValidateArguments> = {
  name: "validate",
  summary: "check the configuration without contacting the service",
  description:
    "Checks the stacks against the schema: names, types, required attributes, references. Needs no token, reads no state, and sends no request.",
  examples: [
    ["steward validate", "check all stacks of the app"],
    ["steward validate --json", "the result as one JSON object, as `terraform validate -json` prints it"],
  ],
  define: (command) => void defineVariables(defineSource(command)),
  read: (options) => ({ ...readSource(options), ...readVariables(options) }),
};
