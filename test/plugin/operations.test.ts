import { readFileSync } from "node:fs";
import path from "node:path";
import { ExtData } from "@msgpack/msgpack";
import { parse } from "protobufjs";
import type { Provider } from "../../src/framework/protocol/protocol";
import { PROVIDER_SERVICE } from "../../src/plugin/messages/generated/tfplugin6";
import { OPERATIONS, STREAMS, UNIMPLEMENTED } from "../../src/plugin/operations";
import { createProvider } from "../../src/provider";
import { TOKEN } from "../provider/support/world";
import { dynamic, plain, plan } from "./support/plugin-client";
import { useServed } from "./support/served";

// The tests cover requests about the provider itself: its schema and capabilities, configuration, stop, and refusals.
// `resource-changes` covers changes of objects.

const SCOPE = "steward_job_token_scope";
const unknown = new ExtData(0, new Uint8Array([0]));

const served = useServed();
const { serve, config: providerConfig, configured } = served;

const scope = (given: Record<string, unknown> = {}) =>
  dynamic({ id: null, project: "acme/web", inbound_enabled: null, outbound_enabled: null, ...given });
const currentUser = { typeName: "steward_current_user", config: dynamic({}) };

test("GetProviderSchema, GetMetadata and GetFunctions list all types and functions of the provider", async () => {
  const client = (await serve())();
  const { schema } = createProvider();
  const answered = await client.call("GetProviderSchema", {});
  expect(Object.keys(answered.resourceSchemas).sort()).toEqual(Object.keys(schema.resources).sort());
  expect(Object.keys(answered.dataSourceSchemas).sort()).toEqual(Object.keys(schema.dataSources).sort());
  const metadata = await client.call("GetMetadata", {});
  expect(metadata.resources.map(({ typeName }) => typeName)).toEqual(Object.keys(schema.resources));
  expect(metadata.serverCapabilities).toEqual({
    planDestroy: true,
    getProviderSchemaOptional: true,
    moveResourceState: true,
    generateResourceConfig: true,
  });
  expect(Object.keys(answered.functions).sort()).toEqual(Object.keys(schema.functions!).sort());
  expect(await client.call("GetFunctions", {})).toEqual({ functions: answered.functions, diagnostics: [] });
  expect(metadata.functions.map(({ name }) => name)).toEqual(Object.keys(schema.functions!));
  const { identitySchemas } = await client.call("GetResourceIdentitySchemas", {});
  expect(Object.keys(identitySchemas).sort()).toEqual(Object.keys(schema.resources).sort());
  expect(identitySchemas["steward_protected_environment"]).toMatchObject({
    version: 0,
    identityAttributes: [
      { name: "project", type: Buffer.from('"string"'), requiredForImport: true, optionalForImport: false },
      { name: "name", type: Buffer.from('"string"'), requiredForImport: true, optionalForImport: false },
    ],
  });
});

test("the schema says for each attribute whether it is sensitive or deprecated", async () => {
  const client = (await serve())();
  const { provider, resourceSchemas } = await client.call("GetProviderSchema", {});
  const named = (attributes: readonly { name: string }[] | undefined, name: string) =>
    attributes?.find((each) => each.name === name);
  expect(named(provider?.block?.attributes, "token")).toMatchObject({ optional: true, sensitive: true });
  expect(named(resourceSchemas[SCOPE]?.block?.attributes, "outbound_enabled")).toMatchObject({
    computed: true,
    deprecated: true,
  });
});

test.each([
  [
    "of an older release is upgraded",
    SCOPE,
    { id: "1", project: "acme/web", colour: "red" },
    { id: "1", project: "acme/web", inbound_enabled: null, outbound_enabled: null },
  ],
  [
    "that exceeds gRPC's default limit of a message is upgraded",
    "steward_job_token_allowlist",
    { id: "1", target_projects: Array.from({ length: 400_000 }, (_, index) => `acme/project-${index}`) },
    { target_projects: { length: 400_000 } },
  ],
])("a state %s", async (_, typeName, stored, expected) => {
  const json = Buffer.from(JSON.stringify(stored));
  const request = { typeName, version: 0, rawState: { json } };
  const { upgradedState } = await (await serve())().call("UpgradeResourceState", request);
  expect(plain(upgradedState)).toMatchObject(expected);
  expect(plain(upgradedState)).not.toHaveProperty("colour");
});

test("if a state is from Terraform 0.11, the error suggests Terraform 0.12", async () => {
  const request = { typeName: SCOPE, version: 0, rawState: { flatmap: { id: "1" } } };
  const { diagnostics } = await (await serve())().call("UpgradeResourceState", request);
  expect(diagnostics).toMatchObject([
    { severity: "ERROR", detail: expect.stringContaining("Terraform 0.12") },
  ]);
});

test("two connections with different tokens read data as different users", async () => {
  const connect = await serve();
  const [owner, outsider] = [connect(), connect()];
  await owner.call("ConfigureProvider", { config: providerConfig({ token: TOKEN.owner }) });
  await outsider.call("ConfigureProvider", { config: providerConfig({ token: TOKEN.outsider }) });
  const users = await Promise.all(
    [owner, outsider].map((client) => client.call("ReadDataSource", currentUser)),
  );
  expect(users.map(({ state }) => plain(state))).toMatchObject([
    { username: "oskar" },
    { username: "outsider" },
  ]);
});

test("after ConfigureProvider with another token, the provider reads a data source again instead of from the cache", async () => {
  const client = await configured();
  const current = { typeName: "steward_project", config: dynamic({ project: "acme/web" }) };
  await client.call("ReadDataSource", current);
  await client.call("ConfigureProvider", { config: providerConfig({ token: TOKEN.outsider }) });
  const { diagnostics } = await client.call("ReadDataSource", current);
  expect(diagnostics).toMatchObject([{ severity: "ERROR" }]);
});

test("if the provider configuration is unknown, ReadResource returns an error", async () => {
  const connect = await serve();
  const wrong = await connect().call("ConfigureProvider", {
    config: providerConfig({ base_url: "no address" }),
  });
  expect(wrong.diagnostics).toMatchObject([{ severity: "ERROR" }]);
  const client = connect();
  const later = await client.call("ConfigureProvider", { config: providerConfig({ token: unknown }) });
  expect(later.diagnostics).toEqual([]);
  const { plannedState } = await plan(client, SCOPE, scope());
  expect(plain(plannedState)).toMatchObject({ id: unknown, project: "acme/web" });
  const read = await client.call("ReadResource", { typeName: SCOPE, currentState: scope({ id: "1" }) });
  expect(read.diagnostics).toMatchObject([{ summary: "Provider configuration not known yet" }]);
});

test("StopProvider ends a read in progress with an error", async () => {
  const client = await configured();
  served.service.faults.add({ route: "/user", delay: 60_000 });
  const reading = client.call("ReadDataSource", currentUser);
  // The second request uses the same connection. Its response shows that the provider has begun to handle the first
  // request.
  await client.call("GetFunctions", {});
  expect(await client.call("StopProvider", {})).toEqual({ Error: "" });
  expect((await reading).diagnostics).toMatchObject([{ severity: "ERROR" }]);
});

test("after StopProvider, the response to a change in flight still contains the new state", async () => {
  const client = await configured();
  served.service.faults.add({ method: "PATCH", route: "/projects/:id/job_token_scope", delay: 300 });
  const known = { id: "1", project: "1", outbound_enabled: false };
  const changing = client.call("ApplyResourceChange", {
    typeName: SCOPE,
    priorState: scope({ ...known, inbound_enabled: true }),
    plannedState: scope({ ...known, inbound_enabled: false }),
    config: scope({ project: "1", inbound_enabled: false }),
  });
  await client.call("GetFunctions", {});
  expect(await client.call("StopProvider", {})).toEqual({ Error: "" });
  const { newState, diagnostics } = await changing;
  expect(diagnostics).toEqual([]);
  expect(plain(newState)).toMatchObject({ inbound_enabled: false });
});

test("after an internal error, the provider returns a diagnostic and accepts further calls", async () => {
  const faulty: Provider = {
    ...createProvider(),
    validateResource: () => {
      throw new TypeError("x is not a function");
    },
  };
  const client = (await serve(faulty))();
  const validate = async (typeName: string) =>
    (await client.call("ValidateResourceConfig", { typeName, config: scope() })).diagnostics;
  expect(await validate(SCOPE)).toMatchObject([
    { severity: "ERROR", detail: expect.stringContaining("x is not a function") },
  ]);
  expect(await validate("steward_nothing")).toMatchObject([
    { detail: expect.stringContaining("steward_nothing, which is not in the provider's schema") },
  ]);
  expect((await client.call("GetFunctions", {})).diagnostics).toEqual([]);
});

test.each([
  ["UpgradeResourceState", { typeName: SCOPE }, "state"],
  ["UpgradeResourceIdentity", { typeName: SCOPE }, "identity"],
  ["ReadResource", { typeName: SCOPE }, "state"],
  ["ValidateResourceConfig", { typeName: SCOPE }, "configuration"],
  ["ValidateDataResourceConfig", { typeName: "steward_current_user" }, "configuration"],
  ["GenerateResourceConfig", { typeName: SCOPE }, "state"],
] as const)(
  "if a %s request lacks a required part, the error names the missing part",
  async (operation, request, missing) => {
    const { diagnostics } = await (await configured()).call(operation, request);
    expect(diagnostics).toMatchObject([
      { severity: "ERROR", detail: expect.stringContaining(`Terraform sent no ${missing}.`) },
    ]);
  },
);

test("if MoveResourceState can't convert the source type, the error contains this type", async () => {
  const { diagnostics } = await (await serve())().call("MoveResourceState", {
    sourceTypeName: "other_scope",
    sourceProviderAddress: "registry.terraform.io/gitlabhq/gitlab",
    sourceState: { json: Buffer.from("{}") },
    targetTypeName: SCOPE,
  });
  expect(diagnostics).toMatchObject([{ severity: "ERROR", detail: expect.stringContaining("other_scope") }]);
});

test("every procedure of the protocol has an implementation or is in the list UNIMPLEMENTED", () => {
  const proto = readFileSync(path.join(__dirname, "../../src/plugin/proto/tfplugin6.proto"), "utf8");
  const { methodsArray } = parse(proto).root.lookupService("tfplugin6.Provider");
  expect([...Object.keys(OPERATIONS), ...Object.keys(STREAMS), ...UNIMPLEMENTED].sort()).toEqual(
    methodsArray.map(({ name }) => name).sort(),
  );
});

test.each([
  "ValidateEphemeralResourceConfig",
  "OpenEphemeralResource",
  "RenewEphemeralResource",
  "CloseEphemeralResource",
  "ValidateStateStoreConfig",
  "ConfigureStateStore",
  "LockState",
  "UnlockState",
  "GetStates",
  "DeleteState",
  "ValidateActionConfig",
  "PlanAction",
] as const)("the procedure %s is not supported", async (name) => {
  const { diagnostics } = await (await serve())().call(name, {});
  expect(diagnostics).toMatchObject([
    { severity: "ERROR", detail: expect.stringContaining("this provider has none") },
  ]);
});

test("InvokeAction ends with an error event, because the provider has no actions", async () => {
  const client = (await serve())();
  const events = await client.stream("InvokeAction", { actionType: "steward_nothing" });
  expect(events).toMatchObject([
    { completed: { diagnostics: [{ detail: expect.stringContaining("requested an action") }] } },
  ]);
  await expect(client.stream("ReadStateBytes", {})).rejects.toMatchObject({ code: 12 });
});

test("a call of an unknown procedure returns UNIMPLEMENTED", async () => {
  const client = (await serve())();
  const { GetFunctions, WriteStateBytes } = PROVIDER_SERVICE;
  const unimplemented = { code: 12 };
  await expect(client.send({ ...GetFunctions, path: "/tfplugin6.Provider/Later" }, {})).rejects.toMatchObject(
    unimplemented,
  );
  await expect(client.send(WriteStateBytes, {})).rejects.toMatchObject(unimplemented);
});
