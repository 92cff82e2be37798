import type { FixtureInput } from "cdktf-provider-steward/testing";

export const TOKEN = { root: "administrator-token", maya: "maya-maintainer-token" } as const;

/**
 * Returns a fixture: a group with a person of each role, its parent group, and a group that projects are shared with.
 * Maintainers of the first group cannot see the last group.
 */
export const company = (): FixtureInput => ({
  users: [
    { username: "root", id: 1, admin: true, token: TOKEN.root },
    { username: "oskar", id: 2 },
    { username: "maya", id: 3, token: TOKEN.maya },
    { username: "devon", id: 4 },
    { username: "dora", id: 5 },
    { username: "rita", id: 6 },
    { username: "gus", id: 7, state: "blocked" },
    { username: "nina", id: 8 },
    { username: "hugo", id: 9 },
    { username: "lena", id: 10 },
  ],
  groups: [
    {
      path: "acme",
      id: 100,
      members: [
        { user: "oskar", role: "owner" },
        { user: "maya", role: "maintainer" },
        { user: "devon", role: "developer" },
        { user: "dora", role: "developer" },
        { user: "gus", role: "developer" },
        { user: "rita", role: "reporter" },
      ],
      member_roles: [{ id: 7, name: "Releaser", base_role: "developer" }],
    },
    { path: "secret", id: 110, members: [{ user: "hugo", role: "owner" }] },
    { path: "secret/release", id: 111, members: [{ user: "lena", role: "reporter" }] },
  ],
  projects: [
    {
      path: "acme/shop",
      id: 1,
      shared_with: [{ group: "secret/release", role: "guest" }],
      job_token_scope: { projects: ["acme/tools"] },
      container_rules: [
        { id: 21, repository_path_pattern: "acme/shop/web*", minimum_access_level_for_push: "maintainer" },
        { id: 22, repository_path_pattern: "acme/shop/db", minimum_access_level_for_delete: "owner" },
      ],
      protected_environments: [
        {
          name: "production",
          deploy_access_levels: [{ access_level: 40 }, { group: "secret/release" }],
          approval_rules: [{ access_level: 40, required_approvals: 2 }],
        },
      ],
    },
    { path: "acme/tools", id: 2 },
    { path: "acme/docs", id: 3, job_token_scope: { inbound_enabled: false } },
  ],
});
