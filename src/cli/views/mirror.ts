import type { Terminal } from "../terminal/terminal";

/** Writes the path of the configuration to stdout, for scripts, and the instructions to stderr. */
export function writeMirrored(
  configuration: string,
  folder: string,
  { out, err }: Pick<Terminal, "out" | "err">,
): void {
  out.line(configuration);
  err.lines([
    "Terraform and OpenTofu use it when TF_CLI_CONFIG_FILE names this file.",
    `They create lock files from registries only: \`terraform providers lock\` needs -fs-mirror=${folder}, and the ` +
      "cdktf CLI needs --skip-provider-lock for the first run of a stack (`cdktf diff --skip-provider-lock`), or " +
      `TF_CLI_ARGS_providers_lock=-fs-mirror=${folder} in its environment.`,
  ]);
}
