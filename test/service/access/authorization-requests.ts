import { type Place, USER } from "./authorization-world";

/** What is sent for a row, apart from the token. */
export interface Sent {
  readonly path: string;
  readonly json?: unknown;
}
type Make = (place: Place) => Sent | Promise<Sent>;

const get =
  (path: (place: Place) => string): Make =>
  (place) => ({ path: path(place) });
const body =
  (path: (place: Place) => string, json: unknown): Make =>
  (place) => ({ path: path(place), json: typeof json === "function" ? json(place) : json });

const project = (suffix: string) => (place: Place) => `/projects/${place.project}${suffix}`;
const group = (suffix: string) => (place: Place) => `/groups/${place.group}${suffix}`;

const rules = "/registry/protection/repository/rules";
async function ruleOf({ send, project: id }: Place): Promise<string> {
  const [rule] = (await send("GET", `/projects/${id}${rules}`)).body as [{ id: number }];
  return `/projects/${id}${rules}/${rule.id}`;
}
async function invitationOf({ send, project: id }: Place, email: string): Promise<number> {
  const query = `?query=${encodeURIComponent(email)}`;
  const [invitation] = (await send("GET", `/projects/${id}/invitations${query}`)).body as [{ id: number }];
  return invitation.id;
}

const MERGE_REQUESTS = "/merge_requests";
const MERGE_REQUEST = "/projects/:id/merge_requests/:merge_request_iid";
const HEAD = { title: "A limit", source_branch: "limit", sha: "aaaaaaa" };

/** The path of a new merge request. */
async function mergeRequestOf(place: Place): Promise<string> {
  const path = project(MERGE_REQUESTS)(place);
  const { iid } = (await place.steer("POST", `/_steward${path}`, { json: HEAD })).body as { iid: number };
  return `${path}/${iid}`;
}

const ofMergeRequest =
  (suffix: string, json?: unknown): Make =>
  async (place) => ({ path: `${await mergeRequestOf(place)}${suffix}`, ...(json !== undefined && { json }) });

const STATE = "/terraform/state/production";
const member = (user_id: number, access_level: number) => ({ user_id, access_level });

/** The parts that stand below projects and below groups alike. */
const both = (prefix: string, at: (suffix: string) => (place: Place) => string): Record<string, Make> => ({
  [`GET ${prefix}/members`]: get(at("/members")),
  [`GET ${prefix}/members/all`]: get(at("/members/all")),
  [`GET ${prefix}/members/:user_id`]: get(at(`/members/${USER.owner}`)),
  [`GET ${prefix}/members/all/:user_id`]: get(at(`/members/all/${USER.owner}`)),
  [`POST ${prefix}/members (a Developer)`]: body(at("/members"), member(USER.newcomer, 30)),
  [`POST ${prefix}/members (an Owner)`]: body(at("/members"), member(USER.newcomer, 50)),
  [`DELETE ${prefix}/members/:user_id (an Owner)`]: get(at(`/members/${USER.owner}`)),
  [`GET ${prefix}/invitations`]: get(at("/invitations")),
  [`POST ${prefix}/invitations (a Developer)`]: body(at("/invitations"), {
    email: "new@example.org",
    access_level: 30,
  }),
  [`POST ${prefix}/invitations (an Owner)`]: body(at("/invitations"), {
    email: "new@example.org",
    access_level: 50,
  }),
  [`PUT ${prefix}/invitations/:email (a Developer's)`]: body(at("/invitations/developer%40example.org"), {
    access_level: 20,
  }),
  [`PUT ${prefix}/invitations/:email (a Developer's, to Owner)`]: body(
    at("/invitations/developer%40example.org"),
    { access_level: 50 },
  ),
  [`PUT ${prefix}/invitations/:email (an Owner's)`]: body(at("/invitations/owner%40example.org"), {
    access_level: 40,
  }),
  [`DELETE ${prefix}/invitations/:email (a Developer's)`]: get(at("/invitations/developer%40example.org")),
  [`DELETE ${prefix}/invitations/:email (an Owner's)`]: get(at("/invitations/owner%40example.org")),
});

/** What each row of `docs/authorization.md` sends, by its first cell. */
export const REQUESTS: Readonly<Record<string, Make>> = {
  "GET /projects/:id/job_token_scope": get(project("/job_token_scope")),
  "PATCH /projects/:id/job_token_scope": body(project("/job_token_scope"), { enabled: false }),
  "PATCH /projects/:id/job_token_scope (an archived project)": body(
    ({ archived }) => `/projects/${archived}/job_token_scope`,
    { enabled: false },
  ),
  "GET /projects/:id/job_token_scope (a public project)": get(
    ({ open }) => `/projects/${open}/job_token_scope`,
  ),
  "GET /projects/:id/job_token_scope/allowlist": get(project("/job_token_scope/allowlist")),
  "POST /projects/:id/job_token_scope/allowlist": body(
    project("/job_token_scope/allowlist"),
    ({ open }: Place) => ({ target_project_id: open }),
  ),
  "POST /projects/:id/job_token_scope/allowlist (a hidden project)": body(
    ({ sibling }) => `/projects/${sibling}/job_token_scope/allowlist`,
    ({ hidden }: Place) => ({ target_project_id: hidden }),
  ),
  "DELETE /projects/:id/job_token_scope/allowlist/:target_project_id": get(
    (place) => `/projects/${place.project}/job_token_scope/allowlist/${place.sibling}`,
  ),
  "DELETE /projects/:id/job_token_scope/allowlist/:target_project_id (a hidden project)": get(
    (place) => `/projects/${place.project}/job_token_scope/allowlist/${place.hidden}`,
  ),
  "GET /projects/:id/job_token_scope/groups_allowlist": get(project("/job_token_scope/groups_allowlist")),
  "POST /projects/:id/job_token_scope/groups_allowlist": body(
    project("/job_token_scope/groups_allowlist"),
    ({ openGroup }: Place) => ({ target_group_id: openGroup }),
  ),
  "POST /projects/:id/job_token_scope/groups_allowlist (a hidden group)": body(
    ({ sibling }) => `/projects/${sibling}/job_token_scope/groups_allowlist`,
    ({ hiddenGroup }: Place) => ({ target_group_id: hiddenGroup }),
  ),
  "DELETE /projects/:id/job_token_scope/groups_allowlist/:target_group_id": get(
    (place) => `/projects/${place.project}/job_token_scope/groups_allowlist/${place.group}`,
  ),
  "DELETE /projects/:id/job_token_scope/groups_allowlist/:target_group_id (a hidden group)": get(
    (place) => `/projects/${place.project}/job_token_scope/groups_allowlist/${place.hiddenGroup}`,
  ),

  "GET /projects/:id/protected_environments": get(project("/protected_environments")),
  "GET /projects/:id/protected_environments/:name": get(project("/protected_environments/production")),
  "POST /projects/:id/protected_environments": body(project("/protected_environments"), {
    name: "staging",
    deploy_access_levels: [{ access_level: 40 }],
  }),
  "PUT /projects/:id/protected_environments/:name": body(project("/protected_environments/production"), {
    deploy_access_levels: [{ access_level: 30 }],
  }),
  "DELETE /projects/:id/protected_environments/:name": get(project("/protected_environments/production")),

  "GET /projects/:id/pages": get(project("/pages")),
  "PATCH /projects/:id/pages": body(project("/pages"), { pages_https_only: true }),
  "DELETE /projects/:id/pages": get(project("/pages")),
  "GET /projects/:id/pages/domains": get(project("/pages/domains")),
  "POST /projects/:id/pages/domains": body(project("/pages/domains"), ({ index }: Place) => ({
    domain: `docs${index}.example.org`,
  })),

  "GET /templates/platform_ci_ymls": get(() => "/templates/platform_ci_ymls"),
  "GET /templates/platform_ci_ymls/:key": get(() => "/templates/platform_ci_ymls/Go"),
  "GET /templates/gitlab_ci_ymls": get(() => "/templates/gitlab_ci_ymls"),
  "GET /templates/gitlab_ci_ymls/:key": get(() => "/templates/gitlab_ci_ymls/Go"),

  [`GET /projects/:id${rules}`]: get(project(rules)),
  [`POST /projects/:id${rules}`]: body(project(rules), {
    repository_path_pattern: "tools/*",
    minimum_access_level_for_push: "owner",
  }),
  [`PATCH /projects/:id${rules}/:protection_rule_id`]: async (place) => ({
    path: await ruleOf(place),
    json: { minimum_access_level_for_push: "admin" },
  }),
  [`DELETE /projects/:id${rules}/:protection_rule_id`]: async (place) => ({ path: await ruleOf(place) }),

  ...both("/projects/:id", project),
  "DELETE /projects/:id/members/:user_id (a Developer)": get(project(`/members/${USER.developer}`)),
  ...both("/groups/:id", group),
  "DELETE /groups/:id/members/:user_id (a Developer)": get(group(`/members/${USER.developer}`)),
  "GET /groups/:id/enterprise_users": get(group("/enterprise_users")),

  "GET /user": get(() => "/user"),
  "GET /users": get(() => "/users"),
  "GET /users/:id": get(() => `/users/${USER.newcomer}`),
  "POST /users": body(
    () => "/users",
    ({ index }: Place) => ({ username: `new${index}`, name: "New", email: `new${index}@example.com` }),
  ),
  "POST /users/:id/personal_access_tokens": body(() => `/users/${USER.newcomer}/personal_access_tokens`, {
    name: "ci",
    scopes: ["api"],
  }),
  "GET /personal_access_tokens/self": get(() => "/personal_access_tokens/self"),

  "GET /version": get(() => "/version"),
  "GET /metadata": get(() => "/metadata"),
  "GET /application/settings": get(() => "/application/settings"),
  "PUT /application/settings": body(() => "/application/settings", {
    enable_member_promotion_management: false,
  }),

  "GET /groups": get(() => "/groups"),
  "GET /groups/:id": get(group("")),
  "GET /groups/:id (a public group)": get(({ openGroup }) => `/groups/${openGroup}`),
  "GET /groups/:id/projects": get(group("/projects")),
  "GET /groups/:id/descendant_groups": get(group("/descendant_groups")),
  "POST /groups": body(
    () => "/groups",
    ({ index }: Place) => ({ name: "New", path: `new-group-${index}` }),
  ),
  "POST /groups (a subgroup)": body(
    () => "/groups",
    ({ group: parent_id }: Place) => ({ name: "New", path: "new", parent_id }),
  ),
  "POST /groups (a public subgroup of a private group)": body(
    () => "/groups",
    ({ group: parent_id }: Place) => ({ name: "New", path: "new", parent_id, visibility: "public" }),
  ),
  "DELETE /groups/:id": get(group("")),

  "GET /projects": get(() => "/projects"),
  "GET /projects/:id": get(project("")),
  "GET /projects/:id (an internal project)": get(({ internal }) => `/projects/${internal}`),
  "GET /projects/:id (a public project)": get(({ open }) => `/projects/${open}`),
  "POST /projects (in the own namespace)": body(
    () => "/projects",
    ({ index }: Place) => ({ path: `new-${index}` }),
  ),
  "POST /projects (in the group)": body(
    () => "/projects",
    ({ group: namespace_id }: Place) => ({ path: "new", namespace_id }),
  ),
  "PUT /projects/:id": body(project(""), { description: "changed" }),
  "PUT /projects/:id (more visible than its group)": body(project(""), { visibility: "public" }),
  "DELETE /projects/:id": get(project("")),
  "POST /projects/:id/share (as Developers)": body(
    ({ sibling }) => `/projects/${sibling}/share`,
    ({ openGroup: group_id }: Place) => ({ group_id, group_access: 30 }),
  ),
  "POST /projects/:id/share (as Owners)": body(
    ({ sibling }) => `/projects/${sibling}/share`,
    ({ openGroup: group_id }: Place) => ({ group_id, group_access: 50 }),
  ),
  "POST /projects/:id/share (with a hidden group)": body(
    ({ sibling }) => `/projects/${sibling}/share`,
    ({ hiddenGroup: group_id }: Place) => ({ group_id, group_access: 30 }),
  ),

  "GET /projects/:id/environments": get(project("/environments")),
  "POST /projects/:id/environments": body(project("/environments"), { name: "staging" }),
  "GET /_steward/projects/:id/environments/:name/access": get(
    (place) => `/_steward/projects/${place.project}/environments/production/access?user_id=${USER.owner}`,
  ),

  "POST /_steward/projects/:id/merge_requests": body(
    (place) => `/_steward${project(MERGE_REQUESTS)(place)}`,
    HEAD,
  ),
  "PUT /_steward/projects/:id/merge_requests/:merge_request_iid": async (place) => ({
    path: `/_steward${await mergeRequestOf(place)}`,
    json: { sha: "bbbbbbb" },
  }),
  [`GET ${MERGE_REQUEST}`]: async (place) => ({ path: await mergeRequestOf(place) }),
  [`GET ${MERGE_REQUEST}/versions`]: ofMergeRequest("/versions"),
  "GET /projects/:id/repository/commits/:sha/merge_requests": get(
    project("/repository/commits/aaaaaaa/merge_requests"),
  ),
  [`GET ${MERGE_REQUEST}/approvals`]: ofMergeRequest("/approvals"),
  [`POST ${MERGE_REQUEST}/approve`]: ofMergeRequest("/approve", {}),
  [`GET ${MERGE_REQUEST}/notes`]: ofMergeRequest("/notes"),
  [`POST ${MERGE_REQUEST}/notes`]: ofMergeRequest("/notes", { body: "Hello" }),
  [`PUT ${MERGE_REQUEST}/notes/:note_id (another's)`]: async (place) => {
    const path = `${await mergeRequestOf(place)}/notes`;
    const { id } = (await place.send("POST", path, { json: { body: "Hello" } })).body as { id: number };
    return { path: `${path}/${id}`, json: { body: "Bye" } };
  },
  "GET /projects/:id/issues": get(project("/issues")),
  "POST /projects/:id/issues": body(project("/issues"), { title: "Drift" }),
  "PUT /projects/:id/issues/:issue_iid (another's)": async (place) => {
    const path = project("/issues")(place);
    const { iid } = (await place.send("POST", path, { json: { title: "Drift" } })).body as { iid: number };
    return { path: `${path}/${iid}`, json: { state_event: "close" } };
  },

  "GET /projects/:id/terraform/state/:name": async (place) => {
    const path = project(STATE)(place);
    await place.send("POST", path, { json: { version: 4 } });
    return { path };
  },
  "POST /projects/:id/terraform/state/:name": body(project(STATE), { version: 4 }),
  "DELETE /projects/:id/terraform/state/:name": get(project(STATE)),
  "POST /projects/:id/terraform/state/:name/lock": body(project(`${STATE}/lock`), { ID: "one" }),
  "POST /projects/:id/terraform/state/:name/lock (without an id)": body(project(`${STATE}/lock`), {}),
  "DELETE /projects/:id/terraform/state/:name/lock": async (place) => {
    const path = project(`${STATE}/lock`)(place);
    await place.send("POST", path, { json: { ID: "one" } });
    return { path, json: { ID: "one" } };
  },

  "GET /_steward/health": get(() => "/_steward/health"),
  "GET /_steward/openapi.json": get(() => "/_steward/openapi.json"),
  "POST /_steward/invitations/:id/accept": async (place) => ({
    path: `/_steward/invitations/${await invitationOf(place, "developer@example.org")}/accept`,
  }),
  "POST /_steward/invitations/:id/approve": async (place) => {
    await place.send("PUT", "/application/settings", { json: { enable_member_promotion_management: true } });
    await place.send("POST", `/projects/${place.project}/invitations`, {
      json: { user_id: USER.newcomer, access_level: 30 },
    });
    return { path: `/_steward/invitations/${await invitationOf(place, "newcomer@example.com")}/approve` };
  },
  "POST /_steward/faults": body(() => "/_steward/faults", { route: "/nowhere", status: 503 }),
  "DELETE /_steward/faults": get(() => "/_steward/faults"),
};
