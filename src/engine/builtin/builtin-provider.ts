import { error } from "../../diagnostics";
import type { ConfiguredProvider, Provider } from "../../framework";
import { validateAttributes } from "../../schema";
import { BUILTIN_SCHEMAS, builtinSchema } from "./builtin-schemas";
import { readRemoteState } from "./remote-state";
import { applyTerraformData, planTerraformData } from "./terraform-data";

type Environment = Readonly<Record<string, string | undefined>>;

/** The source of the provider that is part of Terraform itself. */
const BUILTIN_SOURCE = "terraform.io/builtin/terraform";

const notProvided = (what: string) => ({
  diagnostics: [
    error({
      code: "unknown_type",
      summary: "Not provided",
      detail: `The provider ${BUILTIN_SOURCE} of the embedded engine has no ${what}. Terraform has it: \`steward exec -- terraform plan\`.`,
    }),
  ],
});

const configured = (folder: string, env: Environment): ConfiguredProvider => ({
  readResource: async ({ state }) => ({ state, diagnostics: [] }),
  planDestroy: async () => ({ diagnostics: [] }),
  planResource: async (request) => planTerraformData(request),
  applyResource: async (request) => applyTerraformData(request),
  // Nothing is outside of the state, so that what was not saved was not done.
  recoverResource: async ({ prior }) => ({
    outcome: "not-done",
    ...(prior && { state: prior }),
    diagnostics: [],
  }),
  importResource: async ({ id }) => ({
    state: { attributes: { id, input: null, output: null, triggers_replace: null } },
    diagnostics: [],
  }),
  listResource: async () => ({ objects: [], ...notProvided("list") }),
  readDataSource: (request) => readRemoteState(request, folder, env),
  close: async () => undefined,
});

/** The provider that needs no service and no configuration: it has `terraform_data` and `terraform_remote_state`. */
const builtinProvider = (folder: string): Provider => ({
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
  moveResource: () => notProvided("object of another provider"),
  configure: (_config, { env = {} } = {}) => ({ provider: configured(folder, env), diagnostics: [] }),
});

/** All providers by their source: those that are given, and the one that is always there; paths start from the folder. */
export const withBuiltin = (
  providers: Readonly<Record<string, Provider>>,
  folder: string,
): Readonly<Record<string, Provider>> => ({ [BUILTIN_SOURCE]: builtinProvider(folder), ...providers });
