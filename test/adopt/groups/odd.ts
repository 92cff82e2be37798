import type { FixtureInput } from "cdktf-provider-steward/testing";
import { PEOPLE } from "./people";

const maintainers = [{ access_level: 40 }];

/** Hostile names: code in TypeScript, Terraform or cdktf, invisible text, and text that looks like something else. */
export const HOSTILE_NAMES = [
  "`${process.exit(1)}`",
  '${file("/etc/passwd")}',
  "$${already} %{ if true }",
  "$$${three} $%{mixed}",
  "${TfToken[TOKEN.0]}",
  "#{TfToken[TOKEN.1]} &{TfToken[TOKEN.2]}",
  'say "hello", it\'s \\here\\',
  "two\nlines\r\n\tand */ a comment //",
  "right\u202eto left\u200b\ufeff",
  "review/feature a",
  "review--feature a",
  "__proto__",
  "constructor",
  "toString",
  "0",
  "日本語 ☕ café",
  "-",
  "Default",
];

/** A group with rare cases: archived projects, old invitations, hostile names, Pages, and a disabled token limit. */
export const odd: FixtureInput = {
  users: [...PEOPLE, { username: "grace", email: "grace@example.com" }],
  groups: [
    {
      path: "odd",
      members: [
        { user: "maya", role: "owner" },
        { user: "robot", role: "maintainer" },
        { user: "grace", role: "developer" },
      ],
      invitations: [
        { email: "expired@example.com", role: "developer", expires_at: "2020-01-31" },
        { email: "o'neill+shop@example.com", role: "guest" },
      ],
      member_roles: [{ name: 'Release "manager"', base_role: "developer" }],
    },
    { path: "odd/1st" },
  ],
  projects: [
    {
      path: "odd/hostile",
      protected_environments: HOSTILE_NAMES.map((name) => ({ name, deploy_access_levels: maintainers })),
      container_rules: [
        { repository_path_pattern: "odd/hostile/${x}*", minimum_access_level_for_push: "admin" },
        { repository_path_pattern: "odd/hostile/`%{y}`", minimum_access_level_for_delete: "owner" },
        { repository_path_pattern: "*", minimum_access_level_for_delete: "owner" },
      ],
    },
    {
      path: "odd/open",
      job_token_scope: { inbound_enabled: false, projects: ["odd/hostile"], groups: ["odd/1st"] },
    },
    {
      path: "odd/pages",
      pages: {
        unique_domain_enabled: true,
        force_https: false,
        domains: ["odd.example"],
        primary_domain: "odd.example",
        deployments: [{}],
      },
    },
    { path: "odd/1st/2nd", job_token_scope: { inbound_enabled: false } },
    { path: "odd/1st/3rd", job_token_scope: { inbound_enabled: false } },
    { path: "odd/a-b", job_token_scope: { inbound_enabled: false } },
    { path: "odd/a.b", job_token_scope: { inbound_enabled: false } },
    {
      path: "odd/old",
      archived: true,
      protected_environments: [{ name: "production", deploy_access_levels: maintainers }],
    },
    { path: "odd/untouched" },
  ],
};
