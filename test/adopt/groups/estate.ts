import type { FixtureInput } from "../../../src/service";

export const ESTATE_TOKENS = {
  owner: "token-of-the-owner",
  reader: "token-of-a-reading-maintainer",
} as const;

/** The number of objects per project whose values differ from the service's defaults. */
export const OBJECTS_A_PROJECT = 20;
const USERS = 10;
const TEAMS = 4;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const projectPath = (index: number): string => `estate/service-${index}`;

/**
 * Returns a group of projects that people configured by hand. Each project has the job token setting, an allowlist, Pages,
 * 6 environments, 6 container rules and 5 invitations. Every tenth project is archived.
 */
export const estate = (projects: number, instance: FixtureInput["instance"] = {}): FixtureInput => ({
  instance,
  users: [
    { username: "olga", token: ESTATE_TOKENS.owner },
    { username: "rita", tokens: [{ token: ESTATE_TOKENS.reader, scopes: ["read_api"] }] },
    ...numbers(USERS).map((index) => ({ username: `user-${index}` })),
  ],
  groups: [
    {
      path: "estate",
      members: [
        { user: "olga", role: "owner" },
        { user: "rita", role: "maintainer" },
        ...numbers(USERS).map((index) => ({ user: `user-${index}`, role: "developer" as const })),
      ],
    },
    ...numbers(TEAMS).map((index) => ({
      path: `team-${index}`,
      visibility: "internal" as const,
      members: [{ user: `user-${index}`, role: "developer" as const }],
    })),
  ],
  projects: [
    ...numbers(projects).map((index) => project(index, projects)),
    ...numbers(Math.floor(projects / 10)).map((index) => ({ path: `estate/old-${index}`, archived: true })),
  ],
});

function project(index: number, projects: number): NonNullable<FixtureInput["projects"]>[number] {
  const path = projectPath(index);
  const team = `team-${index % TEAMS}`;
  const targets = numbers(4).map((number) => projectPath((index + number + 1) % projects));
  return {
    path,
    shared_with: [{ group: team, role: "developer" }],
    job_token_scope: {
      inbound_enabled: false,
      projects: [...new Set(targets)].filter((target) => target !== path),
      groups: [team],
    },
    pages: { force_https: false },
    protected_environments: numbers(6).map((number) => ({
      name: `env-${number}`,
      deploy_access_levels: [
        { access_level: 40 },
        { user: `user-${(index + number) % USERS}` },
        { group: team },
      ],
    })),
    container_rules: numbers(6).map((number) => ({
      repository_path_pattern: `${path}/image-${number}*`,
      minimum_access_level_for_push: "owner" as const,
    })),
    invitations: numbers(5).map((number) => ({
      email: `person-${number}@example.com`,
      role: "developer" as const,
    })),
  };
}
