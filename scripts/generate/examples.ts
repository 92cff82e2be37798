import type { ValueObject } from "../../src/schema";
import type { Subject } from "./naming";

/** A declaration to show on a page. */
export interface Example {
  /** The id of the construct; plans show the object as `<type>.<id>`. */
  readonly id: string;
  readonly config: ValueObject;
}

const EXAMPLES: Readonly<Record<Subject, Readonly<Record<string, Example>>>> = {
  provider: { steward: { id: "steward", config: { base_url: "https://steward.example.com" } } },
  resource: {
    steward_container_protection_rule: {
      id: "releases",
      config: {
        project: "acme/web-shop",
        repository_path_pattern: "acme/web-shop/release*",
        minimum_access_level_for_push: "maintainer",
        minimum_access_level_for_delete: "owner",
      },
    },
    steward_group_invitation: {
      id: "auditor",
      config: {
        group: "acme/platform",
        email: "grace@example.com",
        access_level: 20,
        expires_at: "2030-12-31",
      },
    },
    steward_job_token_allowlist: {
      id: "web-shop",
      config: {
        project: "acme/web-shop",
        target_projects: ["acme/deploy-tools", "acme/test-runner"],
        target_groups: ["acme/platform"],
      },
    },
    steward_job_token_allowlist_group: {
      id: "web-shop-from-platform",
      config: { project: "acme/web-shop", target_group: "acme/platform" },
    },
    steward_job_token_allowlist_project: {
      id: "web-shop-from-deploy-tools",
      config: { project: "acme/web-shop", target_project: "acme/deploy-tools" },
    },
    steward_job_token_scope: {
      id: "web-shop",
      config: { project: "acme/web-shop", inbound_enabled: true },
    },
    steward_pages_settings: {
      id: "web-shop",
      config: {
        project: "acme/web-shop",
        unique_domain_enabled: true,
        force_https: true,
        primary_domain: "shop.example.com",
        unpublish_on_destroy: false,
      },
    },
    steward_project_invitation: {
      id: "ada",
      config: { project: "acme/web-shop", email: "ada@example.com", access_level: 30 },
    },
    steward_protected_environment: {
      id: "production",
      config: {
        project: "acme/web-shop",
        name: "production",
        deploy_access_levels: [{ access_level: 40 }, { group: "acme/release-managers" }],
        approval_rules: [{ user: "devon", required_approvals: 2 }],
      },
    },
  },
  "data source": {
    steward_ci_template: { id: "node", config: { key: "Node" } },
    steward_ci_templates: { id: "all", config: {} },
    steward_container_protection_rules: { id: "web-shop", config: { project: "acme/web-shop" } },
    steward_current_user: { id: "me", config: {} },
    steward_enterprise_users: { id: "without-two-factor", config: { group: "acme", two_factor: "disabled" } },
    steward_group: { id: "platform", config: { group: "acme/platform" } },
    steward_group_invitations: { id: "platform", config: { group: "acme/platform" } },
    steward_job_token_scope: { id: "web-shop", config: { project: "acme/web-shop" } },
    steward_pages: { id: "web-shop", config: { project: "acme/web-shop" } },
    steward_project: { id: "web-shop", config: { project: "acme/web-shop" } },
    steward_project_invitations: { id: "web-shop", config: { project: "acme/web-shop" } },
    steward_projects: {
      id: "services",
      config: { group: "acme", include_subgroups: true, topic: "service", archived: false },
    },
    steward_protected_environment: {
      id: "production",
      config: { project: "acme/web-shop", name: "production" },
    },
    steward_protected_environments: { id: "web-shop", config: { project: "acme/web-shop" } },
  },
};

/** The example of a type. Whoever adds a type adds one. */
export function exampleOf(subject: Subject, type: string): Example {
  const example = EXAMPLES[subject][type];
  if (example === undefined) {
    throw new Error(`The ${subject} ${type} has no example. Give it one in scripts/generate/examples.ts.`);
  }
  return example;
}
