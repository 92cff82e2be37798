import type { FixtureInput } from "../../../src/service";

export const ORIGIN = "http://127.0.0.1:4000";

/** The ids of projects in the fixture. Groups and users follow. */
export const PROJECTS = { web: 1, api: 2, docs: 3, tools: 4, runner: 5 } as const;
export const GROUPS = { acme: 10, platform: 12, approvers: 13 } as const;
export const USERS = { maya: 20, devon: 21, iris: 22, nils: 23 } as const;

export type ProjectName = keyof typeof PROJECTS;
export type GroupName = keyof typeof GROUPS;

/** The token that runners use by default. A rule checks that no output and no file contains it. */
export const TOKEN = "sim-secret-token-0123456789";
/** The token of nils, who is a maintainer of all projects and has no role in a group. */
export const MAINTAINER_TOKEN = "sim-secret-token-of-nils-0123";

export const pathOf = (name: ProjectName | GroupName): string => (name === "acme" ? "acme" : `acme/${name}`);

const owner = { user: "maya", role: "owner" } as const;
const people = {
  members: [{ user: "devon", role: "developer" } as const, { user: "nils", role: "maintainer" } as const],
  shared_with: [{ group: "acme/approvers", role: "developer" } as const],
};

/** Returns the domain that the Pages of a project can have. */
export const domainOf = (name: string): string => `${name}.example.com`;

/** The fixture. The fixture contains all projects, groups and people to which declarations refer. */
export const COMPANY: FixtureInput = {
  users: [
    // maya is an administrator, because only administrators may change settings of Pages.
    { username: "maya", id: USERS.maya, token: TOKEN, admin: true },
    { username: "devon", id: USERS.devon },
    { username: "iris", id: USERS.iris },
    { username: "nils", id: USERS.nils, token: MAINTAINER_TOKEN },
  ],
  groups: [
    { path: "acme", id: GROUPS.acme, members: [owner] },
    { path: "acme/platform", id: GROUPS.platform, members: [owner] },
    { path: "acme/approvers", id: GROUPS.approvers, members: [owner, { user: "iris", role: "developer" }] },
  ],
  projects: Object.entries(PROJECTS).map(([name, id]) => ({
    path: `acme/${name}`,
    id,
    ...people,
    pages: { domains: [domainOf(name)] },
    job_token_scope: { inbound_enabled: false },
  })),
};

/** The project that keeps the states, if a story has its states on the service. */
export const STATES_PROJECT = PROJECTS.runner;
