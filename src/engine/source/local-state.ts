import { existsSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, warning } from "../../diagnostics";
import type { Configuration } from "../../language";
import { shellWord } from "../../text";
import { DEFAULT_WORKSPACE } from "../stack-run/workspace";

/** The settings of a configuration's state: the backend, and the folder that relative paths start from. */
export type StateSettings = Pick<Configuration, "backend" | "folder">;

/** Returns the file of a workspace's state; undefined for any backend except `local`. */
export function localStateFile(
  { backend, folder }: StateSettings,
  workspace = DEFAULT_WORKSPACE,
): string | undefined {
  if (backend !== undefined && backend.type !== "local") return undefined;
  if (workspace !== DEFAULT_WORKSPACE) {
    const workspaces = backend?.config["workspace_dir"];
    const parent = typeof workspaces === "string" ? workspaces : "terraform.tfstate.d";
    return path.resolve(folder, parent, workspace, DEFAULT_STATE_FILE);
  }
  const configured = backend?.config["path"];
  return path.resolve(folder, typeof configured === "string" ? configured : DEFAULT_STATE_FILE);
}

/** The default name of a state file, as in Terraform. */
export const DEFAULT_STATE_FILE = "terraform.tfstate";

/**
 * Warns about states in the output folder of an app. Steward does not remove these states, but the cdktf CLI does, and people
 * also delete the folder to clean up.
 */
export function statesInOutput(
  stacks: readonly (StateSettings & { readonly name: string })[],
  output: string,
  working: string,
): Diagnostic[] {
  const inside = stacks.flatMap(({ name, backend, folder }) => {
    const file = localStateFile({ backend, folder });
    return file !== undefined && isInside(output, file) ? [{ name, file }] : [];
  });
  if (inside.length === 0) return [];
  const targetOf = (name: string) => `terraform.${name}.tfstate`;
  const moves = inside
    .filter(({ file }) => existsSync(file))
    .map(({ name, file }) => `mv ${shellWord(path.relative(working, file))} ${shellWord(targetOf(name))}`);
  return [
    warning({
      code: "state_in_output",
      summary: "State in the output folder",
      detail: [
        `The output folder ${output} contains the states of these stacks. A synthesis or a clean-up may delete them:`,
        ...inside.map(({ name, file }) => `${name}: ${path.relative(working, file)}`),
        "",
        "Keep the states outside the folder. Set other paths for these stacks in the app:",
        ...inside.map(
          ({ name }) =>
            `${name}: new LocalBackend(this, { path: path.resolve(${JSON.stringify(targetOf(name))}) })`,
        ),
        "",
        ...(moves.length > 0
          ? [
              "Also move the files, because a stack without its state would create its objects again:",
              ...moves,
            ]
          : ["None of these files exists yet, so no file has to be moved."]),
      ],
    }),
  ];
}

function isInside(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative !== "" && relative.split(path.sep)[0] !== ".." && !path.isAbsolute(relative);
}
