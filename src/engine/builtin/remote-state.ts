import path from "node:path";
import { type Diagnostic, DiagnosticError, error } from "../../diagnostics";
import type { DataSourceRequest, DataSourceResponse } from "../../framework";
import { isObject, type Value, type ValueObject } from "../../schema";
import { type HttpBackendBlock, LocalBackend, openHttpBackend, type State } from "../../state";

const DEFAULT_WORKSPACE = "default";

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the state and gives its outputs. Paths start from the folder of the configuration that asks. */
export async function readRemoteState(
  { config }: DataSourceRequest,
  folder: string,
  env: Environment,
): Promise<DataSourceResponse> {
  try {
    const found = await stateOf(config, folder, env);
    if (found.state === undefined) return { diagnostics: [missing(found.description)] };
    return {
      attributes: { ...config, outputs: outputsOf(found.state, config["defaults"] ?? null) },
      diagnostics: [],
    };
  } catch (problem) {
    if (!(problem instanceof DiagnosticError)) throw problem;
    return { diagnostics: problem.diagnostics };
  }
}

async function stateOf(
  config: ValueObject,
  folder: string,
  env: Environment,
): Promise<{ state: State | undefined; description: string }> {
  const { backend, workspace } = config;
  const settings = plainOf(config["config"] ?? null);
  const name = typeof workspace === "string" ? workspace : DEFAULT_WORKSPACE;
  if (backend === "local") {
    const store = new LocalBackend(path.resolve(folder, localPath(settings, name)));
    return { state: await store.read(), description: store.description };
  }
  if (backend !== "http" || name !== DEFAULT_WORKSPACE)
    throw new DiagnosticError(unsupported(String(backend), name));
  const store = openHttpBackend(settings as HttpBackendBlock, env);
  return { state: await store.read(), description: store.description };
}

/** Where the backend `local` keeps the state of a workspace. */
function localPath(settings: ValueObject, workspace: string): string {
  const { path: file, workspace_dir: workspaces } = settings;
  if (workspace === DEFAULT_WORKSPACE) return typeof file === "string" ? file : "terraform.tfstate";
  const parent = typeof workspaces === "string" ? workspaces : "terraform.tfstate.d";
  return path.join(parent, workspace, "terraform.tfstate");
}

/** A value that goes with its type, without it. */
function plainOf(value: Value): ValueObject {
  const plain = isObject(value) ? (value["value"] ?? null) : null;
  return plain !== null && isObject(plain) ? plain : {};
}

/** The types of what an object or a map of any type holds, by name. */
function typesOf(value: Value): ValueObject {
  const type = isObject(value) ? value["type"] : undefined;
  if (!Array.isArray(type)) return {};
  const [kind, inner] = type as readonly Value[];
  if (kind === "object") return inner as ValueObject;
  return Object.fromEntries(Object.keys(plainOf(value)).map((name) => [name, inner!]));
}

/** The outputs as one object, of which each has the type that it was kept with; those of the state come before the defaults. */
function outputsOf({ outputs }: State, defaults: Value): Value {
  const kept = Object.entries(outputs);
  return {
    value: { ...plainOf(defaults), ...Object.fromEntries(kept.map(([name, { value }]) => [name, value])) },
    type: [
      "object",
      { ...typesOf(defaults), ...Object.fromEntries(kept.map(([name, { type }]) => [name, type])) },
    ],
  };
}

const missing = (description: string): Diagnostic =>
  error({
    code: "remote_state_missing",
    summary: "No state to read outputs from",
    detail:
      `There is no state ${description}. The stack that keeps it has not been applied yet: apply it first, or both ` +
      "with one `steward apply`, which follows their order.",
  });

const unsupported = (backend: string, workspace: string): Diagnostic =>
  error({
    code: "remote_state_unsupported",
    summary: "Not supported by the embedded engine",
    detail:
      (backend === "http"
        ? `The backend "http" has no workspaces, but the configuration asks for "${workspace}".`
        : `The embedded engine reads states of the backends "local" and "http", not of "${backend}".`) +
      " Run Terraform on this configuration: `steward exec -- terraform plan`.",
  });
