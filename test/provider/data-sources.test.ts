import { createProvider } from "../../src/provider";
import {
  type Attributes,
  type AttributeType,
  isNested,
  type Value,
  type ValueObject,
} from "../../src/schema";
import { DATA_SAMPLES } from "./samples";
import { numbers } from "./support/crowd";
import { listed, readData } from "./support/data-sources";
import { FILLED_PLATFORM, FILLED_USER, FILLED_WEB } from "./support/own-places";
import { FIXTURE, GROUP, PROJECT, providerConfig, startWorld, TOKEN, useOneWorld } from "./support/world";

// Tests the results of data sources. Fields have the names of the API, and the schema contains all these fields. An
// error names the argument that causes it.

const RULES = 130;
const world = useOneWorld({
  ...FIXTURE,
  users: [
    ...FIXTURE.users!,
    {
      ...FILLED_USER,
      username: "ann",
      id: 61,
      name: "Ann Lee",
      two_factor_enabled: true,
      created_at: "2024-01-10",
    },
    {
      ...FILLED_USER,
      username: "ben",
      id: 62,
      state: "blocked",
      created_at: "2025-06-01",
      identities: [{ provider: "group_saml", extern_uid: "b" }],
      scim_identities: [{ group: "acme", extern_uid: "b" }],
    },
  ],
  groups: [
    ...FIXTURE.groups!.map((group) =>
      group.path === "acme/platform" ? { ...group, ...FILLED_PLATFORM } : group,
    ),
    { path: "visitors", id: 50, members: [{ user: "outsider", role: "guest" }] },
  ],
  projects: [
    ...FIXTURE.projects!.map((project) =>
      project.path === "acme/web" ? { ...project, ...FILLED_WEB } : { ...project, topics: ["shop"] },
    ),
    { path: "acme/platform/billing", id: 30, topics: ["service"] },
    {
      path: "acme/many",
      id: 31,
      topics: ["service"],
      container_rules: numbers(RULES).map((index) => ({
        repository_path_pattern: `acme/many/${index}`,
        minimum_access_level_for_push: "admin" as const,
      })),
    },
  ],
  templates: [
    { key: "Node", name: "Node.js", content: "test: {}\n" },
    { key: "Pages/Static site", content: "pages: {}\n" },
  ],
});
const read = (type: string, given: ValueObject = {}, token?: string) =>
  readData(world, `steward_${type}`, given, token);
const list = (type: string, name: string, given: ValueObject, token?: string) =>
  listed(world, `steward_${type}`, name, given, token);
const web = { project: "acme/web" };
/** The arguments that select the container for these data sources. All other data sources read from a project. */
const WITHIN: Readonly<Record<string, ValueObject>> = { enterprise_users: { group: "acme" }, projects: {} };

const { dataSources } = createProvider().schema;

test.each(Object.entries(DATA_SAMPLES))(
  "the result of the data source %s has exactly the attributes of the data source's schema",
  async (type, sample) => {
    const { attributes } = dataSources[type]!;
    const answer = await readData(world, type, sample.config, TOKEN.administrator);
    expect(answer.diagnostics).toEqual([]);
    expectShape(attributes, answer.attributes!, type);
  },
);

/**
 * Expects that a result has exactly the attributes of the schema, also in elements. Hosts encode the result with this
 * schema.
 */
function expectShape(attributes: Attributes, object: ValueObject, at: string): void {
  expect([at, Object.keys(object).sort()]).toEqual([at, Object.keys(attributes).sort()]);
  for (const [name, { type }] of Object.entries(attributes)) expectType(type, object[name]!, `${at}.${name}`);
}

function expectType(type: AttributeType, value: Value, at: string): void {
  if (value === null) return;
  if (type.kind === "set" || type.kind === "list") {
    const elements = value as readonly Value[];
    // With an empty list, this test would prove nothing.
    expect([at, elements.length]).not.toEqual([at, 0]);
    for (const element of elements) {
      if (isNested(type)) expectShape(type.nested, element as ValueObject, at);
      else expect([at, typeof element]).toEqual([at, "string"]);
    }
  } else if (type.kind === "single") {
    expectShape(type.nested, value as ValueObject, at);
  } else {
    const primitive = { reference: "string", string: "string", number: "number", bool: "boolean" };
    expect([at, typeof value]).toEqual([at, primitive[type.kind as "string"]]);
  }
}

const platform = { group: "acme/platform" };
test.each<[type: string, name: string, given: ValueObject, path: string]>([
  ["project_invitations", "invitations", web, `/projects/${PROJECT.web}/invitations`],
  ["group_invitations", "invitations", platform, `/groups/${GROUP.platform}/invitations`],
  ["protected_environments", "environments", web, `/projects/${PROJECT.web}/protected_environments`],
  [
    "container_protection_rules",
    "rules",
    web,
    `/projects/${PROJECT.web}/registry/protection/repository/rules`,
  ],
  ["enterprise_users", "users", { group: "acme" }, `/groups/${GROUP.acme}/enterprise_users`],
])("the data source %s returns the same %s as the API, with every field", async (type, name, given, path) => {
  const records = await list(type, name, given, TOKEN.owner);
  expect(records).toEqual(await world.http("GET", path));
  expect(records).not.toEqual([]);
});

test.each<[type: string, given: ValueObject, path: string]>([
  ["protected_environment", { ...web, name: "production" }, "protected_environments/production"],
  ["pages", web, "pages"],
])("the data source %s returns the same record as the API, with every field", async (type, given, path) => {
  const record = (await world.http("GET", `/projects/${PROJECT.web}/${path}`)) as object;
  expect(await read(type, given)).toEqual({ diagnostics: [], attributes: { ...given, ...record } });
});

test("the data source job_token_scope returns both allowlists, without the project's entry for itself", async () => {
  const at = `/projects/${PROJECT.web}/job_token_scope`;
  const allowed = (await world.http("GET", `${at}/allowlist`)) as readonly { id: number }[];
  expect((await read("job_token_scope", web)).attributes).toEqual({
    ...web,
    ...((await world.http("GET", at)) as object),
    projects: allowed.filter(({ id }) => id !== PROJECT.web),
    groups: await world.http("GET", `${at}/groups_allowlist`),
  });
  for (const project of ["acme/tools", String(PROJECT.tools)])
    expect((await read("job_token_scope", { project })).attributes).toMatchObject({ project, projects: [] });
});

test("the list of a data source contains the records of all pages", async () => {
  expect(await list("container_protection_rules", "rules", { project: "acme/many" })).toHaveLength(RULES);
  expect(await list("protected_environments", "environments", { project: "acme/docs" })).toEqual([]);
  expect((await read("pages", { project: "acme/tools" })).attributes).toMatchObject({ deployments: [] });
});

test("the data source of a group accepts the path or the id of the group", async () => {
  const { attributes } = await read("group", platform);
  const web_url = `${world.service.url}/groups/acme/platform`;
  const names = { name: "platform", path: "platform", full_path: "acme/platform" };
  expect(attributes).toEqual({ ...platform, ...names, id: "12", web_url, parent: "acme" });
  expect((await read("group", { group: "12" })).attributes).toEqual({ ...attributes, group: "12" });
  expect((await read("group", { group: "acme" })).attributes!["parent"]).toBeNull();
});

test("a project's data source returns the same record for the path and the id as the list of projects", async () => {
  const { attributes } = await read("project", { project: "acme/docs" });
  expect(attributes).toMatchObject({ id: "4", full_path: "acme/docs", path: "docs", archived: false });
  expect((await read("project", { project: "4" })).attributes).toEqual({ ...attributes, project: "4" });
  const { project: _, ...one } = attributes!;
  expect(await list("projects", "projects", { search: "docs" })).toEqual([{ ...one, id: PROJECT.docs }]);
});

test("the data source current_user returns the user of the token", async () => {
  expect((await read("current_user")).attributes).toMatchObject({
    id: "21",
    username: "maya",
    is_admin: false,
  });
  const { attributes } = await read("current_user", {}, TOKEN.administrator);
  expect(attributes).toMatchObject({ username: "ida", is_admin: true });
});

test("the data source ci_template returns the content for each key in the list of templates", async () => {
  const templates = await list("ci_templates", "templates", {});
  expect(templates).toEqual([
    { key: "Node", name: "Node.js" },
    { key: "Pages/Static site", name: "Pages/Static site" },
  ]);
  for (const { key } of templates)
    expect((await read("ci_template", { key: key! })).attributes!["content"]).toMatch(/: \{\}\n$/);
});

test.each<[type: string, name: string, field: string, given: ValueObject, found: readonly string[]]>([
  ["enterprise_users", "users", "username", { username: "ben" }, ["ben"]],
  ["enterprise_users", "users", "username", { search: "lee" }, ["ann"]],
  ["enterprise_users", "users", "username", { active: true, two_factor: "enabled" }, ["ann"]],
  ["enterprise_users", "users", "username", { blocked: true }, ["ben"]],
  ["enterprise_users", "users", "username", { created_before: "2025-01-01T00:00:00Z" }, ["ann"]],
  [
    "enterprise_users",
    "users",
    "username",
    { created_after: "2025-01-01T00:00:00Z", two_factor: "disabled", active: false, blocked: true },
    ["ben"],
  ],
  ["project_invitations", "invitations", "invite_email", { query: "ada@example.com" }, ["ada@example.com"]],
  ["project_invitations", "invitations", "invite_email", { query: "ada" }, []],
  ["projects", "projects", "full_path", { group: "acme", search: "billing" }, []],
  [
    "projects",
    "projects",
    "full_path",
    { group: "acme", include_subgroups: true, search: "billing" },
    ["acme/platform/billing"],
  ],
  ["projects", "projects", "full_path", { topic: "service" }, ["acme/many", "acme/platform/billing"]],
  ["projects", "projects", "full_path", { group: "acme", archived: true }, ["acme/archived"]],
  ["projects", "projects", "full_path", { group: "12", archived: false }, ["acme/platform/billing"]],
])(
  "the data source %s returns only the %s (named by %s) that match %j",
  async (type, name, field, given, found) => {
    const records = await list(type, name, { ...(WITHIN[type] ?? web), ...given }, TOKEN.owner);
    expect(records.map((record) => record[field]).sort()).toEqual(found);
  },
);

const nowhere = "reference_not_found";
test.each<[type: string, given: ValueObject, code: string, attribute: string | undefined, token?: string]>([
  ["project", { project: "acme/nowhere" }, nowhere, "project"],
  ["projects", { group: "acme/nowhere" }, nowhere, "group"],
  ["group", { group: "acme/nowhere" }, nowhere, "group"],
  ["pages", { project: "acme/nowhere" }, nowhere, "project"],
  ["pages", web, nowhere, "project", TOKEN.outsider],
  ["job_token_scope", web, nowhere, "project", TOKEN.outsider],
  ["protected_environments", { project: "acme/nowhere" }, nowhere, "project"],
  ["protected_environment", { ...web, name: "production" }, nowhere, "project", TOKEN.outsider],
  ["protected_environment", { ...web, name: "qa" }, "record_not_found", "name"],
  ["container_protection_rules", { project: "acme/nowhere" }, nowhere, "project"],
  ["project_invitations", web, nowhere, "project", TOKEN.outsider],
  ["group_invitations", platform, nowhere, "group", TOKEN.outsider],
  ["ci_template", { key: "Cobol" }, "record_not_found", "key"],
  ["ci_templates", {}, "forbidden", undefined, TOKEN.outsider],
  ["enterprise_users", { group: "acme" }, "forbidden", undefined, TOKEN.maintainer],
  ["enterprise_users", platform, "bad_request", undefined, TOKEN.owner],
  ["current_user", {}, "unauthorized", undefined, "no-token-of-anybody"],
])(
  "the data source %s with the arguments %j reports the error %s",
  async (...[type, given, code, attribute, token]) => {
    const { attributes, diagnostics } = await read(type, given, token);
    expect(attributes).toBeUndefined();
    expect(diagnostics).toMatchObject([
      { severity: "error", code, ...(attribute && { attribute: [attribute] }) },
    ]);
    if (type === "ci_template") expect(diagnostics[0]!.detail).toContain("steward_ci_templates");
  },
);

test.each<[type: string, given: ValueObject, attribute: string]>([
  ["enterprise_users", { group: "acme", two_factor: "on" }, "two_factor"],
  ["enterprise_users", { group: "acme", created_after: "2025-01-01" }, "created_after"],
  ["enterprise_users", { group: "acme", created_before: "2025-02-30T00:00:00Z" }, "created_before"],
  ["enterprise_users", { group: "acme", created_before: "2025-01-01T25:00:00Z" }, "created_before"],
  ["projects", { include_subgroups: true }, "include_subgroups"],
  ["protected_environment", { ...web, name: "" }, "name"],
])(
  "the data source %s refuses the arguments %j before it sends a request",
  async (type, given, attribute) => {
    world.service.requests.reset();
    expect(await read(type, given)).toMatchObject({
      diagnostics: [{ severity: "error", code: "invalid_value", attribute: [attribute] }],
    });
    expect(world.service.requests.count()).toBe(0);
  },
);

test("if the instance does not offer Pages, the error says that Pages is disabled on the instance", async () => {
  const off = await startWorld({ ...FIXTURE, instance: { pages_enabled: false } });
  const answer = await readData(off, "steward_pages", web);
  expect(answer).toMatchObject({ diagnostics: [{ code: "record_not_found", attribute: ["project"] }] });
  expect(answer.diagnostics[0]!.detail).toContain("Pages is disabled on the instance");
  await off.close();
});

test("the provider setting templates_path replaces the path segment in requests for templates", async () => {
  const lists = async (templates_path: string) => {
    const given = { base_url: world.service.url, token: TOKEN.maintainer, templates_path };
    const run = world.provider.configure(providerConfig(world.provider, given), {}).provider!;
    world.service.requests.reset();
    const answer = await run.readDataSource({ type: "steward_ci_templates", config: { templates: null } });
    await run.close();
    return [answer.diagnostics.map(({ code }) => code), world.service.requests.all[0]!.url.split("?")[0]];
  };
  expect(await lists("gitlab_ci_ymls")).toEqual([[], "/api/v4/templates/gitlab_ci_ymls"]);
  expect(await lists("other_word")).toEqual([["not_found"], "/api/v4/templates/other_word"]);
});

const MOVABLE = Object.entries(DATA_SAMPLES).filter(
  ([, { config }]) => "project" in config && !("name" in config),
);
test.each(MOVABLE)(
  "the data source %s warns about the old path of a renamed project",
  async (type, { config }) => {
    const at = async (project: string) => {
      const { attributes, diagnostics } = await readData(world, type, { ...config, project });
      return { ...attributes, project: "", diagnostics };
    };
    const { diagnostics, ...moved } = await at("acme/handbook");
    expect(diagnostics).toMatchObject([
      { severity: "warning", code: "reference_moved", attribute: ["project"] },
    ]);
    expect(diagnostics[0]!.detail).toContain('is now "acme/docs"');
    expect({ ...moved, diagnostics: [] }).toEqual(await at("acme/docs"));
    expect(await at("Acme/Docs")).toEqual(await at("acme/docs"));
  },
);
