import type { DifferentialCase } from "../case";

/** Values on their way: references, unknown ones, variables, locals, outputs, sensitive ones. */
export const expressions: readonly DifferentialCase[] = [
  {
    name: "references",
    steps: [
      {
        does: "passes on what is known after apply only",
        declares: {
          locals: { references_names: { live: "production" } },
          resource: {
            steward_job_token_scope: { references: { project: "acme/references" } },
            steward_protected_environment: {
              references: {
                project: "${steward_job_token_scope.references.id}",
                name: "${local.references_names.live}",
                deploy_access_levels: [{ access_level: 40 }],
              },
            },
          },
          output: {
            references: {
              value: {
                id: "${steward_protected_environment.references.id}",
                text: "environment ${steward_protected_environment.references.id} of ${upper(local.references_names.live)}",
                list: ["${steward_job_token_scope.references.inbound_enabled}", 1, null],
              },
            },
          },
        },
      },
    ],
  },
  {
    name: "provider_functions",
    steps: [
      {
        does: "calls functions of the provider in locals, arguments and outputs",
        declares: {
          locals: { provider_functions_level: '${provider::steward::access_level("maintainer")}' },
          resource: {
            steward_protected_environment: {
              provider_functions: {
                project: "acme/provider_functions",
                name: "production",
                deploy_access_levels: [{ access_level: "${local.provider_functions_level}" }],
              },
            },
          },
          output: {
            provider_functions: {
              value: {
                name: "${provider::steward::access_level_name(local.provider_functions_level)}",
                id: "${provider::steward::parse_id(steward_protected_environment.provider_functions.id).key}",
                failed: '${try(provider::steward::access_level("nobody"), "none")}',
              },
            },
          },
        },
      },
    ],
  },
  ...[
    '${provider::steward::access_level("nobody")}',
    "${provider::steward::access_level(null)}",
    "${provider::steward::acess_level(40)}",
    "${provider::stewrad::access_level(40)}",
    "${provider::steward::access_level()}",
  ].map(
    (value, index): DifferentialCase => ({
      name: `provider_functions_wrong${index}`,
      steps: [
        {
          does: `is refused: ${value.slice(2, -1)}`,
          fails: "plan",
          declares: { output: { [`provider_functions_wrong${index}`]: { value } } },
        },
      ],
    }),
  ),
  {
    name: "ephemeral",
    steps: [
      {
        does: "uses the parts of an object that are not ephemeral, and null for those that are",
        variables: { ephemeral_token: "never stored" },
        declares: {
          variable: { ephemeral_token: { ephemeral: true, type: "string" } },
          locals: { ephemeral_all: { token: "${var.ephemeral_token}", name: "production" } },
          resource: {
            steward_protected_environment: {
              ephemeral: {
                project: "acme/ephemeral",
                name: "${local.ephemeral_all.name}",
                deploy_access_levels: [{ access_level: 40 }],
              },
            },
          },
          output: {
            ephemeral: { value: "${ephemeralasnull(local.ephemeral_all)}" },
            ephemeral_keys: { value: "${keys(local.ephemeral_all)}" },
            ephemeral_is_sensitive: { value: "${issensitive(var.ephemeral_token)}" },
          },
        },
      },
    ],
  },
  ...[
    { output: { ephemeral_wrong0: { value: "${var.ephemeral_wrong0}" } } },
    { output: { ephemeral_wrong1: { value: { a: ["x-${var.ephemeral_wrong1}"] }, sensitive: true } } },
    { resource: { terraform_data: { ephemeral_wrong2: { input: "${var.ephemeral_wrong2}" } } } },
    { resource: { terraform_data: { ephemeral_wrong3: { count: "${length(var.ephemeral_wrong3)}" } } } },
    { output: { ephemeral_wrong4: { value: "${nonsensitive(sensitive(var.ephemeral_wrong4))}" } } },
    { output: { ephemeral_wrong5: { value: 1, ephemeral: true } } },
  ].map(
    (declares, index): DifferentialCase => ({
      name: `ephemeral_wrong${index}`,
      steps: [
        {
          does: "is refused where it would be stored",
          fails: "plan",
          variables: { [`ephemeral_wrong${index}`]: "never stored" },
          declares: { variable: { [`ephemeral_wrong${index}`]: { ephemeral: true } }, ...declares },
        },
      ],
    }),
  ),
  {
    name: "long_numbers",
    steps: [1, 2].map((step) => ({
      does: step === 1 ? "keeps all digits of long numbers" : "changes the last digit",
      declares: {
        locals: { long_numbers: "${9007199254740993}", long_numbers_step: step },
        resource: {
          terraform_data: {
            long_numbers: {
              input: {
                id: "${local.long_numbers + local.long_numbers_step * 2}",
                parts: ["${1 / 3}", 0.5],
              },
            },
          },
        },
        output: {
          long_numbers: { value: "${12345678901234567890 + local.long_numbers_step}" },
          long_numbers_third: { value: { of: "${2 / 3}" } },
        },
      },
    })) as unknown as DifferentialCase["steps"],
  },
  {
    name: "variables",
    steps: [
      {
        does: "takes values, and defaults for what is not given",
        declares: VARIABLES(),
        variables: { variables_environments: { production: { level: 40 }, staging: {} } },
      },
      {
        does: "changes with its values",
        declares: VARIABLES(),
        variables: { variables_environments: { production: { level: 60 } } },
      },
    ],
  },
  {
    name: "sensitive",
    steps: [
      {
        does: "marks what comes from a sensitive variable",
        declares: {
          variable: { sensitive_mail: { type: "string", sensitive: true } },
          resource: {
            steward_project_invitation: {
              sensitive: { project: "acme/sensitive", email: "${var.sensitive_mail}", access_level: 30 },
            },
          },
          output: {
            sensitive: { value: "${steward_project_invitation.sensitive.email}", sensitive: true },
            sensitive_not: { value: "${steward_project_invitation.sensitive.access_level}" },
          },
        },
        variables: { sensitive_mail: "hidden@acme.example" },
      },
    ],
  },
  {
    name: "data",
    steps: [
      {
        does: "reads while planning, and puts off what depends on a change",
        declares: {
          data: {
            steward_project: { data: { project: "acme/data" } },
            steward_job_token_scope: {
              data_later: { project: "acme/data", depends_on: ["steward_job_token_scope.data"] },
            },
          },
          resource: {
            steward_job_token_scope: {
              data: { project: "${data.steward_project.data.id}", inbound_enabled: false },
            },
          },
          output: { data: { value: "${data.steward_job_token_scope.data_later.inbound_enabled}" } },
        },
      },
    ],
  },
  {
    name: "outputs",
    steps: [
      {
        does: "creates outputs alone",
        declares: {
          output: { outputs_a: { value: 1 }, outputs_b: { value: ["x"] }, outputs_none: { value: null } },
        },
      },
      {
        does: "changes and removes them",
        declares: { output: { outputs_a: { value: 1.5 }, outputs_c: { value: { deep: [true, null] } } } },
      },
    ],
  },
];

function VARIABLES() {
  return {
    variable: {
      variables_environments: { type: "map(object({ level = optional(number, 30) }))" },
      variables_prefix: { type: "string", default: "acme" },
    },
    resource: {
      steward_protected_environment: {
        variables: {
          for_each: "${var.variables_environments}",
          project: "${var.variables_prefix}/variables",
          name: "${each.key}",
          deploy_access_levels: [{ access_level: "${each.value.level}" }],
        },
      },
    },
    output: {
      variables: { value: "${{ for name, one in var.variables_environments : name => one.level }}" },
    },
  };
}
