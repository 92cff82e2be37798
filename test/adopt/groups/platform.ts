import type { FixtureInput } from "cdktf-provider-steward/testing";
import { PEOPLE } from "./people";

type Project = NonNullable<FixtureInput["projects"]>[number];
type Environment = NonNullable<Project["protected_environments"]>[number];

const shared_with: Project["shared_with"] = [
  { group: "platform/release-managers", role: "developer" },
  { group: "platform/security", role: "reporter" },
];

const review: Environment = { name: "review/*", deploy_access_levels: [{ access_level: 30 }] };
const staging: Environment = {
  name: "staging",
  deploy_access_levels: [{ access_level: 40 }, { user: "ci-deployer" }],
};
const production: Environment = {
  name: "production",
  deploy_access_levels: [{ group: "platform/release-managers" }, { user: "ci-deployer" }],
  approval_rules: [
    { group: "platform/release-managers", required_approvals: 2 },
    { group: "platform/security", required_approvals: 1, group_inheritance_type: 1 },
  ],
};

const project = (path: string, more: Partial<Project> = {}): Project => ({
  path: `platform/${path}`,
  members: [{ user: "ci-deployer", role: "maintainer" }],
  shared_with,
  environments: ["review/*", "staging", "production"],
  ...more,
});

const tools = { projects: ["platform/tooling/deploy-tools", "platform/tooling/test-runner"] };

const services = [
  "accounts",
  "audit-log",
  "billing",
  "catalog",
  "customers",
  "documents",
  "events",
  "fulfilment",
  "identity",
  "inventory",
  "ledger",
  "mailer",
];

const libraries = [
  "api-client",
  "design-system",
  "feature-flags",
  "http-toolkit",
  "logging",
  "test-fixtures",
];

/** A platform: services, libraries, infrastructure and tooling, in 30 projects of subgroups. */
export const platform: FixtureInput = {
  users: [...PEOPLE, { username: "ci-deployer", bot: true }, { username: "sam" }],
  groups: [
    {
      path: "platform",
      members: [
        { user: "maya", role: "owner" },
        { user: "robot", role: "maintainer" },
      ],
      invitations: [
        { email: "olu@consulting.example", role: "developer", expires_at: "2099-03-31" },
        { email: "ines@consulting.example", role: "developer", expires_at: "2099-03-31" },
        { email: "tomas@consulting.example", role: "reporter" },
      ],
    },
    { path: "platform/release-managers", members: [{ user: "maya", role: "owner" }] },
    { path: "platform/security", members: [{ user: "sam", role: "developer" }] },
    { path: "platform/services" },
    { path: "platform/libraries" },
    {
      path: "platform/infrastructure",
      invitations: [{ email: "olu@consulting.example", role: "maintainer", expires_at: "2099-03-31" }],
    },
    { path: "platform/tooling" },
  ],
  projects: [
    ...services.map((name) =>
      project(`services/${name}`, {
        job_token_scope: tools,
        protected_environments: [review, staging, production],
        container_rules: [
          {
            repository_path_pattern: `platform/services/${name}/release/*`,
            minimum_access_level_for_push: "maintainer",
            minimum_access_level_for_delete: "owner",
          },
        ],
      }),
    ),
    ...libraries.map((name) =>
      project(`libraries/${name}`, { job_token_scope: { groups: ["platform/services"] } }),
    ),
    project("infrastructure/cluster", {
      job_token_scope: { projects: ["platform/tooling/deploy-tools"] },
      protected_environments: [
        { ...production, name: "production/eu" },
        { ...production, name: "production/us" },
        staging,
      ],
    }),
    project("infrastructure/databases", {
      job_token_scope: { projects: ["platform/tooling/deploy-tools"] },
      protected_environments: [
        { ...production, name: "production/eu" },
        { ...production, name: "production/us" },
        staging,
      ],
    }),
    project("infrastructure/dns", {
      job_token_scope: { projects: ["platform/tooling/deploy-tools"] },
      protected_environments: [
        {
          name: "production",
          deploy_access_levels: [{ access_level: 40 }],
          approval_rules: [{ user: "sam", required_approvals: 1 }],
        },
      ],
    }),
    project("infrastructure/monitoring", { protected_environments: [staging, production] }),
    project("infrastructure/vault", {
      protected_environments: [
        {
          name: "production",
          deploy_access_levels: [{ access_level: 60 }],
          approval_rules: [{ group: "platform/security", required_approvals: 2, group_inheritance_type: 1 }],
        },
      ],
    }),
    project("tooling/deploy-tools", { job_token_scope: { inbound_enabled: false } }),
    project("tooling/test-runner", { job_token_scope: { inbound_enabled: false } }),
    project("tooling/ci-images", {
      job_token_scope: { groups: ["platform/services", "platform/libraries"] },
      container_rules: [
        {
          repository_path_pattern: "platform/tooling/ci-images/*",
          minimum_access_level_for_push: "maintainer",
          minimum_access_level_for_delete: "owner",
        },
        {
          repository_path_pattern: "platform/tooling/ci-images/base*",
          minimum_access_level_for_push: "owner",
          minimum_access_level_for_delete: "admin",
        },
      ],
    }),
    project("tooling/handbook", {
      pages: { unique_domain_enabled: true, domains: ["handbook.platform.example"] },
      invitations: [{ email: "olu@consulting.example", role: "reporter" }],
    }),
    project("tooling/sandbox"),
    project("gateway", {
      job_token_scope: tools,
      protected_environments: [
        review,
        staging,
        { ...production, deploy_access_levels: [{ access_level: 40 }] },
      ],
    }),
    project("playground"),
  ],
};
