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
