import { type Client, createClient, type RecordList } from "../../src/api";
import { failureOf } from "./support/failure-of";
import { useSetting } from "./support/setting";

// The tests call each area of the client against the service, and check the requests and the responses. The conformance suite
// of the provider covers the whole lifecycle of each object. `tolerated-responses` covers missing fields.

const { service, as } = useSetting();
const ann = () => as("token-of-ann");
const anonymous = () => createClient({ baseUrl: service().url, anonymous: true, env: {} });

/** Returns the values of one field in all records of a list, sorted. */
const all = async <T extends object>(list: RecordList<T>, field: keyof T) =>
  (await list.toArray()).map((record) => record[field]).sort();
type Call = (client: Client) => Promise<unknown>;
const any = expect.anything() as unknown;

const READS: readonly (readonly [title: string, call: Call, found: unknown])[] = [
  ["the token's own user", ({ users }) => users.current(), { id: 11, username: "ann", name: "Ann" }],
  ["a user by id", ({ users }) => users.get(12), { username: "bob" }],
  ["a user by name in any letter case", ({ users }) => users.byUsername("BOB"), { id: 12 }],
  ["no user by an unknown name", ({ users }) => users.byUsername("nobody"), undefined],
  [
    "all users, by keyset",
    ({ users }) => all(users.list(), "username"),
    expect.arrayContaining(["ann", "bob", "eve", "guest", "max"]),
  ],
  [
    "a project by id, with the groups that it is shared with",
    ({ projects }) => projects.get(201),
    {
      path_with_namespace: "acme/web",
      topics: ["frontend"],
      namespace: { id: 101, full_path: "acme" },
      shared_with_groups: [{ group_full_path: "acme/tools", group_access_level: 30, expires_at: null }],
    },
  ],
  ["a project by a former path", ({ projects }) => projects.get("acme/old-web"), { id: 201 }],
  ["a scope by a former path", ({ jobTokenScope }) => jobTokenScope.get("acme/old-web"), any],
  ["archived projects", ({ projects }) => all(projects.list({ archived: true }), "id"), [202]],
  [
    "the caller's access by a group",
    ({ projects }) => projects.permissions("acme/api"),
    { project_access_level: null, group_access_level: 50 },
  ],
  [
    "environments, protected or not",
    ({ environments }) => all(environments.list(201), "name"),
    ["production", "review/feature-1"],
  ],
  [
    "a group by path",
    ({ groups }) => groups.get("acme/tools"),
    { id: 102, full_path: "acme/tools", parent_id: 101 },
  ],
  ["all groups", ({ groups }) => all(groups.list(), "full_path"), ["acme", "acme/tools"]],
  ["projects of a group", ({ groups }) => all(groups.projects("acme", {}), "id"), [201, 202]],
  [
    "projects of a group and its subgroups",
    ({ groups }) => all(groups.projects("acme", { include_subgroups: true }), "id"),
    [201, 202, 203],
  ],
  [
    "projects of a group that are not archived",
    ({ groups }) => all(groups.projects("acme", { archived: false }), "id"),
    [201],
  ],
  [
    "projects of a group by topic",
    ({ groups }) => all(groups.projects("acme", { topic: "frontend" }), "id"),
    [201],
  ],
  ["direct members of a project", ({ members }) => all(members.ofProject(201), "id"), [12, 13]],
  ["members by a query", ({ members }) => all(members.ofProject(201, { query: "bob" }), "id"), [12]],
  [
    "members of a project and of the groups above",
    ({ members }) => all(members.allOfProject(201), "id"),
    expect.arrayContaining([11, 12, 13, 14]),
  ],
  ["one member of a project", ({ members }) => members.inProject(201, 11), { access_level: 50 }],
  [
    "direct members of a group, with their last day",
    ({ members }) => members.ofGroup("acme/tools").toArray(),
    [{ id: 12, access_level: 40, expires_at: expect.stringContaining("2099-01-31") }],
  ],
  ["all members of a group", ({ members }) => all(members.allOfGroup(102), "id"), [11, 12, 14]],
  ["one member of a group", ({ members }) => members.inGroup(102, 14), { username: "eve", access_level: 30 }],
  ["domains of Pages", ({ pages }) => all(pages.domains(201), "domain"), ["docs.acme.example"]],
  ["no domains", ({ pages }) => all(pages.domains(203), "domain"), []],
  [
    "an allowlist with its projects",
    ({ jobTokenScope }) => all(jobTokenScope.allowlist("acme/web"), "path_with_namespace"),
    ["acme/api", "acme/web"],
  ],
];

test.each(READS)("the client finds %s", async (_, call, found) => {
  const answer = await call(ann());
  if (typeof found === "object") expect(answer).toMatchObject(found as object);
  else expect(answer).toEqual(found);
});

test("without a token, the client finds public projects", async () => {
  expect(await all(anonymous().projects.list(), "path_with_namespace")).toEqual(["acme/tools/cli"]);
  expect(await anonymous().ciTemplates.list().toArray()).not.toEqual([]);
});

const level = [{ access_level: 40 as const }];
const environment =
  (elements: readonly object[]): Call =>
  ({ protectedEnvironments }) =>
    protectedEnvironments.protect(201, { name: "staging", deploy_access_levels: elements as typeof level });

test.each<[title: string, call: Call, message: string]>([
  [
    "a rule without a level",
    ({ containerProtectionRules: rules }) => rules.create(201, { repository_path_pattern: "acme/web/a" }),
    "at least one of the two levels",
  ],
  [
    "a deploy access level without a user, group or level",
    environment([{}]),
    "exactly one of user_id, group_id and access_level",
  ],
  [
    "a deploy access level with a user and a level",
    environment([{ user_id: 1, access_level: 40 }]),
    "exactly one of",
  ],
  ["a level that deployers can't have", environment([{ access_level: 50 }]), "30 or 40 or 60"],
  ["an unknown inheritance type", environment([{ ...level[0], group_inheritance_type: 2 }]), "0 or 1"],
  [
    "an invitation without a person",
    ({ projectInvitations }) => projectInvitations.create(201, { access_level: 30 }),
    "email or user_id",
  ],
  [
    "an invitation with an empty list of addresses",
    ({ groupInvitations }) => groupInvitations.create(101, { email: [], access_level: 30 }),
    "email or user_id",
  ],
  [
    "an invitation with an unknown access level",
    ({ groupInvitations }) =>
      groupInvitations.create(101, { email: "a@example.com", access_level: 31 as 30 }),
    "0 or 5 or 10",
  ],
  [
    "a value of another type",
    ({ jobTokenScope }) => jobTokenScope.update(201, { enabled: "yes" as unknown as boolean }),
    'enabled should be boolean, but it is "yes"',
  ],
])("the client refuses %s before it sends a request", async (_, call, message) => {
  service().requests.reset();
  const error = await failureOf(call(as()));
  expect(error).toMatchObject({ name: "ArgumentError", code: "invalid_argument" });
  expect(error.message).toContain(message);
  expect(service().requests.all).toEqual([]);
});

test.each<[title: string, call: Call, told: object]>([
  [
    "a pattern that is taken",
    ({ containerProtectionRules: rules }) =>
      rules.create(201, {
        repository_path_pattern: "acme/web/*",
        minimum_access_level_for_delete: "owner",
      }),
    { code: "already_there", status: 422 },
  ],
  [
    "a rule that would lose its last level",
    async ({ containerProtectionRules: rules }) => {
      const [rule] = await rules.list(201).toArray();
      return rules.update(201, rule!.id, { minimum_access_level_for_push: "" });
    },
    { code: "unprocessable", status: 422 },
  ],
  [
    "an entry that is on the allowlist",
    ({ jobTokenScope }) => jobTokenScope.addProject("acme/old-web", 202),
    { code: "already_there", status: 400 },
  ],
  ["a user without access", environment([{ user_id: 15 }]), { code: "unprocessable", status: 422 }],
  [
    "an unknown project, in the service's words",
    ({ jobTokenScope }) => jobTokenScope.get("acme/none"),
    { code: "not_found", serviceMessage: "404 Project Not Found" },
  ],
])("the service refuses %s, and the client reports the reason", async (_, call, told) => {
  expect(await failureOf(call(as()))).toMatchObject(told);
});

describe.each([
  ["projectInvitations", "acme/web"],
  ["groupInvitations", "acme/tools"],
] as const)("the area %s of the client", (area, target) => {
  test("invitations for several addresses can be created, found by address, changed and deleted", async () => {
    const invitations = ann()[area];
    const addresses = ["new+1@example.com", "new+2@example.com"];
    const sent = { email: addresses, access_level: 20, expires_at: "2099-12-31" } as const;
    const result = await invitations.create(target, { ...sent, email: addresses, invite_source: "test" });
    expect(result).toEqual({ status: "success", failures: [], queued_users: {} });
    expect(await invitations.list(target, { query: addresses[0]! }).toArray()).toMatchObject([
      { access_level: 20, created_by_name: "Ann", expires_at: expect.stringMatching(/^2099-12-31T/) },
    ]);
    const changed = await invitations.update(target, addresses[0]!, { access_level: 30, expires_at: "" });
    expect(changed).toMatchObject({ access_level: 30, expires_at: null });
    for (const address of addresses) await invitations.delete(target, address);
    expect(await invitations.list(target).toArray()).toEqual([]);
  });

  test("if an invitation fails for some addresses, the service still invites the other addresses", async () => {
    const invitations = as()[area];
    await invitations.create(target, { email: "twice@example.com", access_level: 10 });
    const result = await invitations.create(target, {
      email: ["twice@example.com", "fresh@example.com", "bob@corp.example", "no-address"],
      access_level: 30,
    });
    expect(result.status).toBe("error");
    expect(result.failures.map(({ address, kind }) => [address, kind]).sort()).toEqual([
      ["bob@corp.example", "already_member"],
      ["no-address", "other"],
      ["twice@example.com", "already_invited"],
    ]);
    expect(result.failures.every(({ reason }) => reason.length > 5)).toBe(true);
    expect(await invitations.list(target, { query: "fresh@example.com" }).toArray()).toHaveLength(1);
  });
});

test("queued_users in an invitation's result contains each user whose promotion needs an administrator's approval", async () => {
  await fetch(`${service().url}/api/v4/application/settings`, {
    method: "PUT",
    headers: { "private-token": service().adminToken, "content-type": "application/json" },
    body: JSON.stringify({ enable_member_promotion_management: true }),
  });
  const result = await ann().groupInvitations.create("acme", { user_id: 13, access_level: 30 });
  expect(Object.keys(result.queued_users)).toEqual(["guest"]);
  expect(result.failures).toEqual([]);
});
