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

export interface ShowArguments extends SourceArguments, StateArguments {
  /** A saved plan or a state file. */
  readonly file: string | undefined;
}

export const showLine: CommandLine<ShowArguments> = {
  name: "show",
  summary: "show the state, or a saved plan",
  description:
    "Shows a state file, the states of the app's stacks, or a saved plan. With --json, in the format of `terraform show -json`: a state includes its sensitive values, a plan does not.",
  examples: [
    ["steward show", "show the state of the app's stacks"],
    ["steward show --json plan.steward", "show a saved plan as JSON, for conftest and other policy tools"],
    ["steward show --json terraform.tfstate", "show one state file as JSON; needs no configuration"],
  ],
  define: (command) =>
    void reword(defineState(defineSource(command, "one at a time")), {
      "--json": "print JSON, in the format of `terraform show -json`",
    }).argument("[file]", "a saved plan, or a state file"),
  read: (options, [file]) => {
    const { state } = readState(options);
    if (file !== undefined && state !== undefined) failConflict("FILE", "--state");
    return { ...readSource(options), state: file ?? state, file };
  },
};
