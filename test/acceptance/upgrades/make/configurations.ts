import type { FixtureInput } from "../../../../src/service";
import { placed, SAMPLES } from "../../../provider/samples";
import { ownPath, withOwnPlaces } from "../../../provider/support/own-places";

const samples = withOwnPlaces();

/** The service before the first apply. The ids are fixed, so that states always refer to the same objects. */
export const COMPANY: FixtureInput = {
  users: samples.users,
  groups: [...samples.groups!, { path: "acme/team1", id: 112 }, { path: "acme/team2", id: 113 }],
  projects: [
    ...samples.projects!,
    {
      path: "acme/p1",
      id: 101,
      job_token_scope: { inbound_enabled: false },
      members: [{ user: "devon", role: "developer" }],
    },
    { path: "acme/p2", id: 102, job_token_scope: { inbound_enabled: false } },
    { path: "acme/t1", id: 103 },
    { path: "acme/t2", id: 104 },
    // The project that stores the states.
    { path: "acme/states", id: 105 },
  ],
};

/** One object of every resource. Each object is in a separate project or group. */
const sampled = Object.fromEntries(
  Object.keys(SAMPLES).map((type) => [type, { sample: placed(type, ownPath(type)) }]),
);

const terraform = {
  required_providers: { steward: { source: "registry.steward.example/steward/steward" } },
};
/** The address and the token come from the environment, so that no file contains them. */
const provider = { steward: [{ max_attempts: 1 }] };
const path = (text: string) => ({ "//": { metadata: { path: text } } });

/**
 * A stack with nearly everything that a state can contain. `environment` names a protected environment with a create-first
 * replacement. If the delete of the old environment fails, the state keeps a deposed object.
 */
export const platform = (environment: string) => ({
  terraform,
  provider,
  variable: { contact: { default: "ada@example.com", sensitive: true } },
  data: { steward_project: { web: { project: "acme/p1" } } },
  resource: {
    ...sampled,
    terraform_data: { revision: { input: { number: 1.5, words: ["a", "b"] } } },
    steward_job_token_scope: {
      ...sampled["steward_job_token_scope"],
      limit: { ...path("platform/limit"), project: "${data.steward_project.web.id}", inbound_enabled: true },
    },
    steward_job_token_allowlist: {
      ...sampled["steward_job_token_allowlist"],
      callers: {
        project: "acme/p1",
        target_projects: ["acme/t1", "104"],
        target_groups: ["acme/team1"],
        depends_on: ["steward_job_token_scope.limit"],
      },
    },
    steward_pages_settings: {
      ...sampled["steward_pages_settings"],
      site: {
        ...path("platform/site"),
        project: "acme/p1",
        unique_domain_enabled: true,
        force_https: false,
        unpublish_on_destroy: false,
        lifecycle: {
          postcondition: [
            { condition: "${self.unique_domain_enabled}", error_message: "No domain of its own." },
          ],
        },
      },
    },
    steward_container_protection_rule: {
      ...sampled["steward_container_protection_rule"],
      images: {
        for_each: { base: "owner", release: "maintainer" },
        project: "acme/p1",
        repository_path_pattern: "acme/p1/${each.key}*",
        minimum_access_level_for_push: "${each.value}",
      },
    },
    steward_protected_environment: {
      ...sampled["steward_protected_environment"],
      live: {
        project: "acme/p1",
        name: environment,
        deploy_access_levels: [{ access_level: 40 }, { user: "devon" }],
        approval_rules: [{ access_level: 40, required_approvals: 2 }],
        lifecycle: { create_before_destroy: true },
      },
    },
    steward_project_invitation: {
      ...sampled["steward_project_invitation"],
      reviewer: { project: "acme/p1", email: "${var.contact}", access_level: 30, expires_at: "2099-12-31" },
    },
    steward_job_token_allowlist_project: {
      ...sampled["steward_job_token_allowlist_project"],
      tools: { count: 2, project: "acme/p2", target_project: '${["acme/t1", "acme/t2"][count.index]}' },
    },
  },
  check: {
    limited: {
      assert: [
        { condition: "${steward_job_token_scope.limit.inbound_enabled}", error_message: "Open to all." },
      ],
    },
  },
  output: {
    environment: {
      value: "${steward_protected_environment.live.id}",
      precondition: [
        {
          condition: "${steward_job_token_scope.limit.inbound_enabled}",
          error_message: "Open to all.",
        },
      ],
    },
    rules: {
      value: "${{ for key, rule in steward_container_protection_rule.images : key => rule.rule_id }}",
    },
    contact: { value: "${var.contact}", sensitive: true },
  },
});

/** A stack that reads the outputs of the stack `platform`. */
export const shop = {
  terraform,
  provider,
  data: {
    terraform_remote_state: {
      platform: { backend: "local", config: { path: "../platform/terraform.tfstate" } },
    },
  },
  resource: {
    steward_protected_environment: {
      live: {
        project: "acme/p2",
        name: "${data.terraform_remote_state.platform.outputs.environment}",
        deploy_access_levels: [{ access_level: 40 }],
      },
    },
  },
  output: { environments: { value: ["${steward_protected_environment.live.id}"] } },
};

const environment = (name: string, level: number) => ({
  project: "acme/p1",
  name,
  deploy_access_levels: [{ access_level: level }],
});

/** The configuration before a killed run or a saved plan. */
export const before = {
  terraform,
  provider,
  variable: { contact: { default: "ada@example.com", sensitive: true } },
  resource: {
    steward_protected_environment: {
      changed: environment("staging", 30),
      gone: environment("legacy", 40),
      renamed: { ...environment("blue", 40), lifecycle: { create_before_destroy: true } },
    },
    steward_job_token_scope: { last: { project: "acme/p1", inbound_enabled: false } },
  },
  output: { environment: { value: "${steward_protected_environment.renamed.id}" } },
};

/**
 * The configuration after the changes. This configuration changes one object in place, deletes one, replaces one, and
 * creates objects with one or several requests. The change of `last` depends on all other changes.
 */
export const after = {
  ...before,
  resource: {
    steward_protected_environment: {
      changed: environment("staging", 40),
      renamed: { ...environment("green", 40), lifecycle: { create_before_destroy: true } },
    },
    steward_container_protection_rule: {
      made: {
        project: "acme/p1",
        repository_path_pattern: "acme/p1/release*",
        minimum_access_level_for_push: "maintainer",
      },
    },
    steward_job_token_allowlist: {
      made: { project: "acme/p2", target_projects: ["acme/t1", "acme/t2"], target_groups: [] },
    },
    steward_project_invitation: {
      made: { project: "acme/p2", email: "${var.contact}", access_level: 30 },
    },
    steward_job_token_scope: {
      last: {
        project: "acme/p1",
        inbound_enabled: true,
        depends_on: [
          "steward_protected_environment.changed",
          "steward_protected_environment.renamed",
          "steward_container_protection_rule.made",
          "steward_job_token_allowlist.made",
          "steward_project_invitation.made",
        ],
      },
    },
  },
};

/**
 * Returns a configuration with invitations whose addresses have capital letters. `host` is the program that keeps the state.
 */
export const spellings = (host: "embedded" | "terraform") => ({
  terraform,
  provider,
  resource: {
    steward_project_invitation: {
      dev: {
        project: host === "embedded" ? "acme/p1" : "acme/t1",
        email: "Dev@Example.com",
        access_level: 30,
        expires_at: "2099-12-31",
      },
    },
    steward_group_invitation: {
      lead: {
        group: host === "embedded" ? "acme/team1" : "acme/team2",
        email: "Lead@Example.com",
        access_level: 40,
      },
    },
  },
});
