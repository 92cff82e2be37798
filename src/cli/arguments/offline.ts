import { type CommandLine, reword } from "./command-line";
import {
  defineSource,
  defineVariables,
  readSource,
  readVariables,
  type SourceArguments,
  type VariableArguments,
} from "./stack-options";

export const synthLine: CommandLine<SourceArguments> = {
  name: "synth",
  summary: "run the app and write its stacks as Terraform JSON",
  description:
    "Runs the app of cdktf.json and writes its stacks to the output folder (cdktf.out), in the layout of the cdktf CLI.",
  examples: [
    ["steward synth", "synthesize the app of this folder"],
    ['steward synth --app "npx tsx main.ts" --output build', "with another app and folder"],
  ],
  define: (command) => void defineSource(command),
  read: readSource,
};

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
  define: (command) =>
    void reword(defineVariables(defineSource(command)), {
      "--json": "print the result as one JSON object, in the format of `terraform validate -json`",
    }),
  read: (options) => ({ ...readSource(options), ...readVariables(options) }),
};
