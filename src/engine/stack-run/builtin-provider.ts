import path from "node:path";
import { type Diagnostic, diagnosticsOf, error, fail } from "../../diagnostics";
import type { ConfiguredProvider, DataSourceRequest, Provider } from "../../framework";
import {
  computed,
  isObject,
  optional,
  required,
  type Schema,
  type Value,
  type ValueObject,
  validateAttributes,
} from "../../schema";
import {
  type HttpBackendBlock,
  LocalBackend,
  openHttpBackend,
  type State,
  type StateBackend,
} from "../../state";
import { applyTerraformData, planTerraformData, TERRAFORM_DATA } from "./terraform-data";

const DEFAULT_WORKSPACE = "default";

/** A stack whose state is in a file with a relative path. The path starts in the folder of the stack. */
interface LocalState {
  readonly stack: string;
  readonly folder: string;
  readonly path: string;
}

/** The folders in which relative paths begin. */
interface Places {
  /** The folder of the configuration. */
  readonly folder: string;
  /** Returns the stacks of the app, including this stack. */
  readonly localStates: () => readonly LocalState[];
}

/** Reads a state and returns its outputs. */
async function readRemoteState(request: DataSourceRequest, places: Places, env: Environment) {
  const { config } = request;
  try {
    const backend = backendOf(request, places, env);
    const state = await backend.read();
    if (state === undefined) return { diagnostics: [missing(backend.description)] };
    const outputs = outputsValue(state, config["defaults"] ?? null);
    return { attributes: { ...config, outputs }, diagnostics: [] };
  } catch (problem) {
    return { diagnostics: diagnosticsOf(problem) };
  }
}

function backendOf(request: DataSourceRequest, places: Places, env: Environment): StateBackend {
  const { backend, workspace, config } = request.config;
  const settings = untyped(config ?? null);
  const name = typeof workspace === "string" ? workspace : DEFAULT_WORKSPACE;
  if (backend === "local") {
    const folder = folderOf(settings["path"], request.address, places);
    return new LocalBackend(path.resolve(folder, localPath(settings, name)));
  }
  if (backend !== "http" || name !== DEFAULT_WORKSPACE) unsupportedBackend(String(backend), name);
  return openHttpBackend(settings as HttpBackendBlock, env);
}

/** Matches cdktf's names of data sources that read the outputs of another stack. */
const CROSS_STACK = /^data\.terraform_remote_state\.cross-stack-reference-input-(.+)$/;

/**
 * Returns the folder in which a relative path begins. If the backend of another stack has this path, the result is the folder
 * of that stack. Otherwise, the result is the folder of the configuration.
 *
 * @throws DiagnosticError `remote_state_ambiguous` if several stacks have the path
 */
function folderOf(
  file: Value | undefined,
  address: string | undefined,
  { folder, localStates }: Places,
): string {
  if (typeof file !== "string" || path.isAbsolute(file)) return folder;
  const isOwn = (one: LocalState) => path.resolve(one.folder) === path.resolve(folder);
  const isSame = (one: LocalState) => path.normalize(one.path) === path.normalize(file);
  const found = localStates().filter((one) => !isOwn(one) && isSame(one));
  const named = CROSS_STACK.exec(address ?? "")?.[1];
  const [first, second] = found.filter(({ stack }) => stack === named).concat(found);
  if (first === undefined) return folder;
  if (second === undefined || first.stack === named) return first.folder;
  return fail({
    code: "remote_state_ambiguous",
    summary: "Ambiguous path of a state",
    detail: `The stacks ${found
      .map(({ stack }) => JSON.stringify(stack))
      .sort()
      .join(
        " and ",
      )} keep their states at the same relative path ${JSON.stringify(file)}. Use absolute paths, or different paths, in the backends of these stacks.`,
  });
}

/** Returns the path of a workspace's state in the `local` backend. */
function localPath(settings: ValueObject, workspace: string): string {
  const { path: file, workspace_dir: workspaces } = settings;
  if (workspace === DEFAULT_WORKSPACE) return typeof file === "string" ? file : "terraform.tfstate";
  const parent = typeof workspaces === "string" ? workspaces : "terraform.tfstate.d";
  return path.join(parent, workspace, "terraform.tfstate");
}

/** Returns the values of an object that is stored together with its type. Returns an empty object for any other value. */
function untyped(value: Value): ValueObject {
  const plain = isObject(value) ? (value["value"] ?? null) : null;
  return plain !== null && isObject(plain) ? plain : {};
}

/** Returns the types of the elements, by name, from an object or map that is stored together with its type. */
function elementTypes(value: Value): ValueObject {
  const type = isObject(value) ? value["type"] : undefined;
  if (!Array.isArray(type)) return {};
  const [kind, inner] = type as readonly Value[];
  if (kind === "object") return inner as ValueObject;
  return Object.fromEntries(Object.keys(untyped(value)).map((name) => [name, inner!]));
}

/**
 * Returns the outputs as one object, with the types that the state stores. Outputs of the state take precedence over the
 * defaults.
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
    detail: `The state ${description} does not exist, because its stack has not been applied. Apply that stack first, or apply both stacks in one run.`,
    action: { kind: "apply" },
  });

const unsupportedBackend = (backend: string, workspace: string): never =>
  fail({
    code: "remote_state_unsupported",
    summary: "Not supported by the embedded engine",
    detail:
      (backend === "http"
        ? `The backend "http" has no workspaces, but the configuration asks for "${workspace}".`
        : `The embedded engine reads states of the backends "local" and "http", not of "${backend}".`) +
      " Run Terraform on this configuration.",
    action: { kind: "other", program: "terraform plan" },
  });

/** The schema of the data source `terraform_remote_state`. */
const REMOTE_STATE: Schema = {
  version: 0,
  description: "Reads the outputs of another configuration from its state. Part of Terraform itself.",
  attributes: {
    backend: required.string("The backend that stores the state: `local` or `http`."),
    config: optional.any("The backend's settings, such as `path`."),
    defaults: optional.any("Outputs to use where the state has none of that name."),
    workspace: optional.string("The workspace whose state is read."),
    outputs: computed.any("The outputs, by name."),
  },
};

/** The schemas of Terraform's built-in resources and data sources, by mode and type. */
const BUILTIN_SCHEMAS = {
  managed: { terraform_data: TERRAFORM_DATA },
  data: { terraform_remote_state: REMOTE_STATE },
} as const;

/** Returns the schema of a built-in resource or data source; undefined for any other type. */
export const builtinSchema = (mode: "managed" | "data", type: string): Schema | undefined =>
  (BUILTIN_SCHEMAS[mode] as Readonly<Record<string, Schema>>)[type];

type Environment = Readonly<Record<string, string | undefined>>;

/** The source address of Terraform's built-in provider. */
export const BUILTIN_SOURCE = "terraform.io/builtin/terraform";

const unsupported = (what: string) => ({
  diagnostics: [
    error({
      code: "unknown_type",
      summary: "Not part of the embedded provider",
      detail: `The embedded provider ${BUILTIN_SOURCE} has no ${what}. Run Terraform on this configuration.`,
      action: { kind: "other", program: "terraform plan" },
    }),
  ],
});

const configuredProvider = (places: Places, env: Environment): ConfiguredProvider => ({
  readResource: async ({ state }) => ({ state, diagnostics: [] }),
  planDestroy: async () => ({ diagnostics: [] }),
  planResource: async (request) => planTerraformData(request),
  applyResource: async (request) => applyTerraformData(request),
  // The object exists only in the state, so an unsaved change never took effect.
  recoverResource: async ({ prior }) => ({
    outcome: "not-done",
    ...(prior && { state: prior }),
    diagnostics: [],
  }),
  importResource: async ({ id }) =>
    id === undefined
      ? unsupported("import by identity")
      : {
          state: { attributes: { id, input: null, output: null, triggers_replace: null } },
          diagnostics: [],
        },
  listResource: async () => ({ objects: [], ...unsupported("list") }),
  // The objects of this provider are only in the state, so they give no access.
  describeAccess: async () => ({ places: [], notCounted: [] }),
  readDataSource: (request) => readRemoteState(request, places, env),
  close: async () => undefined,
});

/**
 * Returns the built-in provider with `terraform_data` and `terraform_remote_state`. The provider needs no service and
 * no configuration.
 */
const builtinProvider = (places: Places): Provider => ({
  schema: {
    source: BUILTIN_SOURCE,
    provider: { version: 0, description: "Terraform's own.", attributes: {} },
    resources: BUILTIN_SCHEMAS.managed,
    dataSources: BUILTIN_SCHEMAS.data,
  },
  validateProvider: () => [],
  validateResource: (type, config) => validateAttributes(builtinSchema("managed", type)!.attributes, config),
  validateDataSource: (type, config) => validateAttributes(builtinSchema("data", type)!.attributes, config),
  upgradeResource: (_type, _version, attributes) => ({ attributes, diagnostics: [] }),
  moveResource: () => unsupported("object of another provider"),
  configure: (_config, { env = {} } = {}) => ({ provider: configuredProvider(places, env), diagnostics: [] }),
});

/**
 * Returns the given providers by source address, and the built-in provider.
 *
 * @param folder the folder of the configuration, where relative paths start
 * @param localStates returns the states of the stacks of the app
 */
export const withBuiltin = (
  providers: Readonly<Record<string, Provider>>,
  folder: string,
  localStates: () => readonly LocalState[] = () => [],
): Readonly<Record<string, Provider>> => ({
  [BUILTIN_SOURCE]: builtinProvider({ folder, localStates }),
  ...providers,
});
