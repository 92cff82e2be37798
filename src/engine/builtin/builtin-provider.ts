import { error } from "../../diagnostics";
import type { ConfiguredProvider, Provider } from "../../framework";
import { validateAttributes } from "../../schema";
import { BUILTIN_SCHEMAS, builtinSchema } from "./builtin-schemas";
import { readRemoteState } from "./remote-state";
import { applyTerraformData, planTerraformData } from "./terraform-data";

type Environment = Readonly<Record<string, string | undefined>>;

/** The source address of Terraform's built-in provider. */
const BUILTIN_SOURCE = "terraform.io/builtin/terraform";

const unsupported = (what: string) => ({
  diagnostics: [
    error({
      code: "unknown_type",
      summary: "Not provided",
      detail: `The provider ${BUILTIN_SOURCE} of the embedded engine has no ${what}. Terraform has it: \`steward exec -- terraform plan\`.`,
    }),
  ],
});

const configuredProvider = (folder: string, env: Environment): ConfiguredProvider => ({
  readResource: async ({ state }) => ({ state, diagnostics: [] }),
  planDestroy: async () => ({ diagnostics: [] }),
  planResource: async (request) => planTerraformData(request),
  applyResource: async (request) => applyTerraformData(request),
  // Nothing exists outside of the state, so an unsaved change never took effect.
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
  readDataSource: (request) => readRemoteState(request, folder, env),
  close: async () => undefined,
});

/**
 * The built-in provider: `terraform_data` and `terraform_remote_state`. It needs no service and no
 * configuration.
 */
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
  moveResource: () => unsupported("object of another provider"),
  configure: (_config, { env = {} } = {}) => ({ provider: configuredProvider(folder, env), diagnostics: [] }),
});

/**
 * The given providers by source address, and the built-in one.
 *
 * @param folder where relative paths start
 */
export const withBuiltin = (
  providers: Readonly<Record<string, Provider>>,
  folder: string,
): Readonly<Record<string, Provider>> => ({ [BUILTIN_SOURCE]: builtinProvider(folder), ...providers });
