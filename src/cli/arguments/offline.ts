import { type ArgumentsOf, commandLine } from "./command-line";
import { reworded } from "./option";
import { SOURCE, VARIABLES } from "./stack-options";

export const synthLine = commandLine({
  name: "synth",
  summary: "run the app and write its stacks as Terraform JSON",
  description:
    "Runs the app of cdktf.json and writes its stacks to the output folder (cdktf.out), in the layout of the cdktf CLI.",
  examples: {
    "steward synth": "synthesize the app of this folder",
    'steward synth --app "npx tsx main.ts" --output build': "with another app and folder",
  },
  options: SOURCE,
});

export const validateLine = commandLine({
  name: "validate",
  summary: "check the configuration without contacting the service",
  description:
    "Checks the stacks against the schema: names, types, required attributes, references. Needs no token, reads no state, and sends no request.",
  examples: {
    "steward validate": "check all stacks of the app",
    "steward validate --json": "the result as one JSON object, as `terraform validate -json` prints it",
  },
  options: reworded(
    { ...SOURCE, ...VARIABLES },
    { json: "print the result as one JSON object, in the format of `terraform validate -json`" },
  ),
});
export type ValidateArguments = ArgumentsOf<typeof validateLine>;
