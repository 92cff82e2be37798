import { type Place, USER } from "./authorization-world";

// Makes the request for a row of `docs/authorization.md`. The path is the path of the row, with the ids of the caller's
// own objects. The body comes from this file.

/** A request for a row, without the token. */
export interface Sent {
  readonly path: string;
  readonly json?: unknown;
}

/** The parts of a row's request that are not in the row's path. */
interface Choice {
  readonly json?: object | ((place: Place) => object);
  /** The object whose id replaces `:id` in the path. The default is the caller's project or group. */
  readonly at?: keyof Place;
  readonly target?: keyof Place;
  readonly user?: number;
  readonly invited?: "developer" | "owner";
  readonly query?: string;
  /** Creates objects that the path needs. */
  readonly before?: (place: Place) => Promise<unknown>;
}

const HEAD = { title: "A limit", source_branch: "limit", sha: "aaaaaaa" };
const STATE = "/projects/:id/terraform/state/:name";
const [web, state] = [({ project }: Place) => `/projects/${project}`, "/terraform/state/production"];
const hidden = "(a hidden project)";
const environment = { name: "staging", deploy_access_levels: [{ access_level: 40 }] };
const rule = { repository_path_pattern: "tools/*", minimum_access_level_for_push: "owner" };
const developer = { email: "new@example.org", access_level: 30 };
const member = { user_id: USER.newcomer, access_level: 30 };
const share = (group: "openGroup" | "hiddenGroup", group_access: number): Choice => ({
  at: "sibling",
  json: (place) => ({ group_id: place[group], group_access }),
});

/** Returns the rows of paths that exist both for projects and for groups. */
const both = (prefix: string): Record<string, Choice> => ({
  [`POST ${prefix}/members (a Developer)`]: { json: member },
  [`POST ${prefix}/members (an Owner)`]: { json: { ...member, access_level: 50 } },
  [`PUT ${prefix}/members/:user_id (a Developer)`]: { user: USER.developer, json: { access_level: 20 } },
  [`PUT ${prefix}/members/:user_id (a Developer, to Owner)`]: {
    user: USER.developer,
    json: { access_level: 50 },
  },
  [`PUT ${prefix}/members/:user_id (an Owner)`]: { json: { access_level: 40 } },
  [`DELETE ${prefix}/members/:user_id (a Developer)`]: { user: USER.developer },
  [`POST ${prefix}/invitations (a Developer)`]: { json: developer },
  [`POST ${prefix}/invitations (an Owner)`]: { json: { ...developer, access_level: 50 } },
  [`PUT ${prefix}/invitations/:email (a Developer's)`]: { json: { access_level: 20 } },
  [`PUT ${prefix}/invitations/:email (a Developer's, to Owner)`]: { json: { access_level: 50 } },
  [`PUT ${prefix}/invitations/:email (an Owner's)`]: { invited: "owner", json: { access_level: 40 } },
  [`DELETE ${prefix}/invitations/:email (an Owner's)`]: { invited: "owner" },
});

/** The rows whose requests need more than their path, or need an object other than the caller's project or group. */
export const CHOICES: Readonly<Record<string, Choice>> = {
  ...both("/projects/:id"),
  ...both("/groups/:id"),
  "PATCH /projects/:id/job_token_scope": { json: { enabled: false } },
  "PATCH /projects/:id/job_token_scope (an archived project)": { at: "archived", json: { enabled: false } },
  "GET /projects/:id/job_token_scope (a public project)": { at: "open" },
  "POST /projects/:id/job_token_scope/allowlist": { json: ({ open }) => ({ target_project_id: open }) },
  [`POST /projects/:id/job_token_scope/allowlist ${hidden}`]: {
    at: "sibling",
    json: (place) => ({ target_project_id: place.hidden }),
  },
  [`DELETE /projects/:id/job_token_scope/allowlist/:target_project_id ${hidden}`]: { target: "hidden" },
  "POST /projects/:id/job_token_scope/groups_allowlist": {
    json: ({ openGroup }) => ({ target_group_id: openGroup }),
  },
  "POST /projects/:id/job_token_scope/groups_allowlist (a hidden group)": {
    at: "sibling",
    json: ({ hiddenGroup }) => ({ target_group_id: hiddenGroup }),
  },
  "DELETE /projects/:id/job_token_scope/groups_allowlist/:target_group_id (a hidden group)": {
    target: "hiddenGroup",
  },
  "POST /projects/:id/protected_environments": { json: environment },
  "PUT /projects/:id/protected_environments/:name": {
    json: { deploy_access_levels: [{ access_level: 30 }] },
  },
  "PATCH /projects/:id/pages": { json: { pages_https_only: true } },
  "POST /projects/:id/pages/domains": { json: ({ index }) => ({ domain: `docs${index}.example.org` }) },
  "POST /projects/:id/registry/protection/repository/rules": { json: rule },
  "PATCH /projects/:id/registry/protection/repository/rules/:protection_rule_id": {
    json: { minimum_access_level_for_push: "admin" },
  },
  "POST /users": {
    json: ({ index }) => ({ username: `new${index}`, name: "New", email: `new${index}@example.com` }),
  },
  "PUT /users/:id": { json: { name: "Newcomer" } },
  "POST /users/:id/personal_access_tokens": { json: { name: "ci", scopes: ["api"] } },
  "PUT /application/settings": { json: { enable_member_promotion_management: false } },
  "GET /groups/:id (a public group)": { at: "openGroup" },
  "POST /groups": { json: ({ index }) => ({ name: "New", path: `new-group-${index}` }) },
  "POST /groups (a subgroup)": { json: ({ group }) => ({ name: "New", path: "new", parent_id: group }) },
  "POST /groups (a public subgroup of a private group)": {
    json: ({ group }) => ({ name: "New", path: "new", parent_id: group, visibility: "public" }),
  },
  "GET /projects/:id (an internal project)": { at: "internal" },
  "GET /projects/:id (a public project)": { at: "open" },
  "POST /projects (in the own namespace)": { json: ({ index }) => ({ path: `new-${index}` }) },
  "POST /projects (in the group)": { json: ({ group }) => ({ path: "new", namespace_id: group }) },
  "PUT /projects/:id": { json: { description: "changed" } },
  "PUT /projects/:id (more visible than its group)": { json: { visibility: "public" } },
  "POST /projects/:id/restore": {
    before: async (place) => {
      await place.send("PUT", "/application/settings", { json: { deletion_adjourned_period: 7 } });
      await place.send("DELETE", web(place));
    },
  },
  "PUT /projects/:id/transfer": { json: ({ group }) => ({ namespace: group }) },
  "POST /projects/:id/share (as Developers)": share("openGroup", 30),
  "POST /projects/:id/share (as Owners)": share("openGroup", 50),
  "POST /projects/:id/share (with a hidden group)": share("hiddenGroup", 30),
  "POST /projects/:id/environments": { json: { name: "staging" } },
  "GET /_steward/projects/:id/environments/:name/access": { query: `?user_id=${USER.owner}` },
  "POST /_steward/projects/:id/merge_requests": { json: HEAD },
  "PUT /_steward/projects/:id/merge_requests/:merge_request_iid": { json: { sha: "bbbbbbb" } },
  "POST /_steward/projects/:id/pushes": { json: { ref: "limit", sha: "aaaaaaa" } },
  "POST /_steward/projects/:id/pipelines": { json: { ref: "limit", sha: "aaaaaaa" } },
  "PUT /_steward/projects/:id/pipelines/:pipeline_id": { json: { status: "success" } },
  "POST /_steward/projects/:id/pipelines/:pipeline_id/jobs": { json: { name: "plan" } },
  "POST /projects/:id/merge_requests/:merge_request_iid/approve": { json: {} },
  "POST /projects/:id/merge_requests/:merge_request_iid/unapprove (without an approval)": { json: {} },
  "POST /projects/:id/merge_requests/:merge_request_iid/notes": { json: { body: "Hello" } },
  "PUT /projects/:id/merge_requests/:merge_request_iid/notes/:note_id (another's)": { json: { body: "Bye" } },
  "POST /projects/:id/merge_requests/:merge_request_iid/notes/:note_id/award_emoji": {
    json: { name: "thumbsup" },
  },
  "POST /projects/:id/issues": { json: { title: "Drift" } },
  "PUT /projects/:id/issues/:issue_iid (another's)": { json: { state_event: "close" } },
  [`GET ${STATE}`]: {
    before: (place) => place.send("POST", `${web(place)}${state}`, { json: { version: 4 } }),
  },
  [`POST ${STATE}`]: { json: { version: 4 } },
  [`POST ${STATE}/lock`]: { json: { ID: "one" } },
  [`POST ${STATE}/lock (without an id)`]: { json: {} },
  [`DELETE ${STATE}/lock`]: {
    json: { ID: "one" },
    before: (place) => place.send("POST", `${web(place)}${state}/lock`, { json: { ID: "one" } }),
  },
  "POST /_steward/invitations/:id/approve": {
    before: async (place) => {
      const json = { enable_member_promotion_management: true };
      await place.send("PUT", "/application/settings", { json });
      await place.send("POST", `${web(place)}/invitations`, { json: member });
    },
  },
  "POST /_steward/faults": { json: { route: "/nowhere", status: 503 } },
};

/** Returns the values for the parameters of a path, in the order of the path. */
const PARAMETERS: Readonly<
  Record<string, (place: Place, choice: Choice, before: string) => unknown | Promise<unknown>>
> = {
  id: async (place, { at }, before) => {
    if (at !== undefined) return place[at];
    if (before.endsWith("/users/")) return USER.newcomer;
    if (!before.endsWith("/invitations/")) return before.startsWith("/groups") ? place.group : place.project;
    const [queued, open] = ["newcomer@example.com", "developer@example.org"].map(async (address) => {
      const list = `${web(place)}/invitations?query=${encodeURIComponent(address)}`;
      return ((await place.send("GET", list)).body as readonly { id: number }[])[0]?.id;
    });
    return (await queued) ?? (await open);
  },
  target_project_id: (place, { target = "sibling" }) => place[target],
  target_group_id: (place, { target = "group" }) => place[target],
  user_id: (_, { user = USER.owner }) => user,
  email: (_, { invited = "developer" }) => `${invited}%40example.org`,
  name: () => "production",
  key: () => "Go",
  sha: () => "aaaaaaa",
  protection_rule_id: async ({ send }, _, before) =>
    ((await send("GET", before.replace(/\/$/, ""))).body as readonly { id: number }[])[0]!.id,
  merge_request_iid: async (place) => {
    const path = `/_steward${web(place)}/merge_requests`;
    return ((await place.steer("POST", path, { json: HEAD })).body as { iid: number }).iid;
  },
  pipeline_id: async (place) => {
    const path = `/_steward${web(place)}/pipelines`;
    return (
      (await place.steer("POST", path, { json: { ref: "limit", sha: "aaaaaaa" } })).body as { id: number }
    ).id;
  },
  job_id: async (place) => {
    const pipelines = `/_steward${web(place)}/pipelines`;
    const made = await place.steer("POST", pipelines, { json: { ref: "limit", sha: "aaaaaaa" } });
    const { id } = made.body as { id: number };
    const json = { name: "plan", artifacts: { "plan.json": "{}" } };
    return ((await place.steer("POST", `${pipelines}/${id}/jobs`, { json })).body as { id: number }).id;
  },
  artifact_path: () => "plan.json",
  note_id: async ({ send }, _, before) =>
    ((await send("POST", before.replace(/\/$/, ""), { json: { body: "Hello" } })).body as { id: number }).id,
  award_id: async ({ send }, _, before) =>
    ((await send("POST", before.replace(/\/$/, ""), { json: { name: "thumbsup" } })).body as { id: number })
      .id,
  issue_iid: async ({ send }, _, before) =>
    ((await send("POST", before.replace(/\/$/, ""), { json: { title: "Drift" } })).body as { iid: number })
      .iid,
};

/** Returns the request of a row for one caller. `place` has the caller's own objects. */
export async function requestOf(name: string, place: Place): Promise<Sent> {
  const choice = CHOICES[name] ?? {};
  const [endpoint = ""] = name.replace(/^\w+ /, "").split(" ");
  await choice.before?.(place);
  let path = "";
  for (const part of endpoint.split(/(:\w+)/))
    path += part.startsWith(":") ? String(await PARAMETERS[part.slice(1)]!(place, choice, path)) : part;
  const json = typeof choice.json === "function" ? choice.json(place) : choice.json;
  return { path: `${path}${choice.query ?? ""}`, ...(json !== undefined && { json }) };
}
