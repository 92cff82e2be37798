import type { Terminal } from "../terminal/terminal";

/** The configuration's path alone on stdout, for a script; what to do with it beside. */
export function writeMirrored(configuration: string, { out, err }: Pick<Terminal, "out" | "err">): void {
  out.line(configuration);
  err.lines([
    "Terraform and OpenTofu use it when TF_CLI_CONFIG_FILE names this file.",
    "The cdktf CLI needs --skip-provider-lock beside it (`cdktf diff --skip-provider-lock`): it creates lock files from registries only.",
  ]);
}
