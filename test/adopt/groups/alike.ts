import type { FixtureInput } from "cdktf-provider-steward/testing";
import { PEOPLE } from "./people";

type Project = NonNullable<FixtureInput["projects"]>[number];
type Environment = NonNullable<Project["protected_environments"]>[number];

const TEAMS = ["payments", "search", "mobile", "data"];
const NAMES = ["api", "worker", "web", "jobs", "gateway", "events", "reports", "admin", "sync", "cache"];

/** Returns a project with the settings that most projects share. */
const common = (path: string): Project => ({
  path,
  job_token_scope: { projects: ["alike/tools/deploy"] },
  protected_environments: [
    {
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
      approval_rules: [{ group: "alike/leads", required_approvals: 1 }],
    },
    { name: "staging", deploy_access_levels: [{ access_level: 30 }] },
  ],
  container_rules: [
    { repository_path_pattern: `${path}/release*`, minimum_access_level_for_push: "maintainer" },
  ],
  environments: ["production", "staging"],
  shared_with: [{ group: "alike/leads", role: "developer" }],
});

type Change = (project: Project, at: number) => Project;

const environments = (
  project: Project,
  change: Partial<Environment>,
  staging: readonly Environment[],
): Project => ({
  ...project,
  protected_environments: [{ ...project.protected_environments![0]!, ...change }, ...staging],
});
const stagingOf = ({ protected_environments: [, ...staging] = [] }: Project) => staging;

/** The ways in which a project can differ from most projects. */
const CHANGES: readonly Change[] = [
  (project, at) => ({
    ...project,
    job_token_scope: {
      ...project.job_token_scope,
      projects: ["alike/tools/deploy", `alike/tools/tool-${at % 3}`],
    },
  }),
  (project, at) => {
    const approval_rules = [{ group: "alike/leads", required_approvals: 2 + (at % 2) }];
    return environments(project, { approval_rules }, stagingOf(project));
  },
  (project) => ({ ...project, job_token_scope: { ...project.job_token_scope, inbound_enabled: false } }),
  (project) => environments(project, {}, []),
  (project) => {
    const deploy_access_levels = [{ access_level: 40 }, { group: "alike/leads" }];
    return environments(project, { deploy_access_levels }, stagingOf(project));
  },
  (project) => ({ ...project, container_rules: [] }),
  (project) => ({ ...project, pages: { force_https: false } }),
];

/** Changes a project in one or two values. Every fourth project stays unchanged. */
const differing: Change = (project, at) => {
  if (at % 4 === 0) return project;
  const [one, other] = [CHANGES[at % 7]!, CHANGES[Math.floor(at / 7)]];
  const once = one(project, at);
  return other === undefined || other === one ? once : other(once, at);
};

const tools = ["deploy", "tool-0", "tool-1", "tool-2"].map((name) => ({ path: `alike/tools/${name}` }));
const paths = TEAMS.flatMap((team) => NAMES.map((name) => `alike/${team}/${name}`));

const group = (projects: readonly Project[]): FixtureInput => ({
  users: [...PEOPLE],
  groups: [
    {
      path: "alike",
      members: [
        { user: "maya", role: "owner" },
        { user: "robot", role: "maintainer" },
      ],
      invitations: [{ email: "ada@agency.example", role: "developer" }],
    },
    { path: "alike/leads", members: [{ user: "maya", role: "owner" }] },
    { path: "alike/tools", invitations: [{ email: "grace@agency.example", role: "reporter" }] },
    ...TEAMS.map((team) => ({ path: `alike/${team}` })),
  ],
  projects: [...tools, ...projects],
});

/** Forty hand-made projects. Thirty projects differ from the ten others in one or two values. */
export const alike: FixtureInput = group(paths.map((path, at) => differing(common(path), at)));

/**
 * Returns projects with seven values each. `changes` lists, for each project, the indexes of the `CHANGES` to make in this
 * project.
 */
export const alikeWith = (changes: readonly (readonly number[])[]): FixtureInput =>
  group(
    changes.map((all, at) =>
      [...new Set(all)].reduce((project, one) => CHANGES[one]!(project, at), common(paths[at]!)),
    ),
  );
