import { GROUP } from "../../../../src/provider/samples/company";
import type { DifferentialCase } from "../case";

const scope = (body: object) => ({ resource: { steward_job_token_scope: body } });

/** What becomes of single objects: created, changed, replaced, taken away, changed by hand. */
export const objects: readonly DifferentialCase[] = [
  {
    name: "setting",
    steps: [
      {
        does: "takes a setting under management",
        declares: scope({ setting: { project: "acme/setting", inbound_enabled: true } }),
      },
      {
        does: "changes it in place",
        declares: scope({ setting: { project: "acme/setting", inbound_enabled: false } }),
      },
      {
        does: "mends what was changed by hand",
        declares: scope({ setting: { project: "acme/setting", inbound_enabled: false } }),
        byHand: (http) => http("PATCH", "/projects/acme%2Fsetting/job_token_scope", { enabled: true }),
      },
      {
        does: "leaves it alone when it is declared no more",
        declares: scope({ setting: { project: "acme/setting" } }),
      },
      { does: "takes it out of the state", declares: {} },
    ],
  },
  {
    name: "moved_elsewhere",
    steps: [
      { does: "creates", declares: scope({ moved_elsewhere: { project: "acme/moved_elsewhere" } }) },
      { does: "replaces", declares: scope({ moved_elsewhere: { project: "acme/docs" } }) },
    ],
  },
  {
    name: "authoritative",
    steps: [
      {
        does: "fills a set",
        declares: {
          resource: {
            steward_job_token_allowlist: {
              authoritative: {
                project: "acme/authoritative",
                target_projects: ["acme/tools", "acme/runner"],
              },
            },
          },
        },
      },
      {
        does: "takes an element out, and what was added by hand",
        declares: {
          resource: {
            steward_job_token_allowlist: {
              authoritative: { project: "acme/authoritative", target_projects: ["acme/runner"] },
            },
          },
        },
        byHand: (http) =>
          http("POST", "/projects/acme%2Fauthoritative/job_token_scope/groups_allowlist", {
            target_group_id: GROUP.platform,
          }),
      },
    ],
  },
  {
    name: "nested_set",
    steps: [
      {
        does: "creates an environment's protection",
        declares: {
          resource: {
            steward_protected_environment: {
              nested_set: {
                project: "acme/nested_set",
                name: "production",
                deploy_access_levels: [{ access_level: 40 }, { user: "devon" }],
                approval_rules: [{ group: "acme/approvers", required_approvals: 2 }],
              },
            },
          },
          output: { nested_set: { value: "${steward_protected_environment.nested_set}" } },
        },
      },
      {
        does: "changes its elements in place",
        declares: {
          resource: {
            steward_protected_environment: {
              nested_set: {
                project: "acme/nested_set",
                name: "production",
                deploy_access_levels: [{ user: "devon" }, { access_level: 60 }],
                approval_rules: [],
              },
            },
          },
        },
      },
      {
        does: "creates it anew when it was removed by hand",
        declares: {
          resource: {
            steward_protected_environment: {
              nested_set: {
                project: "acme/nested_set",
                name: "production",
                deploy_access_levels: [{ user: "devon" }],
              },
            },
          },
        },
        byHand: (http) => http("DELETE", "/projects/acme%2Fnested_set/protected_environments/production"),
      },
      { does: "deletes it", declares: {} },
    ],
  },
  {
    name: "unset",
    steps: [
      {
        does: "creates a rule",
        declares: {
          resource: {
            steward_container_protection_rule: {
              unset: {
                project: "acme/unset",
                repository_path_pattern: "acme/unset/*",
                minimum_access_level_for_push: "maintainer",
                minimum_access_level_for_delete: "owner",
              },
            },
          },
        },
      },
      {
        does: "clears what is declared no more",
        declares: {
          resource: {
            steward_container_protection_rule: {
              unset: {
                project: "acme/unset",
                repository_path_pattern: "acme/unset/*",
                minimum_access_level_for_push: "owner",
              },
            },
          },
        },
      },
    ],
  },
];
