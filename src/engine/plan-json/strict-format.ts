import * as z from "zod/mini";

// The keys of the plan format of Terraform and OpenTofu. The schema is strict, because an unknown key can change the result of
// an apply. The format: https://developer.hashicorp.com/terraform/internals/json-format

const any = z.optional(z.unknown());
const record = <T extends z.ZodMiniType>(value: T) => z.optional(z.record(z.string(), value));
const list = <T extends z.ZodMiniType>(value: T) => z.optional(z.nullable(z.array(value)));
/** Returns the schema of an object with exactly these keys and any values. */
const keys = (...names: readonly string[]) =>
  z.strictObject(Object.fromEntries(names.map((name) => [name, any])));

const change = z.strictObject({
  ...keys("actions", "before", "after", "after_unknown", "before_sensitive", "after_sensitive").shape,
  ...keys("replace_paths", "generated_config", "before_identity", "after_identity").shape,
  importing: z.optional(z.nullable(keys("id", "identity", "unknown"))),
});
const named = keys("address", "module_address", "mode", "type", "name", "index", "index_unknown").shape;
const resourceChange = z.strictObject({
  ...named,
  ...keys("previous_address", "provider_name", "deposed", "action_reason").shape,
  change,
});

const stateObject = z.strictObject({
  ...named,
  ...keys("provider_name", "schema_version", "values", "sensitive_values", "depends_on").shape,
  ...keys("tainted", "deposed_key", "identity", "identity_schema_version").shape,
});
const stateModule = z.strictObject({
  address: any,
  resources: list(stateObject),
  get child_modules() {
    return list(stateModule as z.ZodMiniType);
  },
});
const stateValues = z.strictObject({
  outputs: record(keys("sensitive", "value", "type")),
  root_module: z.optional(stateModule),
});

const declaration = z.strictObject({
  ...keys("address", "mode", "type", "name", "provider_config_key", "expressions", "schema_version").shape,
  ...keys("count_expression", "for_each_expression", "depends_on", "action_triggers", "lifecycle").shape,
  provisioners: list(keys("type", "expressions")),
});
const declaredModule = z.strictObject({
  outputs: record(
    keys("sensitive", "ephemeral", "deprecated", "expression", "depends_on", "description", "type"),
  ),
  resources: list(declaration),
  variables: record(
    keys("type", "default", "required", "description", "sensitive", "deprecated", "ephemeral", "const"),
  ),
  actions: list(z.looseObject({ address: z.string() })),
  get module_calls() {
    return record(
      z.strictObject({
        ...keys("source", "expressions", "count_expression", "for_each_expression").shape,
        ...keys("version_constraint", "depends_on").shape,
        module: z.optional(declaredModule as z.ZodMiniType),
      }),
    );
  },
});
const provider = keys("name", "full_name", "version_constraint", "module_address", "expressions", "alias");

const check = z.strictObject({
  address: keys("kind", "module", "to_display", "mode", "type", "name"),
  status: any,
  instances: list(
    z.strictObject({
      address: keys("to_display", "instance_key", "module"),
      status: any,
      problems: list(keys("message")),
    }),
  ),
});

const plan = z.strictObject({
  ...keys("format_version", "terraform_version", "timestamp", "applyable", "complete", "errored").shape,
  variables: record(keys("value", "deprecated")),
  planned_values: z.optional(stateValues),
  resource_changes: list(resourceChange),
  resource_drift: list(resourceChange),
  deferred_changes: list(z.unknown()),
  deferred_action_invocations: list(z.unknown()),
  action_invocations: list(z.looseObject({ address: z.string() })),
  output_changes: record(change),
  prior_state: z.optional(
    z.strictObject({
      ...keys("format_version", "terraform_version").shape,
      values: z.optional(stateValues),
      checks: list(check),
    }),
  ),
  configuration: z.optional(
    z.strictObject({ provider_config: record(provider), root_module: z.optional(declaredModule) }),
  ),
  relevant_attributes: list(keys("resource", "attribute")),
  checks: list(check),
});

/** Returns the name of a part of the plan that this release does not know; undefined if the release knows all parts. */
export function unknownPartOf(json: unknown): string | undefined {
  const { error } = plan.safeParse(json);
  const [issue] = error?.issues ?? [];
  if (issue === undefined) return undefined;
  const path = issue.path.map(String).join(".");
  const names = issue.code === "unrecognized_keys" ? issue.keys : [];
  return [path, ...names.slice(0, 1)].filter((one) => one !== "").join(".") || "the plan";
}
