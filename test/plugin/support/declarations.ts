/** Declarations in HCL, on the quickstart's company, for the tests with a real engine. */
export const RESOURCES: Readonly<Record<string, Declaration>> = {
  steward_job_token_scope: {
    hcl: 'project = "acme/web-shop"\n  inbound_enabled = true',
    changed: 'project = "acme/web-shop"\n  inbound_enabled = false',
    importId: "acme/web-shop",
  },
  steward_job_token_allowlist: {
    hcl: 'project = "acme/web-shop"\n  target_projects = ["acme/docs", "acme/deploy-tools"]\n  target_groups = ["acme/platform"]',
    changed: 'project = "acme/web-shop"\n  target_projects = ["acme/docs"]\n  target_groups = []',
    importId: "acme/web-shop",
  },
  steward_job_token_allowlist_project: {
    hcl: 'project = "acme/docs"\n  target_project = "acme/deploy-tools"',
    importId: "acme/docs:2",
  },
  steward_job_token_allowlist_group: {
    hcl: 'project = "acme/docs"\n  target_group = "acme/release-managers"',
    importId: "acme/docs:3",
  },
  steward_pages_settings: { hcl: 'project = "acme/web-shop"', importId: "acme/web-shop" },
  steward_container_protection_rule: {
    hcl: 'project = "acme/web-shop"\n  repository_path_pattern = "acme/web-shop/release*"\n  minimum_access_level_for_push = "owner"',
    changed:
      'project = "acme/web-shop"\n  repository_path_pattern = "acme/web-shop/r*"\n  minimum_access_level_for_delete = "admin"',
    importId: "acme/web-shop:1",
  },
  steward_protected_environment: {
    hcl: `project = "acme/web-shop"
  name = "production"
  deploy_access_levels = [{ access_level = 40 }, { user = "devon" }]
  approval_rules = [{ group = "acme/release-managers", required_approvals = 2 }]`,
    changed: `project = "acme/web-shop"
  name = "production"
  deploy_access_levels = [{ user = "devon" }, { access_level = 60 }]
  approval_rules = []`,
    importId: "acme/web-shop:production",
  },
  steward_project_invitation: {
    hcl: 'project = "acme/docs"\n  email = "new@acme.example"\n  access_level = 30',
    changed: 'project = "acme/docs"\n  email = "new@acme.example"\n  access_level = 20',
    importId: "acme/docs:new@acme.example",
  },
  steward_group_invitation: {
    hcl: 'group = "acme/platform"\n  email = "new@acme.example"\n  access_level = 30',
    changed:
      'group = "acme/platform"\n  email = "new@acme.example"\n  access_level = 30\n  expires_at = "2099-12-31"',
    importId: "acme/platform:new@acme.example",
  },
};

export interface Declaration {
  /** The attributes in the order of the schema. */
  readonly hcl: string;
  /** Others that change the object in place; absent where every change makes a new one. */
  readonly changed?: string;
  readonly importId: string;
}

/** Arguments of every data source, and an attribute to look at with its value. */
export const DATA_SOURCES: Readonly<Record<string, { hcl: string; attribute: string; value: unknown }>> = {
  steward_current_user: { hcl: "", attribute: "username", value: "oskar" },
  steward_project: { hcl: 'project = "acme/web-shop"', attribute: "full_path", value: "acme/web-shop" },
  steward_group: { hcl: 'group = "acme/platform"', attribute: "full_path", value: "acme/platform" },
  steward_projects: {
    hcl: 'topic = "tooling"\n  search = "runner"',
    attribute: "projects[0].full_path",
    value: "acme/test-runner",
  },
  steward_job_token_scope: {
    hcl: 'project = "acme/legacy-import"',
    attribute: "outbound_enabled",
    value: false,
  },
  steward_protected_environment: {
    hcl: 'project = "acme/platform/cluster-config"\n  name = "production"',
    attribute: "deploy_access_levels[0].access_level",
    value: 40,
  },
  steward_protected_environments: {
    hcl: 'project = "acme/platform/cluster-config"',
    attribute: "environments[0].name",
    value: "production",
  },
  steward_pages: { hcl: 'project = "acme/docs"', attribute: "deployments", value: [] },
  steward_container_protection_rules: { hcl: 'project = "acme/docs"', attribute: "rules", value: [] },
  steward_ci_templates: { hcl: "", attribute: "templates[0].key", value: "Container-Image" },
  steward_ci_template: { hcl: 'key = "Go"', attribute: "key", value: "Go" },
  steward_project_invitations: { hcl: 'project = "acme/legacy-import"', attribute: "invitations", value: [] },
  steward_group_invitations: { hcl: 'group = "acme/release-managers"', attribute: "invitations", value: [] },
  steward_enterprise_users: {
    hcl: 'group = "acme"\n  username = "maya"',
    attribute: "users[0].username",
    value: "maya",
  },
};

const block = (kind: string, type: string, hcl: string): string =>
  `${kind} "${type}" "this" {\n  ${hcl}\n}\n`;

/** One object of every resource, as `this`. */
export const allResources = (pick: (declaration: Declaration) => string = ({ hcl }) => hcl): string =>
  Object.entries(RESOURCES)
    .map(([type, declaration]) => block("resource", type, pick(declaration)))
    .join("\n");

export const allDataSources = (): string =>
  Object.entries(DATA_SOURCES)
    .map(([type, { hcl }]) => block("data", type, hcl))
    .join("\n");

export const importBlocks = (): string =>
  Object.entries(RESOURCES)
    .map(([type, { importId }]) => `import {\n  to = ${type}.this\n  id = "${importId}"\n}\n`)
    .join("\n");
