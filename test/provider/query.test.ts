import type { QueryEvent } from "../../src/framework/protocol/protocol";
import type { ValueObject } from "../../src/schema";
import { UNKNOWN } from "../../src/schema";
import { numbers } from "./support/crowd";
import { FIXTURE, TOKEN, USER, useWorld } from "./support/world";

const SCOPE = "steward_job_token_scope";
const ENVIRONMENT = "steward_protected_environment";
const INVITATION = "steward_group_invitation";
const EMPTY = { project: null, group: null, include_subgroups: null };

const PATHS = numbers(30).map((index) => `acme/estate/p${String(index).padStart(2, "0")}`);

const world = useWorld({
  ...FIXTURE,
  groups: [...FIXTURE.groups!, { path: "acme/estate" }, { path: "acme/estate/inner" }],
  projects: [
    ...FIXTURE.projects!,
    ...PATHS.map((path) => ({ path })),
    { path: "acme/estate/inner/deep" },
    { path: "acme/estate/old", archived: true },
  ],
});

async function query(
  type: string,
  config: ValueObject,
  { limit, token }: { readonly limit?: number; readonly token?: string } = {},
) {
  const run = world().connect(token ?? TOKEN.owner);
  const events: QueryEvent[] = [];
  for await (const event of run.queryResource!({ type, config: { ...EMPTY, ...config }, limit }))
    events.push(event);
  return {
    objects: events.flatMap(({ object }) => object ?? []),
    diagnostics: events.flatMap(({ diagnostics }) => diagnostics),
  };
}

const names = ({ objects }: Awaited<ReturnType<typeof query>>) => objects.map(({ name }) => name);

test("a query of a project, by path or by id, lists the objects of the project", async () => {
  await world().http("POST", "/projects/acme%2Fweb/protected_environments", {
    name: "production",
    deploy_access_levels: [{ access_level: 40 }],
  });
  for (const project of ["acme/web", "1"]) {
    const found = await query(ENVIRONMENT, { project });
    expect(found.diagnostics).toEqual([]);
    expect(names(found)).toEqual(["acme/web: production"]);
    expect(found.objects[0]!.state.attributes).toMatchObject({ id: "1:production", project: "acme/web" });
  }
});

test("a query of a group with include_subgroups also lists the projects of the subgroups", async () => {
  const direct = names(await query(SCOPE, { group: "acme/estate" }));
  // The service lists new projects first.
  expect(direct).toEqual([...PATHS].reverse());
  const nested = names(await query(SCOPE, { group: "acme/estate", include_subgroups: true }));
  expect(nested).toHaveLength(31);
  expect(nested).toContain("acme/estate/inner/deep");
});

test("a query of a group with include_subgroups also lists the objects of the subgroups", async () => {
  const invite = (group: string, email: string) =>
    world().http("POST", `/groups/${encodeURIComponent(group)}/invitations`, { email, access_level: 30 });
  await invite("acme/estate", "eve@example.com");
  await invite("acme/estate/inner", "ann@example.com");
  expect(names(await query(INVITATION, { group: "acme/estate" }))).toEqual(["acme/estate: eve@example.com"]);
  expect(names(await query(INVITATION, { group: "acme/estate", include_subgroups: true }))).toEqual([
    "acme/estate: eve@example.com",
    "acme/estate/inner: ann@example.com",
  ]);
});

test("a query of a group skips archived projects with one warning", async () => {
  const { diagnostics, objects } = await query(SCOPE, { group: "acme/estate" });
  expect(diagnostics).toMatchObject([
    {
      severity: "warning",
      code: "archived_project",
      summary: "Archived projects are not listed",
      detail: expect.stringContaining("acme/estate/old"),
    },
  ]);
  expect(objects).toHaveLength(30);
  expect(names(await query(SCOPE, { project: "acme/estate/old" }))).toEqual(["acme/estate/old"]);
});

test("a query with a limit of three objects returns three objects before all projects of the group are read", async () => {
  world().service.requests.reset();
  const { objects, diagnostics } = await query(SCOPE, { group: "acme/estate" }, { limit: 3 });
  expect(objects).toHaveLength(3);
  expect(diagnostics).toEqual([]);
  expect(looks().length).toBeLessThan(9);
});

test("if a query names a missing project or group, the error points at the attribute", async () => {
  for (const config of [{ project: "acme/nowhere" }, { group: "acme/nowhere" }]) {
    const { objects, diagnostics } = await query(SCOPE, config);
    expect(objects).toEqual([]);
    expect(diagnostics).toMatchObject([
      { severity: "error", code: "reference_not_found", attribute: Object.keys(config) },
    ]);
  }
});

test("a query of a group has one warning for all projects whose objects the token can't list", async () => {
  const lookAsMaintainer = (path: string) =>
    world().http("POST", `/projects/${encodeURIComponent(path)}/members`, {
      user_id: USER.outsider,
      access_level: 40,
    });
  await world().http("POST", "/groups/acme%2Festate/members", { user_id: USER.outsider, access_level: 10 });
  await lookAsMaintainer("acme/estate/p07");
  const { objects, diagnostics } = await query(
    ENVIRONMENT,
    { group: "acme/estate" },
    { token: TOKEN.outsider },
  );
  expect(objects).toEqual([]);
  const [refused, ...others] = diagnostics.filter(({ code }) => code !== "archived_project");
  expect(others).toEqual([]);
  expect(refused).toMatchObject({ severity: "warning" });
  expect(refused!.detail).toContain("The list lacks acme/estate/p29, acme/estate/p28,");
  expect(refused!.detail).toContain("and 19 more for this reason.");
  expect(refused!.detail).not.toContain("p07");
});

test("if the token can't list objects of any project in a group, a query of the group reports an error", async () => {
  await world().http("POST", "/groups/acme%2Festate/members", { user_id: USER.outsider, access_level: 10 });
  const { diagnostics } = await query(ENVIRONMENT, { group: "acme/estate" }, { token: TOKEN.outsider });
  expect(diagnostics.map(({ severity }) => severity)).toEqual(["error", "warning"]);
});

test("an invalid token ends the query with one error", async () => {
  const { diagnostics, objects } = await query(SCOPE, { project: "acme/web" }, { token: "wrong" });
  expect(objects).toEqual([]);
  expect(diagnostics).toMatchObject([{ severity: "error", code: "unauthorized" }]);
});

test("after an abort, a query starts no new requests", async () => {
  const abort = new AbortController();
  const run = world().connect(TOKEN.owner);
  world().service.requests.reset();
  const config = { ...EMPTY, group: "acme/estate" };
  const events = run.queryResource!({ type: SCOPE, config }, abort.signal)[Symbol.asyncIterator]();
  await events.next();
  abort.abort();
  for (let event = await events.next(); event.done !== true; event = await events.next());
  // The run ends once the requests in flight have ended.
  await run.close();
  expect(looks().length).toBeLessThanOrEqual(10);
});

test.each<[string, string, ValueObject, string | undefined]>([
  ["a project", SCOPE, { project: "acme/web" }, undefined],
  ["a group with subgroups", SCOPE, { group: "acme", include_subgroups: true }, undefined],
  [
    "a project with include_subgroups = false",
    SCOPE,
    { project: "acme/web", include_subgroups: false },
    undefined,
  ],
  ["an unknown project", SCOPE, { project: UNKNOWN, group: "acme" }, undefined],
  ["neither project nor group", SCOPE, {}, "A query needs a project or group: set one of them."],
  [
    "both",
    SCOPE,
    { project: "acme/web", group: "acme" },
    "project and group can't be set together. Remove one of them.",
  ],
  [
    "include_subgroups without a group",
    SCOPE,
    { project: "acme/web", include_subgroups: true },
    "include_subgroups has an effect with group only. Set group, or remove it.",
  ],
  ["no project's path", SCOPE, { project: "web" }, '"web" is not a valid project.'],
  ["no group of a group's objects", INVITATION, {}, "`group` is required, but not set."],
])("a query with %s is accepted or refused with the expected detail", (_what, type, config, problem) => {
  const { attributes } = world().provider.schema.listResources![type]!;
  const given = Object.fromEntries(Object.keys(attributes).map((name) => [name, config[name] ?? null]));
  const found = world().provider.validateQuery!(type, given);
  expect(found.map(({ detail }) => detail)).toEqual(
    problem === undefined ? [] : [expect.stringContaining(problem)],
  );
});

test("each resource type has a query with project or group attributes", () => {
  const { resources, listResources } = world().provider.schema;
  expect(Object.keys(listResources!)).toEqual(Object.keys(resources));
  for (const [type, { attributes }] of Object.entries(listResources!)) {
    const isOfGroups = "group" in resources[type]!.attributes;
    expect(Object.keys(attributes)).toEqual([
      ...(isOfGroups ? [] : ["project"]),
      "group",
      "include_subgroups",
    ]);
  }
});

/** Returns the requests that read something in a project. */
const looks = () => world().service.requests.all.filter(({ url }) => /\/projects\/\d+/.test(url));
