import type { FixtureInput, Service } from "cdktf-provider-steward/testing";
import { client } from "../client";
import { tokenOf } from "../company";

/** The callers: the columns of `docs/authorization.md`, each with the token that it sends. */
export const CALLERS = {
  "no token": null,
  expired: "token-that-expired",
  blocked: tokenOf("blocked"),
  other: tokenOf("other"),
  external: tokenOf("external"),
  Guest: tokenOf("guest"),
  Reporter: tokenOf("reporter"),
  Developer: tokenOf("developer"),
  Maintainer: tokenOf("maintainer"),
  Owner: tokenOf("owner"),
  "Owner, read_api": "token-that-reads",
  administrator: tokenOf("root"),
} as const;
export const COLUMNS = Object.keys(CALLERS) as (keyof typeof CALLERS)[];

const ROLES = ["guest", "reporter", "developer", "maintainer", "owner"] as const;

/**
 * The ids of the objects that one caller uses. Each caller has its own copy of these objects, so that no request
 * affects another cell of the table.
 */
export interface Place {
  readonly index: number;
  /** A private group with one member of each role. */
  readonly group: number;
  readonly openGroup: number;
  /** A private project of the group. */
  readonly project: number;
  /** A second private project of the group. This project is on the allowlist of the first project. */
  readonly sibling: number;
  /** A project that members of the group cannot see. This project is also on the allowlist of the first project. */
  readonly hidden: number;
  readonly hiddenGroup: number;
  readonly open: number;
  readonly internal: number;
  readonly archived: number;
  /** Sends a request to the API, by default as the administrator. */
  send: ReturnType<typeof client>;
  /** Sends a request to a path outside of the API. */
  steer: ReturnType<typeof client>;
}

const placeOf = (index: number, service: Service): Place => ({
  index,
  group: 1_000 + index * 10,
  hiddenGroup: 1_001 + index * 10,
  openGroup: 1_002 + index * 10,
  project: 5_000 + index * 10,
  sibling: 5_001 + index * 10,
  hidden: 5_002 + index * 10,
  open: 5_003 + index * 10,
  internal: 5_004 + index * 10,
  archived: 5_005 + index * 10,
  send: client(service),
  steer: client(service, ""),
});

export const places = (service: Service): readonly Place[] =>
  COLUMNS.map((_, index) => placeOf(index, service));

export const USER = { newcomer: 50, developer: 51, owner: 52 } as const;

/** Returns the fixture with all callers, and a copy of the objects for each of them. */
export function authorizationFixture(): FixtureInput {
  const copies = COLUMNS.map((_, index) => placeOf(index, { url: "", adminToken: "" } as Service));
  return {
    users: [
      { username: "root", token: tokenOf("root") },
      { username: "blocked", state: "blocked", token: tokenOf("blocked") },
      { username: "other", token: tokenOf("other") },
      { username: "external", external: true, token: tokenOf("external") },
      ...ROLES.map((username) => ({ username, token: tokenOf(username) })),
      {
        username: "keys",
        tokens: [{ token: "token-that-expired", expires_at: "2020-01-01" }],
      },
      { username: "newcomer", id: USER.newcomer },
      { username: "present-developer", id: USER.developer },
      {
        username: "present-owner",
        id: USER.owner,
        tokens: [{ token: "token-that-reads", scopes: ["read_api"] }],
      },
    ],
    groups: copies.flatMap(({ index, group, hiddenGroup, openGroup }) => [
      {
        path: `g${index}`,
        id: group,
        members: [
          ...ROLES.map((role) => ({ user: role, role })),
          { user: "present-developer", role: "developer" as const },
          { user: "present-owner", role: "owner" as const },
        ],
        invitations: [
          { email: "developer@example.org", role: "developer" as const },
          { email: "owner@example.org", role: "owner" as const },
        ],
      },
      { path: `hidden${index}`, id: hiddenGroup },
      { path: `open${index}`, id: openGroup, visibility: "public" as const },
    ]),
    projects: copies.flatMap(({ index, project, sibling, hidden, open, internal, archived }) => [
      {
        path: `g${index}/web`,
        id: project,
        members: [
          { user: "present-developer", role: "developer" as const },
          { user: "present-owner", role: "owner" as const },
        ],
        invitations: [
          { email: "developer@example.org", role: "developer" as const },
          { email: "owner@example.org", role: "owner" as const },
        ],
        shared_with: [{ group: `open${index}`, role: "guest" as const }],
        job_token_scope: {
          projects: [`g${index}/tools`, `hidden${index}/secret`],
          groups: [`g${index}`, `hidden${index}`],
        },
        protected_environments: [{ name: "production", deploy_access_levels: [{ access_level: 40 }] }],
        container_rules: [
          { repository_path_pattern: "web/*", minimum_access_level_for_push: "owner" as const },
        ],
        environments: ["production"],
      },
      { path: `g${index}/tools`, id: sibling },
      { path: `hidden${index}/secret`, id: hidden },
      { path: `open${index}/library`, id: open, visibility: "public" as const },
      { path: `open${index}/handbook`, id: internal, visibility: "internal" as const },
      { path: `g${index}/attic`, id: archived, archived: true },
    ]),
  };
}
