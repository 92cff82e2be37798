import type { CommandLine } from "./command-line";
import {
  defineSource,
  defineState,
  doNotGoTogether,
  readSource,
  readState,
  type SourceArguments,
  type StateArguments,
} from "./stack-options";

export type ShowArguments = SourceArguments & StateArguments;

export const showLine: CommandLine<ShowArguments> = {
  name: "show",
  summary: "show the state",
  description:
    "Shows what the state holds: of a file, or of the app's stacks. With --json in the shape of `terraform show -json`, sensitive values included.",
  examples: [
    ["steward show", "show the state of the app's stacks"],
    ["steward show --json terraform.tfstate", "show one state file as JSON; needs no configuration"],
  ],
  define: (command) =>
    void defineState(defineSource(command, "one at a time")).argument("[file]", "a state file"),
  read: (options, [file]) => {
    const { state } = readState(options);
    if (file !== undefined && state !== undefined) doNotGoTogether("FILE", "--state");
    return { ...readSource(options), state: file ?? state };
  },
};
