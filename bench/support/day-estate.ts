import type { FixtureInput } from "../../src/service";

type Project = NonNullable<FixtureInput["projects"]>[number];

/** The token of the group's owner. The token has the scope `api`. */
export const OWNER = "token-of-the-owner";
const PROJECTS = 300;
const TEAMS = ["shop", "billing", "search", "mobile", "data", "platform", "legal", "media", "ops", "labs"];

const pathOf = (at: number): string => `acme/${TEAMS[at % TEAMS.length]}-${Math.floor(at / TEAMS.length)}`;

/** The project whose setting is changed by hand. */
export const SHOP = pathOf(0);

const PRODUCTION: NonNullable<Project["protected_environments"]>[number] = {
  name: "production",
  deploy_access_levels: [{ access_level: 40 }],
  approval_rules: [{ access_level: 40, required_approvals: 2 }],
};

/** Returns a project with the settings that most projects have. */
const usual = (path: string): Project => ({
  path,
  job_token_scope: { inbound_enabled: true, projects: ["acme/deploy-tools"] },
  protected_environments: [PRODUCTION],
  container_rules: [
    { repository_path_pattern: `${path}/release*`, minimum_access_level_for_push: "maintainer" },
  ],
});

/** Changes of a project that make it differ from the others, as after years of manual work. */
const ODDITIES: readonly ((project: Project, at: number) => Project)[] = [
  (one) => ({ ...one, job_token_scope: { inbound_enabled: false } }),
  (one) => ({ ...one, job_token_scope: { inbound_enabled: true, projects: [] } }),
  (one) => ({ ...one, job_token_scope: { inbound_enabled: true, groups: ["acme/ops"] } }),
  (one) => ({ ...one, protected_environments: [{ ...PRODUCTION, approval_rules: [] }] }),
  (one) => ({
    ...one,
    protected_environments: [{ ...PRODUCTION, deploy_access_levels: [{ user: "tomas" }] }],
  }),
  (one) => ({ ...one, protected_environments: [PRODUCTION, { ...PRODUCTION, name: "pre production (eu)" }] }),
  (one) => ({ ...one, protected_environments: [] }),
  (one) => ({ ...one, container_rules: [] }),
  (one, at) => ({ ...one, archived: true, path: `${one.path}-old-${at}` }),
  (one) => ({ ...one, invitations: [{ email: "dev@agency.example", role: "developer" }] }),
  (one) => ({
    ...one,
    invitations: [{ email: "Lead@Agency.example", role: "maintainer", expires_at: "2999-01-01" }],
  }),
  (one) => ({ ...one, members: [{ user: "tomas", role: "maintainer" }] }),
  (one) => ({ ...one, pages: { force_https: false } }),
  (one) => ({ ...one, protected_environments: [{ ...PRODUCTION, name: "café" }] }),
  (one) => ({ ...one, shared_with: [{ group: "acme/ops", role: "developer" }] }),
];

/** Returns 300 projects of ten teams. Every tenth project has one of the 15 oddities, so each oddity occurs twice. */
export function dayEstate(): FixtureInput {
  const projects = Array.from({ length: PROJECTS }, (_, at): Project => {
    const one = usual(pathOf(at));
    return at % 10 === 3 ? ODDITIES[Math.floor(at / 10) % ODDITIES.length]!(one, at) : one;
  });
  return {
    users: [{ username: "olga", token: OWNER }, { username: "mona" }, { username: "tomas" }],
    groups: [
      {
        path: "acme",
        members: [
          { user: "olga", role: "owner" },
          { user: "mona", role: "maintainer" },
          { user: "tomas", role: "developer" },
        ],
      },
      { path: "acme/ops", members: [{ user: "mona", role: "developer" }] },
    ],
    projects: [...projects, { path: "acme/deploy-tools" }],
  };
}
