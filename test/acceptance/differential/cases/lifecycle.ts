import type { DifferentialCase } from "../case";

const environment = (project: string, name: string, lifecycle?: object, level = 40) => ({
  project: `acme/${project}`,
  name,
  deploy_access_levels: [{ access_level: level }],
  ...(lifecycle && { lifecycle }),
});
const environments = (declared: object) => ({ resource: { steward_protected_environment: declared } });
const condition = (text: string, message = "not so") => [{ condition: text, error_message: message }];

const ignoresOne = (version: string, levels: object) => ({
  resource: {
    steward_container_protection_rule: {
      ignores_one: {
        project: "acme/ignores_one",
        repository_path_pattern: `acme/ignores_one/${version}*`,
        ...levels,
        lifecycle: { ignore_changes: ["minimum_access_level_for_push"] },
      },
    },
  },
});

/** What lifecycle blocks ask for, and `terraform_data`. */
export const lifecycle: readonly DifferentialCase[] = [
  {
    name: "creates_first",
    steps: [
      {
        does: "makes an object that another one needs before its end",
        declares: environments({
          creates_first: environment("creates_first", "staging"),
          creates_first_after: environment(
            "creates_first",
            '${steward_protected_environment.creates_first.name == "staging" ? "production" : "review"}',
            { create_before_destroy: true },
          ),
        }),
      },
      {
        does: "replaces both, the new ones first",
        declares: environments({
          creates_first: environment("creates_first", "review/x"),
          creates_first_after: environment(
            "creates_first",
            '${steward_protected_environment.creates_first.name == "staging" ? "production" : "review"}',
            { create_before_destroy: true },
          ),
        }),
      },
    ],
  },
  {
    name: "ignores_changes",
    steps: [
      {
        does: "makes two objects",
        declares: environments({
          ignores_changes: environment("ignores_changes", "production", {
            ignore_changes: ["deploy_access_levels"],
          }),
          ignores_changes_all: environment("ignores_changes", "staging", { ignore_changes: "all" }),
        }),
      },
      {
        does: "leaves alone what is declared otherwise",
        declares: environments({
          ignores_changes: environment(
            "ignores_changes",
            "production",
            { ignore_changes: ["deploy_access_levels"] },
            60,
          ),
          ignores_changes_all: environment("ignores_changes", "review", { ignore_changes: "all" }, 30),
        }),
      },
      {
        does: "replaces an object with all that is declared",
        declares: environments({
          ignores_changes: environment(
            "ignores_changes",
            "review",
            { ignore_changes: ["deploy_access_levels"] },
            60,
          ),
        }),
      },
    ],
  },
  {
    name: "ignores_one",
    steps: [
      {
        does: "makes an object with a level that others may change",
        declares: ignoresOne("v1", { minimum_access_level_for_push: "owner" }),
      },
      {
        does: "changes the rest in place, and leaves the level",
        declares: ignoresOne("v2", { minimum_access_level_for_push: "admin" }),
      },
      {
        does: "leaves a level that is declared no more",
        declares: ignoresOne("v3", { minimum_access_level_for_delete: "owner" }),
      },
    ],
  },
  {
    name: "triggers",
    steps: [1, 2].map((version) => ({
      does: version === 1 ? "makes what triggers and what is triggered" : "replaces what is triggered",
      declares: {
        resource: {
          terraform_data: {
            triggers: { input: { version, same: "x" } },
            triggers_each: { for_each: { a: 1, b: version }, input: "${each.value}" },
          },
          steward_protected_environment: {
            triggers: environment("triggers", "production", {
              replace_triggered_by: ["terraform_data.triggers.input.version"],
            }),
            triggers_not: environment("triggers", "staging", {
              replace_triggered_by: ["terraform_data.triggers.input.same"],
            }),
            triggers_each: {
              ...environment("triggers", "review-${each.key}", {
                replace_triggered_by: ["terraform_data.triggers_each[each.key]"],
              }),
              for_each: { a: 1, b: 1 },
            },
          },
        },
      },
    })) as unknown as DifferentialCase["steps"],
  },
  {
    name: "conditions",
    steps: [
      {
        does: "checks what it knows now and what it knows later, and puts off reads that wait",
        declares: {
          data: {
            steward_project: {
              conditions: {
                project: "${steward_protected_environment.conditions.project}",
                lifecycle: { postcondition: condition('${self.path == "conditions"}') },
              },
            },
          },
          resource: {
            steward_protected_environment: {
              conditions: environment("conditions", "production", {
                precondition: condition('${path.module == "."}'),
                postcondition: condition("${length(self.id) > 3}"),
              }),
            },
          },
        },
      },
    ],
  },
  {
    name: "keeps_value",
    steps: [
      {
        does: "keeps values of any type",
        declares: {
          resource: {
            terraform_data: {
              keeps_value: { input: ["a", 1, { b: null }], triggers_replace: { k: true } },
              keeps_value_set: { input: '${toset(["b", "a"])}' },
              keeps_value_none: {},
              keeps_value_hidden: { input: '${sensitive("s")}' },
            },
          },
          output: { keeps_value: { value: "${terraform_data.keeps_value_set.output}" } },
        },
      },
      {
        does: "keeps other ones, and replaces where the trigger changes",
        declares: {
          resource: {
            terraform_data: {
              keeps_value: { input: ["a"], triggers_replace: { k: false } },
              keeps_value_set: { input: '${toset(["a", "b"])}' },
              keeps_value_none: { input: "${terraform_data.keeps_value.id != null}" },
              keeps_value_hidden: { input: "s" },
            },
          },
          output: { keeps_value: { value: "${terraform_data.keeps_value_set.output}" } },
        },
      },
    ],
  },
  {
    name: "prevents",
    steps: [
      {
        does: "makes an object that is to stay",
        declares: environments({
          prevents: environment("prevents", "production", { prevent_destroy: true }),
        }),
      },
      {
        does: "refuses to replace it",
        declares: environments({ prevents: environment("prevents", "staging", { prevent_destroy: true }) }),
        fails: "plan",
      },
    ],
  },
  {
    name: "not_met",
    steps: [
      {
        does: "stops where what was made is not what was meant",
        declares: environments({
          not_met: environment("not_met", "production", {
            postcondition: condition('${self.id == "else"}', "it is ${self.name}"),
          }),
        }),
        fails: "apply",
      },
    ],
  },
];
