import { TOKEN } from "../provider/support/world";
import { dynamic, make, NONE, type PluginClient, plain, plan } from "./support/plugin-client";
import { useServed } from "./support/served";

// The tests cover every procedure of the plugin protocol whose messages contain the identity of an object.

const TYPE = "steward_protected_environment";
const IDENTITY = { project: "1", name: "production" };

const served = useServed();
let client: PluginClient;
beforeEach(async () => {
  client = await served.configured();
});
afterEach(() =>
  fetch(`${served.service.url}/api/v4/projects/1/protected_environments/production`, {
    method: "DELETE",
    headers: { "private-token": TOKEN.maintainer },
  }),
);

const levels = (access_level: number) => [
  { access_level, user: null, group: null, group_inheritance_type: null },
];

/** Configures the provider again, which begins another run. */
const configure = () => client.call("ConfigureProvider", { config: served.config() });

const environment = (given: Record<string, unknown> = {}) =>
  dynamic({
    id: null,
    project: "acme/web",
    name: "production",
    deploy_access_levels: levels(40),
    approval_rules: null,
    required_approval_count: null,
    ...given,
  });

async function create() {
  const made = await make(client, TYPE, environment());
  await configure();
  return made;
}

const identityOf = (
  data: { readonly identityData: { readonly msgpack: Uint8Array } | undefined } | undefined,
) => plain(data?.identityData as never);

test("create, read and plan return the identity of an existing object", async () => {
  const made = await create();
  expect(identityOf(made.newIdentity)).toEqual(IDENTITY);
  const read = await client.call("ReadResource", {
    typeName: TYPE,
    currentState: made.newState!,
    private: made.private,
    currentIdentity: made.newIdentity!,
  });
  expect(identityOf(read.newIdentity)).toEqual(IDENTITY);

  const change = async (proposedNewState: { msgpack: Uint8Array }) => {
    await configure();
    const prior = { priorState: read.newState!, priorPrivate: read.private };
    return plan(client, TYPE, proposedNewState, { ...prior, priorIdentity: read.newIdentity! });
  };
  const update = environment({ deploy_access_levels: levels(30) });
  expect(identityOf((await change(update)).plannedIdentity)).toEqual(IDENTITY);
  expect(identityOf((await change(environment({ name: "other" }))).plannedIdentity)).toEqual(IDENTITY);
  expect((await change(NONE)).plannedIdentity).toBeUndefined();

  const gone = await client.call("ApplyResourceChange", {
    typeName: TYPE,
    priorState: read.newState!,
    plannedState: NONE,
    config: NONE,
    plannedPrivate: read.private,
  });
  expect(gone).toMatchObject({ newIdentity: undefined, diagnostics: [] });
});

test("after an object was deleted, a read returns neither a state nor an identity", async () => {
  const made = await create();
  await client.call("ApplyResourceChange", {
    typeName: TYPE,
    priorState: made.newState!,
    plannedState: NONE,
    config: NONE,
  });
  await configure();
  const read = await client.call("ReadResource", { typeName: TYPE, currentState: made.newState! });
  expect(plain(read.newState)).toBeNull();
  expect(read.newIdentity).toBeUndefined();
});

test("an import by id or by identity, with the id or path of the project, returns the complete identity", async () => {
  await create();
  const targets = [
    { id: "1:production" },
    { identity: { identityData: dynamic(IDENTITY) } },
    { identity: { identityData: dynamic({ ...IDENTITY, project: "acme/web" }) } },
  ];
  for (const target of targets) {
    const { importedResources, diagnostics } = await client.call("ImportResourceState", {
      typeName: TYPE,
      ...target,
    });
    expect(diagnostics).toEqual([]);
    expect(importedResources).toMatchObject([{ typeName: TYPE }]);
    expect(identityOf(importedResources[0]!.identity)).toEqual(IDENTITY);
    expect(plain(importedResources[0]!.state)).toMatchObject({ id: "1:production" });
  }
});

test.each([
  ["null", null],
  ["incomplete", { project: "1", name: null }],
])("the provider refuses an import by an identity that is %s", async (_, value) => {
  const { importedResources, diagnostics } = await client.call("ImportResourceState", {
    typeName: TYPE,
    identity: { identityData: dynamic(value) },
  });
  expect(importedResources).toEqual([]);
  expect(diagnostics).toMatchObject([{ severity: "ERROR", summary: "Invalid import identity" }]);
});

test("an upgrade of an identity drops attributes that the schema lacks", async () => {
  const upgrade = (version: number, stored: object) =>
    client.call("UpgradeResourceIdentity", {
      typeName: TYPE,
      version,
      rawIdentity: { json: Buffer.from(JSON.stringify(stored)) },
    });
  const upgraded = await upgrade(0, { ...IDENTITY, colour: "red" });
  expect(identityOf(upgraded.upgradedIdentity)).toEqual(IDENTITY);
  expect(identityOf((await upgrade(0, { name: "qa" })).upgradedIdentity)).toEqual({
    project: null,
    name: "qa",
  });
  expect(await upgrade(1, IDENTITY)).toMatchObject({
    upgradedIdentity: undefined,
    diagnostics: [{ severity: "ERROR", summary: "State was written by a newer release" }],
  });
});

test.each([
  ["a number", "1", IDENTITY],
  ["a path, which the next read resolves", "acme/web", undefined],
])(
  "a move sets the identity at once if the old state has the project's number: %s",
  async (_, project, identity) => {
    const state = {
      id: `${project}:production`,
      project,
      environment: "production",
      deploy_access_levels: [{ access_level: "maintainer" }],
    };
    const { targetIdentity, diagnostics } = await client.call("MoveResourceState", {
      sourceTypeName: "gitlab_project_protected_environment",
      sourceProviderAddress: "registry.terraform.io/gitlabhq/gitlab",
      sourceState: { json: Buffer.from(JSON.stringify(state)) },
      targetTypeName: TYPE,
    });
    expect(diagnostics.filter(({ severity }) => severity === "ERROR")).toEqual([]);
    expect(identity === undefined ? targetIdentity : identityOf(targetIdentity)).toEqual(identity);
  },
);
