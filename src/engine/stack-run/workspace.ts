import path from "node:path";
import { fail } from "../../diagnostics";
import { describeFileProblem, readFileSync, SMALL_FILE, systemCode } from "../../files";
import type { Environment } from "./context";

/** The workspace that every backend has. */
export const DEFAULT_WORKSPACE = "default";

/**
 * Returns the name of the selected workspace of a configuration, as in Terraform. The name comes from TF_WORKSPACE, or
 * otherwise from the file that `terraform workspace select` writes into the data folder.
 *
 * @param folder the folder of the configuration, where Terraform runs
 * @throws DiagnosticError `workspace_invalid`
 */
export function selectedWorkspace(folder: string, env: Environment["env"]): string {
  const given = env["TF_WORKSPACE"];
  if (given) return checked(given, "TF_WORKSPACE");
  const file = selectionFile(folder, env);
  const name = readName(file);
  return name === "" ? DEFAULT_WORKSPACE : checked(name, file);
}

const selectionFile = (folder: string, env: Environment["env"]): string =>
  path.resolve(folder, env["TF_DATA_DIR"] || ".terraform", "environment");

/** Returns a sentence for a message: how to select the default workspace again. */
export const howToLeaveWorkspace = (folder: string, env: Environment["env"]): string =>
  env["TF_WORKSPACE"] ? "unset TF_WORKSPACE" : `remove ${selectionFile(folder, env)}`;

function readName(file: string): string {
  try {
    return readFileSync(file, { maxBytes: SMALL_FILE }).toString("utf8").trim();
  } catch (problem) {
    if (systemCode(problem) === "ENOENT" || systemCode(problem) === "ENOTDIR") return "";
    return invalid(file, `it can't be read: ${describeFileProblem(problem)}`);
  }
}

/** Checks the name of a workspace, because the name becomes a part of a path. */
function checked(name: string, source: string): string {
  if (/^[\w.~$&+=:@-]+$/.test(name) && name !== "." && name !== "..") return name;
  return invalid(
    source,
    `${JSON.stringify(name)} is not the name of a workspace (only letters, digits and the characters _.~$&+=:@- are valid)`,
  );
}

const invalid = (source: string, why: string): never =>
  fail({
    code: "workspace_invalid",
    summary: "Invalid workspace",
    detail: `${source} selects an invalid workspace: ${why}. Set TF_WORKSPACE to the name of a workspace.`,
  });
