import { ownPlatform } from "../../plugin";
import type { CommandLine } from "./command-line";
import { parsePlatforms } from "./values";

export interface MirrorArguments {
  readonly folder: string;
  /** A single executable that runs without Node, instead of the script in this package. */
  readonly executable: string | undefined;
  /** By Terraform's names. */
  readonly platforms: readonly string[];
}

export const mirrorLine: CommandLine<MirrorArguments> = {
  name: "mirror",
  summary: "write the provider for Terraform and OpenTofu",
  description:
    "Writes the provider as a filesystem mirror, from which `terraform init` and `tofu init` install it, and a CLI configuration that uses the mirror for this provider and the registries for all others. Prints the path of that file; set TF_CLI_CONFIG_FILE to it. The cdktf CLI also needs --skip-provider-lock, because it creates lock files from registries only. The provider runs on Node; for a machine without Node, give a single executable.",
  examples: [
    [
      "steward mirror mirror",
      'then `export TF_CLI_CONFIG_FILE="$PWD/mirror/steward.tfrc"`, and terraform init finds the provider',
    ],
    [
      "steward mirror mirror --platform linux_amd64 --platform darwin_arm64",
      "for several platforms that have Node",
    ],
    ["steward mirror mirror --executable terraform-provider-steward", "for a machine without Node"],
  ],
  define: (command) =>
    void command
      .argument("<dir>", "folder to write to; created when missing")
      .option(
        "--platform <os_arch>",
        "platform in Terraform's form, such as linux_amd64; may be given more than once (default: this machine)",
        parsePlatforms,
      )
      .option("--executable <file>", "a single executable, built by `npm run build:executable`"),
  read: (options, [folder]) => ({
    folder: folder!,
    executable: options["executable"],
    platforms: options["platform"] ?? [ownPlatform()],
  }),
};
