import { commandLine } from "./command-line";
import { declared, options, parsePlatforms, repeatable } from "./option";
import { FORCE_FOLDER, PACE } from "./shared-options";

export const execLine = commandLine({
  name: "exec",
  summary: "run Terraform or OpenTofu with a provider served by this process",
  description:
    "Runs a program, such as Terraform, OpenTofu or cdktf, and serves the provider to it from " +
    "this process: it needs no mirror, and no `init` for this provider. Arguments, input, " +
    "output and exit code are those of the program; if a signal ended it, the exit code is " +
    "128 plus the signal number. The token of STEWARD_TOKEN or STEWARD_TOKEN_FILE stays in " +
    "this process: the program does not get it.",
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

/** For the script that runs on Node, by Terraform's names; undefined if none was given. */
const PLATFORMS = declared<readonly string[] | undefined>(
  "--platform <os_arch>: platform with Node, in Terraform's form, such as linux_amd64; may be given more than once (default: Linux and macOS, amd64 and arm64)",
  undefined,
  { parse: parsePlatforms },
);

export const mirrorLine = commandLine({
  name: "mirror",
  summary: "write the provider for Terraform and OpenTofu",
  description:
    "Writes the provider as a mirror, from which `terraform init` and `tofu init` install it, and a CLI configuration that uses the mirror for this provider and the registries for all others. Prints the path of that file; set TF_CLI_CONFIG_FILE to it. The folder is a filesystem mirror, and a network mirror where a web server serves it over https. `terraform providers lock` needs -fs-mirror=DIR or -net-mirror=URL, and the cdktf CLI, which runs it for a new stack, --skip-provider-lock. The provider runs on Node; for a machine without Node, give a single executable.",
  examples: {
    "steward mirror mirror":
      'then `export TF_CLI_CONFIG_FILE="$PWD/mirror/steward.tfrc"`, and terraform init finds the provider',
    "terraform providers lock -fs-mirror=mirror -platform=darwin_arm64": "checksums for another platform",
    "steward mirror mirror --executable steward_linux_amd64 --executable steward_windows_amd64.exe":
      "for machines without Node; each executable is written for its own platform",
  },
  options: {
    platforms: PLATFORMS,
    executables: repeatable(
      "--executable <file>: a single executable of a release, or of `npm run build:executable`; may be given more than once",
    ),
    ...FORCE_FOLDER,
  },
  operands: options({ folder: "<dir>: folder to write to; created when missing" }),
});
