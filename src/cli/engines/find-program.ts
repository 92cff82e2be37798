import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { fail } from "../../diagnostics";
import type { ProgramName } from "../arguments/stack-options";
import type { Terminal } from "../terminal/terminal";

const NAMES: Readonly<Record<ProgramName, { readonly name: string; readonly from: string }>> = {
  terraform: { name: "Terraform", from: "https://developer.hashicorp.com/terraform/install" },
  tofu: { name: "OpenTofu", from: "https://opentofu.org/docs/intro/install" },
};

/** The file of an engine's program: the first on the PATH. */
export function findProgram(program: ProgramName, { env, folder }: Pick<Terminal, "env" | "folder">): string {
  const endings = process.platform === "win32" ? [".exe"] : [""];
  const found = (env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((place) => place !== "")
    .flatMap((place) => endings.map((ending) => path.resolve(folder, place, `${program}${ending}`)))
    .find(isProgram);
  if (found !== undefined) return found;
  const { name, from } = NAMES[program];
  return fail({
    code: "engine_unavailable",
    summary: `${name} not found`,
    detail:
      `--engine ${program} runs the program \`${program}\`, and there is none in the folders of PATH. ` +
      `Install ${name} (${from}) or put its folder on PATH; without --engine, steward plans and applies by itself.`,
  });
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
