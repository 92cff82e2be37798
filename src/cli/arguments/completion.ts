import { Argument } from "commander";
import type { CommandLine } from "./command-line";

export const SHELLS = ["bash", "zsh", "fish"] as const;

export interface CompletionArguments {
  readonly shell: (typeof SHELLS)[number];
}

export const completionLine: CommandLine<CompletionArguments> = {
  name: "completion",
  summary: "write a completion script for a shell",
  description:
    "Writes a script that completes commands, options, their values, and file names. Load it in the startup file of the shell.",
  examples: [
    ['eval "$(steward completion bash)"', "in ~/.bashrc"],
    ['eval "$(steward completion zsh)"', "in ~/.zshrc, after compinit"],
    ["steward completion fish > ~/.config/fish/completions/steward.fish", "for fish, once"],
  ],
  define: (command) => void command.addArgument(new Argument("<shell>", "the shell").choices(SHELLS)),
  read: (_, [shell]) => ({ shell: shell as CompletionArguments["shell"] }),
};
