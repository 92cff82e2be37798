import { createProvider } from "../../src/provider";
import { numbers } from "../provider/support/crowd";
import { FIXTURE, TOKEN } from "../provider/support/world";
import { HOSTILE, obeyedLines, takenLines } from "../support/hostile";
import { HttpProxy } from "../support/http-proxy";
import { dynamic, plain } from "./support/plugin-client";
import { useServed } from "./support/served";

const SCOPE = "steward_job_token_scope";
const ENVIRONMENT = "steward_protected_environment";

const served = useServed({
  ...FIXTURE,
  groups: [...FIXTURE.groups!, { path: "acme/estate" }],
  projects: [
    ...FIXTURE.projects!,
    ...numbers(40).map((index) => ({ path: `acme/estate/p${index}` })),
    {
      path: "acme/odd",
      protected_environments: [{ name: HOSTILE, deploy_access_levels: [{ access_level: 40 as const }] }],
    },
  ],
});

const config = (given: Record<string, unknown> = {}) =>
  dynamic({ project: null, group: null, include_subgroups: null, ...given });

test("GetProviderSchema returns a query schema for every resource type", async () => {
  const client = (await served.serve())();
  const { listResourceSchemas } = await client.call("GetProviderSchema", {});
  const { listResources } = await client.call("GetMetadata", {});
  const types = Object.keys(createProvider().schema.resources);
  expect(listResources.map(({ typeName }) => typeName)).toEqual(types);
  expect(Object.keys(listResourceSchemas)).toEqual(types);
  expect(listResourceSchemas[SCOPE]!.block!.attributes.map(({ name, optional }) => [name, optional])).toEqual(
    [
      ["project", true],
      ["group", true],
      ["include_subgroups", true],
    ],
  );
});

test("on request, a query result also contains the attributes of the object", async () => {
  const client = await served.configured({ token: TOKEN.owner });
  const request = { typeName: SCOPE, config: config({ project: "acme/web" }), limit: 100 };
  const [brief, ...others] = await client.stream("ListResource", request);
  expect(others).toEqual([]);
  expect(brief).toMatchObject({ displayName: "acme/web", diagnostic: [], resourceObject: undefined });
  expect(plain(brief!.identity!.identityData)).toEqual({ project: "1" });
  const [whole] = await client.stream("ListResource", { ...request, includeResourceObject: true });
  expect(plain(whole!.resourceObject)).toMatchObject({
    id: "1",
    project: "acme/web",
    inbound_enabled: false,
  });
});

test("an object can be imported with its identity from a query result", async () => {
  const client = await served.configured({ token: TOKEN.owner });
  const request = { typeName: ENVIRONMENT, config: config({ project: "acme/odd" }), limit: 100 };
  const [{ identity } = { identity: undefined }] = await client.stream("ListResource", request);
  const imported = await client.call("ImportResourceState", { typeName: ENVIRONMENT, identity: identity! });
  expect(imported.diagnostics).toEqual([]);
  expect(plain(imported.importedResources[0]!.state)).toMatchObject({ project: "acme/odd", name: HOSTILE });
});

test("a query with the limit 7 returns 7 of 40 objects", async () => {
  const client = await served.configured({ token: TOKEN.owner });
  const request = { typeName: SCOPE, config: config({ group: "acme/estate" }) };
  expect(await client.stream("ListResource", { ...request, limit: 7 })).toHaveLength(7);
  expect(await client.stream("ListResource", request)).toHaveLength(40);
});

test("if the group of a query does not exist, the provider returns an error that points at `group`", async () => {
  const client = await served.configured({ token: TOKEN.owner });
  const request = { typeName: SCOPE, config: config({ group: "acme/nowhere" }), limit: 100 };
  const events = await client.stream("ListResource", request);
  expect(events).toMatchObject([
    {
      identity: undefined,
      diagnostic: [
        { severity: "ERROR", summary: "No such group", attribute: { steps: [{ attributeName: "group" }] } },
      ],
    },
  ]);
});

test("if the provider is not configured, a query fails", async () => {
  const client = (await served.serve())();
  const events = await client.stream("ListResource", { typeName: SCOPE, config: config({ project: "1" }) });
  expect(events).toMatchObject([{ diagnostic: [{ severity: "ERROR" }] }]);
});

test("the provider refuses a query with both a project and a group, or with neither", async () => {
  const client = (await served.serve())();
  const validate = async (given: Record<string, unknown>) =>
    (await client.call("ValidateListResourceConfig", { typeName: SCOPE, config: config(given) })).diagnostics;
  expect(await validate({ group: "acme" })).toEqual([]);
  expect(await validate({})).toMatchObject([{ detail: expect.stringContaining("needs a project or group") }]);
  expect(await validate({ group: "acme", project: "acme/web" })).toMatchObject([
    { attribute: { steps: [{ attributeName: "group" }] } },
  ]);
});

test("after a client cancels a query at the first object, the provider reads at most 20 of 40 objects", async () => {
  const client = await served.configured({ token: TOKEN.owner });
  served.service.requests.reset();
  const request = { typeName: SCOPE, config: config({ group: "acme/estate" }), limit: 1000 };
  await client.cancelAfterFirst("ListResource", request);
  // When this response arrives on the same connection, the provider has received the cancellation. The new configuration
  // waits for the requests in flight.
  await client.call("GetFunctions", {});
  await client.call("ConfigureProvider", { config: served.config() });
  const looks = served.service.requests.all.filter(({ url }) => url.endsWith("/job_token_scope"));
  expect(looks.length).toBeLessThanOrEqual(20);
});

test("a query writes an object's name with line breaks on one line in the display name", async () => {
  const client = await served.configured({ token: TOKEN.owner });
  const [event] = await client.stream("ListResource", {
    typeName: ENVIRONMENT,
    config: config({ project: "acme/odd" }),
    includeResourceObject: true,
    limit: 100,
  });
  expect(event!.displayName).toContain("acme/odd: ");
  expect(event!.displayName).not.toContain("\n");
  expect(obeyedLines(event!.displayName)).toEqual([]);
  expect(plain(event!.resourceObject)).toMatchObject({ name: HOSTILE });
});

test("the warning about unreadable projects escapes line breaks in the projects' paths", async () => {
  const proxy = new HttpProxy(served.service.url, async (passage) => {
    const answer = await passage.forward();
    if (/\/projects\/\d+\/job_token_scope/.test(passage.url) && !passage.url.includes(`/${listed}/`))
      passage.refuse(403, HOSTILE);
    else if (/\/groups\/[^/]+\/projects/.test(passage.url)) {
      const projects = JSON.parse(answer.body.toString()) as { id: number; path_with_namespace: string }[];
      listed = projects[0]!.id;
      const renamed = projects.map((one) => ({ ...one, path_with_namespace: `acme/${HOSTILE}` }));
      passage.answer({ ...answer, headers: JSON_TYPE, body: Buffer.from(JSON.stringify(renamed)) });
    } else passage.answer(answer);
  });
  let listed = 0;
  const client = await served.configured({ token: TOKEN.owner, base_url: await proxy.start() });
  const request = { typeName: SCOPE, config: config({ group: "acme/estate" }), limit: 100 };
  const events = await client.stream("ListResource", request);
  proxy.close();
  const warnings = events.flatMap(({ diagnostic }) => diagnostic);
  expect(warnings.at(-1)).toMatchObject({
    severity: "WARNING",
    detail: expect.stringContaining("The list lacks acme/evil"),
  });
  for (const { summary, detail } of warnings) expect(takenLines(`${summary}\n${detail}`)).toEqual([]);
  expect(takenLines(events.map(({ displayName }) => displayName).join("\n"))).toEqual([]);
});

const JSON_TYPE = { "content-type": "application/json" };

test("GenerateResourceConfig returns a configuration without computed attributes and default values", async () => {
  const client = (await served.serve())();
  const element = { user: null, group: null, access_level: 40, group_inheritance_type: 0 };
  const state = {
    id: "1:production",
    project: "acme/web",
    name: "production",
    deploy_access_levels: [element],
    approval_rules: [],
    required_approval_count: 0,
  };
  const { config: generated, diagnostics } = await client.call("GenerateResourceConfig", {
    typeName: ENVIRONMENT,
    state: dynamic(state),
  });
  expect(diagnostics).toEqual([]);
  expect(plain(generated)).toEqual({
    id: null,
    project: "acme/web",
    name: "production",
    deploy_access_levels: [{ ...element, access_level: "40", group_inheritance_type: null }],
    approval_rules: null,
    required_approval_count: null,
  });
});
