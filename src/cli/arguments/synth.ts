import type { CommandLine } from "./command-line";
import { defineSource, readSource, type SourceArguments } from "./stack-options";

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
