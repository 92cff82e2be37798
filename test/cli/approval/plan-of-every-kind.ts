export const SOURCE = "registry.steward.example/steward/steward";
/** The provider to which the changes of this plan belong. */
export const OWN = { source: SOURCE, attribute: "base_url", variable: "STEWARD_BASE_URL" };
export const LIMIT = "steward_job_token_scope.limit";
const UNCHANGED = { project: "acme/tools", inbound_enabled: true };
const NEW = { project: "acme/shop", inbound_enabled: true };
const OLD = { project: "acme/shop", inbound_enabled: false };
const scope = { mode: "managed", type: "steward_job_token_scope", provider_name: SOURCE };
const external = {
  mode: "data",
  type: "external",
  name: "who",
  provider_name: "registry.terraform.io/hashicorp/external",
};
const kept = { address: "steward_job_token_scope.kept", name: "kept", ...scope };
export const limit = { address: LIMIT, name: "limit", ...scope };
const masks = { after_unknown: {}, before_sensitive: {}, after_sensitive: {} };
const check = {
  address: { kind: "resource", to_display: LIMIT, mode: "managed", type: scope.type, name: "limit" },
  status: "pass",
  instances: [{ address: { to_display: LIMIT }, status: "pass" }],
};

/** A plan with each part of the format (https://developer.hashicorp.com/terraform/internals/json-format). */
export const PLAN = {
  format_version: "1.2",
  terraform_version: "1.15.4",
  applyable: true,
  complete: true,
  errored: false,
  timestamp: "2026-01-01T00:00:00Z",
  variables: { token: { value: "secret-of-a-variable" } },
  planned_values: {
    outputs: { url: { sensitive: false, type: "string", value: "https://new" } },
    root_module: {
      resources: [
        { ...limit, schema_version: 0, values: NEW, sensitive_values: {} },
        { ...kept, schema_version: 0, values: UNCHANGED, sensitive_values: {} },
      ],
    },
  },
  resource_drift: [{ ...limit, change: { actions: ["update"], before: NEW, after: OLD, ...masks } }],
  resource_changes: [
    {
      ...limit,
      previous_address: "steward_job_token_scope.old",
      action_reason: "read_because_config_unknown",
      change: {
        actions: ["update"],
        before: OLD,
        after: NEW,
        ...masks,
        replace_paths: [["project"]],
        importing: { id: "1" },
        generated_config: "# generated",
        before_identity: { id: "1" },
        after_identity: { id: "1" },
      },
    },
    { ...kept, change: { actions: ["no-op"], before: UNCHANGED, after: UNCHANGED, ...masks } },
  ],
  action_invocations: [
    { address: "action.shell_run.a", type: "shell_run", name: "a", config_values: { command: "date" } },
  ],
  output_changes: {
    url: {
      actions: ["update"],
      before: "https://old",
      after: "https://new",
      after_unknown: false,
      before_sensitive: false,
      after_sensitive: false,
    },
  },
  prior_state: {
    format_version: "1.0",
    terraform_version: "1.15.4",
    values: {
      outputs: { url: { sensitive: false, type: "string", value: "https://old" } },
      root_module: {
        resources: [
          { ...limit, schema_version: 0, values: OLD, sensitive_values: {} },
          { ...kept, schema_version: 0, values: UNCHANGED, sensitive_values: {} },
          {
            address: "data.external.who",
            ...external,
            schema_version: 0,
            values: { result: { a: "b" } },
            sensitive_values: {},
          },
        ],
      },
    },
    checks: [check],
  },
  configuration: {
    provider_config: {
      steward: {
        name: "steward",
        full_name: SOURCE,
        expressions: {
          base_url: { constant_value: "https://git.example.com" },
          token: { references: ["var.token"] },
        },
      },
      "steward.b": {
        name: "steward",
        full_name: SOURCE,
        alias: "b",
        expressions: { base_url: { constant_value: "https://b.example" } },
      },
      external: { name: "external", full_name: external.provider_name, version_constraint: "2.3.4" },
    },
    root_module: {
      outputs: { url: { expression: { references: [LIMIT] } } },
      resources: [
        {
          ...limit,
          provider_name: undefined,
          provider_config_key: "steward",
          provisioners: [{ type: "local-exec", expressions: { command: { constant_value: "date" } } }],
          expressions: { project: { constant_value: "acme/shop" } },
          schema_version: 0,
          depends_on: ["data.external.who"],
        },
        {
          address: "data.external.who",
          ...external,
          provider_name: undefined,
          provider_config_key: "external",
          expressions: { program: { constant_value: ["date"] } },
          schema_version: 0,
        },
      ],
      variables: { token: { default: "secret-of-a-variable" } },
      module_calls: { web: { source: "./web", module: { resources: [] } } },
      actions: [{ address: "action.shell_run.a", type: "shell_run", name: "a" }],
    },
  },
  relevant_attributes: [{ resource: LIMIT, attribute: ["project"] }],
  checks: [check],
};
