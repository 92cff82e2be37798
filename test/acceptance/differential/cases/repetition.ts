import type { DifferentialCase } from "../case";

const environment = (project: string, name: string, more: object = {}) => ({
  project,
  name,
  deploy_access_levels: [{ access_level: 40 }],
  ...more,
});

const NAMES = '${tolist(["production", "staging", "review"])[count.index]}';

/** count and for_each: instances that come and go. */
export const repetition: readonly DifferentialCase[] = [
  {
    name: "count_shrinks",
    steps: [
      {
        does: "makes three",
        declares: {
          resource: {
            steward_protected_environment: {
              count_shrinks: { ...environment("acme/count_shrinks", NAMES), count: 3 },
            },
          },
          output: { count_shrinks: { value: "${steward_protected_environment.count_shrinks[*].name}" } },
        },
      },
      {
        does: "keeps one",
        declares: {
          resource: {
            steward_protected_environment: {
              count_shrinks: { ...environment("acme/count_shrinks", NAMES), count: 1 },
            },
          },
          output: { count_shrinks: { value: "${steward_protected_environment.count_shrinks[*].name}" } },
        },
      },
    ],
  },
  {
    name: "each_key",
    steps: [
      {
        does: "makes one for each key",
        declares: {
          resource: {
            steward_protected_environment: {
              each_key: {
                ...environment("acme/each_key", "${each.key}"),
                for_each: { production: 40, staging: 30 },
                deploy_access_levels: [{ access_level: "${each.value}" }],
              },
            },
          },
        },
      },
      {
        does: "adds, changes and removes by key",
        declares: {
          resource: {
            steward_protected_environment: {
              each_key: {
                ...environment("acme/each_key", "${each.key}"),
                for_each: { production: 60, review: 30 },
                deploy_access_levels: [{ access_level: "${each.value}" }],
              },
            },
          },
        },
      },
    ],
  },
  {
    name: "each_chained",
    steps: [
      {
        does: "follows the instances of another",
        declares: {
          data: {
            steward_project: {
              each_chained: { for_each: '${toset(["acme/tools", "acme/runner"])}', project: "${each.value}" },
            },
          },
          resource: {
            steward_job_token_allowlist_project: {
              each_chained: {
                for_each: "${data.steward_project.each_chained}",
                project: "acme/each_chained",
                target_project: "${each.value.id}",
              },
            },
          },
        },
      },
    ],
  },
];
