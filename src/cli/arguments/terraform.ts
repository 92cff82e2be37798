import { commandLine } from "./command-line";
import { declared, options, repeatable } from "./option";
import { FORCE_FOLDER, PACE } from "./shared-options";
import { parsePlatforms } from "./values";

export const execLine = commandLine({
  name: "exec",
  summary: "run Terraform or OpenTofu with a provider served by this process",
  description:
    "Runs a program, such as Terraform, OpenTofu or cdktf, and serves the provider to it. The program needs no mirror, and no `init` for this provider. Arguments, input, output and exit code pass through unchanged. If a signal ended the program, the exit code is 128 plus the signal number. The program does not receive the token from STEWARD_TOKEN or STEWARD_TOKEN_FILE.",
  examples: {
    "steward exec -- terraform plan": "plan with Terraform, in the folder of its configuration",
    "steward exec -- tofu apply -auto-approve": "apply with OpenTofu",
    "steward exec -- cdktf deploy web --skip-provider-lock": "deploy a stack with the cdktf CLI",
  },
  options: PACE,
  operands: options({
    program: "<program>: the program to run, searched for in PATH",
    args: "[arguments...]: arguments for the program, passed unchanged",
  }),
  program: "PROGRAM ARGUMENTS...",
});

/**
 * The option that names the platforms for which the mirror contains the provider as a Node script. The names are Terraform's,
 * such as `linux_amd64`. The value is undefined if the command line names none.
 */
const PLATFORMS = declared<readonly string[] | undefined>(
  "--platform <os_arch>: platform that runs Node, such as linux_amd64 (repeatable; default: Linux and macOS, amd64 and arm64)",
  undefined,
  { parse: parsePlatforms },
);

export const mirrorLine = commandLine({
  name: "mirror",
  summary: "write the provider for Terraform and OpenTofu",
  description:
    "Writes a mirror, from which `terraform init` and `tofu init` install the provider. Also writes a CLI configuration that uses the mirror for this provider, and prints the path for TF_CLI_CONFIG_FILE. Served over https, the folder is also a network mirror. `terraform providers lock` needs -fs-mirror=DIR or -net-mirror=URL. The cdktf CLI needs --skip-provider-lock for a new stack. The provider runs on Node. For machines without Node, give single executables with --executable.",
  examples: {
    "steward mirror mirror":
      'then run `export TF_CLI_CONFIG_FILE="$PWD/mirror/steward.tfrc"` and terraform init',
    "terraform providers lock -fs-mirror=mirror -platform=darwin_arm64": "add checksums for another platform",
    "steward mirror mirror --executable steward_linux_amd64 --executable steward_windows_amd64.exe":
      "for machines without Node: write one executable for each platform",
  },
  options: {
    platforms: PLATFORMS,
    executables: repeatable(
      "--executable <file>: single executable from a release or from `npm run build:executable` (repeatable)",
    ),
    ...FORCE_FOLDER,
  },
  operands: options({ folder: "<dir>: folder to write to, created if missing" }),
});
