import { type DataSample, NOTHING_DECLARED, ONE_LIST } from "./sample";

/** The samples of all data sources, by type without the provider's prefix. */
export const DATA_SOURCE_SAMPLES: Readonly<Record<string, DataSample>> = {
  ci_template: {
    example: { id: "node", config: { key: "Node" } },
    config: { key: "Node" },
    shared: NOTHING_DECLARED,
  },
  ci_templates: {
    example: { id: "all", config: {} },
    config: {},
    shared: NOTHING_DECLARED,
  },
  container_protection_rules: {
    example: { id: "web-shop", config: { project: "acme/web-shop" } },
    config: { project: "acme/web" },
    shared: { resource: "container_protection_rule", ...ONE_LIST },
  },
  current_user: {
    example: { id: "me", config: {} },
    config: {},
    shared: NOTHING_DECLARED,
  },
  enterprise_users: {
    example: { id: "without-two-factor", config: { group: "acme", two_factor: "disabled" } },
    config: { group: "acme" },
    shared: NOTHING_DECLARED,
  },
  group_invitations: {
    example: { id: "platform", config: { group: "acme/platform" } },
    config: { group: "acme/platform" },
    shared: { resource: "group_invitation", ...ONE_LIST },
  },
  group: {
    example: { id: "platform", config: { group: "acme/platform" } },
    config: { group: "acme" },
    shared: NOTHING_DECLARED,
    isUnspecified: true,
  },
  job_token_scope: {
    example: { id: "web-shop", config: { project: "acme/web-shop" } },
    config: { project: "acme/web" },
    // The first read requests both lists and the setting. Each later data source requests only the setting again.
    shared: { resource: "job_token_allowlist", first: 3, again: 1 },
  },
  pages: {
    example: { id: "web-shop", config: { project: "acme/web-shop" } },
    config: { project: "acme/web" },
    // Settings are not in a collection, so the run does not cache them, and each data source sends its own
    // requests.
    shared: { resource: "pages_settings", first: 2, again: 2 },
  },
  project_invitations: {
    example: { id: "web-shop", config: { project: "acme/web-shop" } },
    config: { project: "acme/web" },
    shared: { resource: "project_invitation", ...ONE_LIST },
  },
  project: {
    example: { id: "web-shop", config: { project: "acme/web-shop" } },
    config: { project: "acme/web" },
    shared: NOTHING_DECLARED,
    isUnspecified: true,
  },
  projects: {
    example: {
      id: "services",
      config: { group: "acme", include_subgroups: true, topic: "service", archived: false },
    },
    config: {},
    shared: NOTHING_DECLARED,
    isUnspecified: true,
  },
  protected_environment: {
    example: { id: "production", config: { project: "acme/web-shop", name: "production" } },
    config: { project: "acme/web", name: "production" },
    shared: { resource: "protected_environment", ...ONE_LIST },
  },
  protected_environments: {
    example: { id: "web-shop", config: { project: "acme/web-shop" } },
    config: { project: "acme/web" },
    shared: { resource: "protected_environment", ...ONE_LIST },
  },
};
