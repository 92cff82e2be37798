import type { FixtureInput } from "cdktf-provider-steward/testing";

export const TOKEN = "token-of-the-owner-of-acme";

/**
 * A company in which every list has records without a declaration. No damaged response may cause a change of these records.
 */
export const FIXTURE: FixtureInput = {
  users: [
    { username: "oskar", id: 21, token: TOKEN, admin: true },
    { username: "devon", id: 22, enterprise_group: "acme" },
    { username: "erin", id: 23, enterprise_group: "acme" },
  ],
  groups: [
    { path: "acme", id: 11, members: [{ user: "oskar", role: "owner" }] },
    {
      path: "acme/platform",
      id: 12,
      invitations: [{ email: "kept@example.com", role: "reporter" }],
    },
    { path: "acme/approvers", id: 13 },
    { path: "acme/keepers", id: 14 },
  ],
  projects: [
    {
      path: "acme/web",
      id: 1,
      environments: ["production", "kept"],
      protected_environments: [{ name: "kept", deploy_access_levels: [{ access_level: 60 }] }],
      container_rules: [
        { repository_path_pattern: "acme/web/kept*", minimum_access_level_for_push: "admin" },
      ],
      invitations: [{ email: "kept@example.com", role: "reporter" }],
      members: [{ user: "devon", role: "developer" }],
      pages: { domains: ["web.example.com"], deployments: [{}] },
    },
    { path: "acme/tools", id: 2 },
    { path: "acme/runner", id: 3 },
    {
      path: "acme/docs",
      id: 4,
      job_token_scope: { projects: ["acme/kept"], groups: ["acme/keepers"] },
    },
    { path: "acme/kept", id: 5 },
  ],
};

/** The two ways in which the tests declare an object of a kind. */
export type Variant = "A" | "B";

interface Kind {
  readonly type: string;
  readonly declared: Readonly<Record<Variant, object>>;
  /** Matches the write requests of this object, as `METHOD /path`. */
  readonly writes: RegExp;
  /** The import id of an existing object; undefined if the service assigns the id. */
  readonly id?: string;
}

const invitation = { email: "ada@example.com", expires_at: "2099-12-31" };

/** One object of each resource. Each write request belongs to only one of these objects. */
export const KINDS = {
  scope: {
    type: "steward_job_token_scope",
    declared: {
      A: { project: "acme/web", inbound_enabled: false },
      B: { project: "1", inbound_enabled: true },
    },
    writes: /^PATCH \/projects\/1\/job_token_scope$/,
    id: "1",
  },
  allowlist: {
    type: "steward_job_token_allowlist",
    declared: {
      A: { project: "acme/web", target_projects: ["acme/tools", "3"], target_groups: ["acme/platform"] },
      B: { project: "acme/web", target_projects: ["acme/tools"], target_groups: [] },
    },
    writes: /^(?:POST|DELETE) \/projects\/1\/job_token_scope\/(?:groups_)?allowlist(?:\/\d+)?$/,
    id: "1",
  },
  allowedProject: {
    type: "steward_job_token_allowlist_project",
    declared: {
      A: { project: "acme/docs", target_project: "acme/tools" },
      B: { project: "acme/docs", target_project: "acme/runner" },
    },
    writes: /^(?:POST|DELETE) \/projects\/4\/job_token_scope\/allowlist(?:\/\d+)?$/,
  },
  allowedGroup: {
    type: "steward_job_token_allowlist_group",
    declared: {
      A: { project: "acme/docs", target_group: "acme/platform" },
      B: { project: "acme/docs", target_group: "acme/approvers" },
    },
    writes: /^(?:POST|DELETE) \/projects\/4\/job_token_scope\/groups_allowlist(?:\/\d+)?$/,
  },
  environment: {
    type: "steward_protected_environment",
    declared: {
      A: { project: "acme/web", name: "production", deploy_access_levels: [{ access_level: 40 }] },
      B: {
        project: "acme/web",
        name: "production",
        deploy_access_levels: [{ access_level: 30 }, { user: "devon" }],
        approval_rules: [{ access_level: 40, required_approvals: 2 }],
      },
    },
    writes: /^(?:POST|PUT|DELETE) \/projects\/1\/protected_environments(?:\/production)?$/,
    id: "1:production",
  },
  pages: {
    type: "steward_pages_settings",
    declared: {
      A: { project: "acme/web", unique_domain_enabled: true, force_https: false },
      B: { project: "acme/web", unique_domain_enabled: false, primary_domain: "web.example.com" },
    },
    writes: /^PATCH \/projects\/1\/pages$/,
    id: "1",
  },
  rule: {
    type: "steward_container_protection_rule",
    declared: {
      A: {
        project: "acme/web",
        repository_path_pattern: "acme/web/release*",
        minimum_access_level_for_push: "maintainer",
      },
      B: {
        project: "acme/web",
        repository_path_pattern: "acme/web/release*",
        minimum_access_level_for_push: "owner",
        minimum_access_level_for_delete: "admin",
      },
    },
    // The rule with the id 1 is not declared, so no write to this rule is allowed.
    writes: /^(?:POST|PATCH|DELETE) \/projects\/1\/registry\/protection\/repository\/rules(?:\/(?!1$)\d+)?$/,
  },
  invited: {
    type: "steward_project_invitation",
    declared: {
      A: { project: "acme/web", access_level: 30, ...invitation },
      B: { project: "acme/web", access_level: 20, ...invitation },
    },
    writes: /^(?:POST|PUT|DELETE) \/projects\/1\/invitations(?:\/ada%40example%2Ecom)?$/,
    id: "1:ada@example.com",
  },
  groupInvited: {
    type: "steward_group_invitation",
    declared: {
      A: { group: "acme/platform", access_level: 30, ...invitation },
      B: { group: "acme/platform", access_level: 20, ...invitation },
    },
    writes: /^(?:POST|PUT|DELETE) \/groups\/12\/invitations(?:\/ada%40example%2Ecom)?$/,
    id: "12:ada@example.com",
  },
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];
export const kindOf = (name: KindName): Kind => KINDS[name];

/** The data sources of a configuration. */
export const DATA = {
  steward_current_user: {},
  steward_project: { project: "acme/web" },
  steward_group: { group: "acme" },
  steward_projects: { group: "acme", include_subgroups: true },
  steward_job_token_scope: { project: "acme/docs" },
  steward_protected_environment: { project: "acme/web", name: "kept" },
  steward_protected_environments: { project: "acme/web" },
  steward_pages: { project: "acme/web" },
  steward_container_protection_rules: { project: "acme/web" },
  steward_project_invitations: { project: "acme/web" },
  steward_group_invitations: { group: "acme/platform" },
  steward_enterprise_users: { group: "acme" },
  steward_ci_templates: {},
  steward_ci_template: { key: "Node" },
} as const;
export type DataName = keyof typeof DATA;
export const DATA_NAMES = Object.keys(DATA) as readonly DataName[];

/** The declarations: one variant of each selected kind. */
export type Declared = { readonly [Name in KindName]?: Variant | undefined };

export const addressOf = (name: KindName): string => `${KINDS[name].type}.it`;
