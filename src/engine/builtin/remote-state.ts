import path from "node:path";
import { type Diagnostic, DiagnosticError, error } from "../../diagnostics";
import type { DataSourceRequest, DataSourceResponse } from "../../framework";
import { isObject, type Value, type ValueObject } from "../../schema";
import { type HttpBackendBlock, LocalBackend, openHttpBackend, type State } from "../../state";

const DEFAULT_WORKSPACE = "default";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads a state and returns its outputs.
 *
 * @param folder where relative paths start: that of the configuration
 */
export async function readRemoteState(
  { config }: DataSourceRequest,
  folder: string,
  env: Environment,
): Promise<DataSourceResponse> {
  try {
    const found = await readState(config, folder, env);
    if (found.state === undefined) return { diagnostics: [missing(found.description)] };
    return {
      attributes: { ...config, outputs: outputsValue(found.state, config["defaults"] ?? null) },
      diagnostics: [],
    };
  } catch (problem) {
    if (!(problem instanceof DiagnosticError)) throw problem;
    return { diagnostics: problem.diagnostics };
  }
}

async function readState(
  config: ValueObject,
  folder: string,
  env: Environment,
): Promise<{ state: State | undefined; description: string }> {
  const { backend, workspace } = config;
  const settings = untyped(config["config"] ?? null);
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

/** The path of a workspace's state in the `local` backend. */
function localPath(settings: ValueObject, workspace: string): string {
  const { path: file, workspace_dir: workspaces } = settings;
  if (workspace === DEFAULT_WORKSPACE) return typeof file === "string" ? file : "terraform.tfstate";
  const parent = typeof workspaces === "string" ? workspaces : "terraform.tfstate.d";
  return path.join(parent, workspace, "terraform.tfstate");
}

/** The value of a typed object, without its type. */
function untyped(value: Value): ValueObject {
  const plain = isObject(value) ? (value["value"] ?? null) : null;
  return plain !== null && isObject(plain) ? plain : {};
}

/** The types of the elements of a typed object or map, by name. */
function elementTypes(value: Value): ValueObject {
  const type = isObject(value) ? value["type"] : undefined;
  if (!Array.isArray(type)) return {};
  const [kind, inner] = type as readonly Value[];
  if (kind === "object") return inner as ValueObject;
  return Object.fromEntries(Object.keys(untyped(value)).map((name) => [name, inner!]));
}

/**
 * The outputs as one object with their stored types. Outputs of the state take precedence over the defaults.
 */
function outputsValue({ outputs }: State, defaults: Value): Value {
  const kept = Object.entries(outputs);
  return {
    value: { ...untyped(defaults), ...Object.fromEntries(kept.map(([name, { value }]) => [name, value])) },
    type: [
      "object",
      { ...elementTypes(defaults), ...Object.fromEntries(kept.map(([name, { type }]) => [name, type])) },
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
