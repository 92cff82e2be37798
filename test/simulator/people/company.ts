import type { FixtureInput } from "../../../src/service";

/** The people of the stories. `COMPANY` has their roles before the first step. */
export const PEOPLE = ["ana", "ben", "olga", "dora", "stranger", "robot", "security", "mallory"] as const;
export type Person = (typeof PEOPLE)[number];

/** The access levels of people in the group `acme`. The stories change settings of this group's projects. */
export const LEVEL_OF: Readonly<Partial<Record<Person, number>>> = {
  ana: 40,
  ben: 40,
  olga: 50,
  dora: 30,
  robot: 40,
};

export const SHOP = 1;
export const TOOLS = 2;
/** The project with the configuration: its pipelines run the jobs, and it has the merge requests of the story. */
export const SETTINGS = 3;
export const ACME = 10;

export const idOf = (person: Person): number => 20 + PEOPLE.indexOf(person);
export const tokenOf = (person: Person): string => `token-of-${person}-0123456789`;

export const ADMINISTRATOR = "administrator-of-the-simulation";
/** The token that applies changes. Only apply jobs have this token. */
export const APPLY_TOKEN = "token-of-the-apply-job-0123";
/** The token that reads merge requests and writes comments. */
export const COMMENT_TOKEN = "token-of-the-comments-0123";
/** The read-only token of the jobs of a merge request. */
export const READ_TOKEN = "token-of-the-plan-job-0123";

const WORDS = { 30: "developer", 40: "maintainer", 50: "owner" } as const;
type Level = keyof typeof WORDS;

/**
 * The fixture. All people are members of the project `ops/settings`, but only some are members of the group `acme`,
 * whose settings the apps declare.
 */
export const COMPANY: FixtureInput = {
  users: [
    ...PEOPLE.map((username) => ({
      username,
      id: idOf(username),
      bot: username === "robot",
      token: tokenOf(username),
    })),
    { username: "applier", id: 40, admin: true, token: APPLY_TOKEN },
    { username: "commenter", id: 41, token: COMMENT_TOKEN },
    { username: "planner", id: 42, tokens: [{ token: READ_TOKEN, name: "plan", scopes: ["read_api"] }] },
  ],
  groups: [
    {
      path: "acme",
      id: ACME,
      members: [
        ...Object.entries(LEVEL_OF).map(([user, level]) => ({ user, role: WORDS[level as Level] })),
        { user: "applier", role: "owner" },
        { user: "commenter", role: "guest" },
        { user: "planner", role: "maintainer" },
      ],
    },
    { path: "ops", id: 11, members: [{ user: "applier", role: "owner" }] },
  ],
  projects: [
    { path: "acme/shop", id: SHOP, job_token_scope: { inbound_enabled: false } },
    { path: "acme/tools", id: TOOLS, job_token_scope: { inbound_enabled: false } },
    {
      path: "ops/settings",
      id: SETTINGS,
      members: [
        ...PEOPLE.map((user) => ({
          user,
          role: user === "mallory" || user === "ana" ? ("maintainer" as const) : ("developer" as const),
        })),
        { user: "commenter", role: "reporter" },
        { user: "planner", role: "reporter" },
      ],
    },
  ],
};
