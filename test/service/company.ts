import type { FixtureInput } from "cdktf-provider-steward/testing";

const ROLES = ["guest", "planner", "reporter", "developer", "maintainer", "owner"] as const;

/** Returns the token of a user in the fixture. The token contains the username. */
export const tokenOf = (username: string): string => `token-of-${username}`;

type UserInput = NonNullable<FixtureInput["users"]>[number];

const user = (username: string, more: Partial<UserInput> = {}): UserInput => ({
  username,
  name: `${username[0]!.toUpperCase()}${username.slice(1)}`,
  token: tokenOf(username),
  ...more,
});

/**
 * Returns a fixture. The company has a private group with one member of each role, a subgroup, a group that projects
 * are shared with, and people outside. All ids are fixed, so that tests can use them: groups from 100, projects from 1,
 * users from 11.
 */
export const company = (): FixtureInput => ({
  users: [
    ...ROLES.map((role, index) => user(role, { id: 11 + index })),
    user("outsider", { id: 21 }),
    user("contractor", { id: 22, external: true }),
    user("release", { id: 23 }),
    user("blocked", { id: 24, state: "blocked" }),
  ],
  groups: [
    { path: "acme", id: 100, members: ROLES.map((role) => ({ user: role, role })) },
    { path: "acme/platform", id: 101 },
    { path: "release-managers", id: 102, members: [{ user: "release", role: "maintainer" }] },
    { path: "open-source", id: 103, visibility: "public" },
  ],
  projects: [
    {
      path: "acme/web",
      id: 1,
      shared_with: [{ group: "release-managers", role: "developer" }],
      environments: ["production"],
    },
    { path: "acme/tools", id: 2 },
    { path: "acme/platform/images", id: 3, former_paths: ["acme/platform/old-images"] },
    { path: "open-source/library", id: 4, visibility: "public", topics: ["library"] },
    { path: "open-source/handbook", id: 5, visibility: "internal" },
    { path: "outsider/notes", id: 6 },
  ],
});
