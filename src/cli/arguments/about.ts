import { Argument } from "commander";
import type { CommandLine } from "./command-line";

export interface VersionArguments {
  readonly json: boolean;
}

export const versionLine: CommandLine<VersionArguments> = {
  name: "version",
  summary: "print the version, the platform and the provider",
  description:
    "Prints the version of Steward, the platform in Terraform's names, and the provider that it contains. `steward --version` prints the version alone.",
  examples: [
    ["steward version", "for a bug report"],
    [
      "steward version --json",
      "for a script: `version`, `platform`, `node_version` and `provider_selections`",
    ],
  ],
  define: (command) => void command.option("--json", "print one JSON object"),
  read: (options) => ({ json: options["json"] === true }),
};

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

export const schemaLine: CommandLine<Record<never, never>> = {
  name: "schema",
  summary: "write the provider's schema as JSON",
  description:
    "Writes the schema of all resources and data sources, in the shape of `terraform providers schema -json`. It is always JSON.",
  examples: [["steward schema > schema.json", "save the schema for a generator"]],
  define: (command) =>
    void command.option("--json", "accepted for compatibility with Terraform; the output is always JSON"),
  read: () => ({}),
};
