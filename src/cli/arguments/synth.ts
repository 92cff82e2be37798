import type { CommandLine } from "./command-line";
import { defineSource, readSource, type SourceArguments } from "./stack-options";

export const synthLine: CommandLine<SourceArguments> = {
  name: "synth",
  summary: "run the app and write its stacks as Terraform JSON",
  description:
    "Runs the app that cdktf.json names and leaves its stacks in the output folder (cdktf.out), in the same layout as the cdktf CLI.",
  examples: [
    ["steward synth", "synthesize the app of this folder"],
    ['steward synth --app "npx tsx main.ts" --output build', "name the app and the folder here"],
  ],
  define: (command) => void defineSource(command),
  read: readSource,
};
