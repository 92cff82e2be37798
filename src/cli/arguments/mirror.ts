import { ownPlatform } from "../../plugin";
import type { CommandLine } from "./command-line";
import { parsePlatforms } from "./values";

export interface MirrorArguments {
  readonly folder: string;
  /** A program that needs no Node, in place of the script that this package brings. */
  readonly executable: string | undefined;
  /** As Terraform names them. */
  readonly platforms: readonly string[];
}

export const mirrorLine: CommandLine<MirrorArguments> = {
  name: "mirror",
  summary: "write the provider for Terraform and OpenTofu",
  description:
    "Writes the provider as a filesystem mirror, from which `terraform init` and `tofu init` install it, and beside it the CLI configuration that uses the mirror for this provider and leaves all others to their registries. Prints that file's path, which TF_CLI_CONFIG_FILE has to name. The cdktf CLI needs --skip-provider-lock beside it, since it asks registries alone for a lock file. The provider is run by Node; for a machine without Node give a single executable.",
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
      .argument("<dir>", "where to write it; made when missing")
      .option(
        "--platform <os_arch>",
        "as Terraform names it, such as linux_amd64; may be given again (this machine's without it)",
        parsePlatforms,
      )
      .option("--executable <file>", "a program that needs no Node, as `npm run build:executable` makes it"),
  read: (options, [folder]) => ({
    folder: folder!,
    executable: options["executable"],
    platforms: options["platform"] ?? [ownPlatform()],
  }),
};
