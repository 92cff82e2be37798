import { type CommandLine, reword } from "./command-line";
import {
  defineSource,
  defineState,
  failConflict,
  readSource,
  readState,
  type SourceArguments,
  type StateArguments,
} from "./stack-options";

export interface OutputArguments extends SourceArguments, StateArguments {
  /** All outputs if undefined. */
  readonly name: string | undefined;
  /** Writes the bare value, for scripts. */
  readonly raw: boolean;
}

export const outputLine: CommandLine<OutputArguments> = {
  name: "output",
  summary: "show the outputs in the state",
  description: "Shows all outputs of the last apply, or one of them.",
  examples: [
    ["steward output", "all outputs, sensitive ones hidden"],
    ["steward output url --raw", "one raw value, for a script"],
    ["steward output --json --state terraform.tfstate", "all of them as JSON; needs no configuration"],
  ],
  define: (command) =>
    void reword(defineState(defineSource(command, "one at a time")), {
      "--json": "print the outputs as JSON, in the format of `terraform output -json`",
    })
      .option("--raw", "write the bare text of one output")
      .argument("[name]", "an output"),
  read: (options, [name]) => {
    const raw = options["raw"] === true;
    if (raw && options["json"] === true) failConflict("--raw", "--json");
    return { ...readSource(options), ...readState(options), name, raw };
  },
};
