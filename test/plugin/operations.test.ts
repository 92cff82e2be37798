import { readFileSync } from "node:fs";
import path from "node:path";
import { ExtData } from "@msgpack/msgpack";
import { parse } from "protobufjs";
import type { Provider } from "../../src/framework/protocol/protocol";
import { PROVIDER_SERVICE } from "../../src/plugin/messages/generated/tfplugin6";
import { OPERATIONS, STREAMS, UNIMPLEMENTED } from "../../src/plugin/operations";
import { createProvider } from "../../src/provider";
import { TOKEN } from "../provider/support/world";
import { dynamic, plain } from "./support/plugin-client";
import { useServed } from "./support/served";

const SCOPE = "steward_job_token_scope";
const NONE = dynamic(null);
const unknown = new ExtData(0, new Uint8Array([0]));

const served = useServed();
const { serve, config: providerConfig, configured } = served;

const scope = (given: Record<string, unknown> = {}) =>
  dynamic({ id: null, project: "acme/web", inbound_enabled: null, outbound_enabled: null, ...given });

test("the schema and the metadata list every type", async () => {
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

test("a sensitive attribute and a deprecated one are marked", async () => {
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

test("no call depends on an earlier one for the schema", async () => {
  const client = await configured();
  const planned = await client.call("PlanResourceChange", {
    typeName: SCOPE,
    priorState: NONE,
    proposedNewState: scope(),
    config: scope(),
  });
  expect(planned.diagnostics).toEqual([]);
  expect(plain(planned.plannedState)).toEqual({
    id: unknown,
    project: "acme/web",
    inbound_enabled: unknown,
    outbound_enabled: unknown,
  });
});

test("create, read, and plan a destroy", async () => {
  const client = await configured();
  const config = scope({ inbound_enabled: false });
  const { plannedState, plannedPrivate } = await client.call("PlanResourceChange", {
    typeName: SCOPE,
    priorState: NONE,
    proposedNewState: config,
    config,
  });
  const applied = await client.call("ApplyResourceChange", {
    typeName: SCOPE,
    priorState: NONE,
    plannedState: plannedState!,
    config,
    plannedPrivate,
  });
  expect(plain(applied.newState)).toMatchObject({ id: "1", inbound_enabled: false });
  const read = await client.call("ReadResource", {
    typeName: SCOPE,
    currentState: applied.newState!,
    private: applied.private,
  });
  expect(read).toMatchObject({ newState: applied.newState, private: applied.private, diagnostics: [] });
  const end = await client.call("PlanResourceChange", {
    typeName: SCOPE,
    priorState: applied.newState!,
    proposedNewState: NONE,
    config: NONE,
    priorPrivate: applied.private,
  });
  expect(plain(end.plannedState)).toBeNull();
  expect(end.plannedPrivate).toEqual(applied.private);
});

test("the details of a cause are reported once for all objects; a new configuration starts over", async () => {
  const client = await configured();
  const plan = async (project: string) => {
    const config = scope({ project });
    const request = { typeName: SCOPE, priorState: NONE, proposedNewState: config, config };
    const { diagnostics } = await client.call("PlanResourceChange", request);
    return diagnostics.map(({ summary, detail }) => [summary, detail]);
  };
  const full = expect.stringContaining("can't be found with this token");
  const short = "See the first object of this run with this cause for details.";
  expect(await plan("acme/nowhere")).toEqual([["No such project", full]]);
  expect(await plan("acme/nowhere")).toEqual([["No such project", short]]);
  expect(await plan("acme/elsewhere")).toEqual([["No such project", full]]);
  await client.call("ConfigureProvider", { config: providerConfig() });
  expect(await plan("acme/nowhere")).toEqual([["No such project", full]]);
});

test("another project replaces the object, and the path names the attribute", async () => {
  const client = await configured();
  const prior = scope({ id: "1", inbound_enabled: true, outbound_enabled: true });
  const config = scope({ project: "acme/tools" });
  const { requiresReplace } = await client.call("PlanResourceChange", {
    typeName: SCOPE,
    priorState: prior,
    proposedNewState: config,
    config,
  });
  expect(requiresReplace).toMatchObject([{ steps: [{ attributeName: "project" }] }]);
});

test("a state of an older release is upgraded", async () => {
  const client = (await serve())();
  const json = Buffer.from(JSON.stringify({ id: "1", project: "acme/web", colour: "red" }));
  const { upgradedState } = await client.call("UpgradeResourceState", {
    typeName: SCOPE,
    version: 0,
    rawState: { json },
  });
  expect(plain(upgradedState)).toEqual({
    id: "1",
    project: "acme/web",
    inbound_enabled: null,
    outbound_enabled: null,
  });
});

test("a state of Terraform 0.11 is refused with a remedy", async () => {
  const client = (await serve())();
  const { diagnostics } = await client.call("UpgradeResourceState", {
    typeName: SCOPE,
    version: 0,
    rawState: { flatmap: { id: "1" } },
  });
  expect(diagnostics).toMatchObject([
    { severity: "ERROR", detail: expect.stringContaining("Terraform 0.12") },
  ]);
});

test("messages may exceed gRPC's default limit", async () => {
  const client = (await serve())();
  const targets = Array.from({ length: 400_000 }, (_, index) => `acme/project-${index}`);
  const json = Buffer.from(JSON.stringify({ id: "1", project: "acme/web", target_projects: targets }));
  const { upgradedState } = await client.call("UpgradeResourceState", {
    typeName: "steward_job_token_allowlist",
    version: 0,
    rawState: { json },
  });
  expect(plain(upgradedState)).toMatchObject({ target_projects: { length: targets.length } });
});

test("two connections share neither configuration nor client", async () => {
  const connect = await serve();
  const [owner, outsider] = [connect(), connect()];
  await owner.call("ConfigureProvider", { config: providerConfig({ token: TOKEN.owner }) });
  await outsider.call("ConfigureProvider", { config: providerConfig({ token: TOKEN.outsider }) });
  const users = await Promise.all(
    [owner, outsider].map((client) =>
      client.call("ReadDataSource", { typeName: "steward_current_user", config: dynamic({}) }),
    ),
  );
  expect(users.map(({ state }) => plain(state))).toMatchObject([
    { username: "oskar" },
    { username: "outsider" },
  ]);
});

test("a new configuration drops cached reads", async () => {
  const client = await configured();
  const current = { typeName: "steward_project", config: dynamic({ project: "acme/web" }) };
  await client.call("ReadDataSource", current);
  await client.call("ConfigureProvider", { config: providerConfig({ token: TOKEN.outsider }) });
  const { diagnostics } = await client.call("ReadDataSource", current);
  expect(diagnostics).toMatchObject([{ severity: "ERROR" }]);
});

test("an invalid configuration fails at once, an unknown one when it is needed", async () => {
  const connect = await serve();
  const wrong = await connect().call("ConfigureProvider", {
    config: providerConfig({ base_url: "no address" }),
  });
  expect(wrong.diagnostics).toMatchObject([{ severity: "ERROR" }]);
  const client = connect();
  const later = await client.call("ConfigureProvider", { config: providerConfig({ token: unknown }) });
  expect(later.diagnostics).toEqual([]);
  const config = scope();
  const plan = await client.call("PlanResourceChange", {
    typeName: SCOPE,
    priorState: NONE,
    proposedNewState: config,
    config,
  });
  expect(plain(plan.plannedState)).toMatchObject({ id: unknown, project: "acme/web" });
  const read = await client.call("ReadResource", { typeName: SCOPE, currentState: scope({ id: "1" }) });
  expect(read.diagnostics).toMatchObject([{ summary: "Provider configuration is not known yet" }]);
});

test("a stop ends operations in progress", async () => {
  const client = await configured();
  served.service.faults.add({ route: "/user", delay: 60_000 });
  const reading = client.call("ReadDataSource", { typeName: "steward_current_user", config: dynamic({}) });
  // Sent on the same connection later, so it is answered once the reading has begun.
  await client.call("GetFunctions", {});
  expect(await client.call("StopProvider", {})).toEqual({ Error: "" });
  expect((await reading).diagnostics).toMatchObject([{ severity: "ERROR" }]);
});

test("a stop waits for a change that was sent, and returns its response", async () => {
  const client = await configured();
  served.service.faults.add({ method: "PATCH", route: "/projects/:id/job_token_scope", delay: 300 });
  const planned = scope({ id: "1", project: "1", inbound_enabled: false, outbound_enabled: false });
  const changing = client.call("ApplyResourceChange", {
    typeName: SCOPE,
    priorState: scope({ id: "1", project: "1", inbound_enabled: true, outbound_enabled: false }),
    plannedState: planned,
    config: scope({ project: "1", inbound_enabled: false }),
  });
  await client.call("GetFunctions", {});
  expect(await client.call("StopProvider", {})).toEqual({ Error: "" });
  const { newState, diagnostics } = await changing;
  expect(diagnostics).toEqual([]);
  expect(plain(newState)).toMatchObject({ inbound_enabled: false });
});

test("an internal error is reported as one, and the connection stays open", async () => {
  const faulty: Provider = {
    ...createProvider(),
    validateResource: () => {
      throw new TypeError("x is not a function");
    },
  };
  const client = (await serve(faulty))();
  const { diagnostics } = await client.call("ValidateResourceConfig", { typeName: SCOPE, config: scope() });
  expect(diagnostics).toMatchObject([
    { severity: "ERROR", detail: expect.stringContaining("x is not a function") },
  ]);
  expect(
    (await client.call("ValidateResourceConfig", { typeName: "steward_nothing", config: scope() }))
      .diagnostics,
  ).toMatchObject([
    { detail: expect.stringContaining("steward_nothing, which is not in the provider's schema") },
  ]);
  expect((await client.call("GetFunctions", {})).diagnostics).toEqual([]);
});

test("an internal error during apply keeps the prior state", async () => {
  const client = (await serve())();
  const prior = scope({ id: "1", inbound_enabled: true });
  const config = scope({ inbound_enabled: false });
  const bytes = Buffer.from("kept");
  const applied = await client.call("ApplyResourceChange", {
    typeName: SCOPE,
    priorState: prior,
    plannedState: scope({ id: "1", inbound_enabled: false }),
    config,
    plannedPrivate: bytes,
  });
  expect(applied.diagnostics).toMatchObject([
    { detail: expect.stringContaining("before it configured the provider") },
  ]);
  expect(plain(applied.newState)).toMatchObject({ id: "1", inbound_enabled: true });
  expect(Buffer.from(applied.private)).toEqual(bytes);
});

test("a move from another type is refused with a remedy", async () => {
  const client = (await serve())();
  const { diagnostics } = await client.call("MoveResourceState", {
    sourceTypeName: "other_scope",
    sourceProviderAddress: "registry.terraform.io/gitlabhq/gitlab",
    sourceState: { json: Buffer.from("{}") },
    targetTypeName: SCOPE,
  });
  expect(diagnostics).toMatchObject([{ severity: "ERROR", detail: expect.stringContaining("other_scope") }]);
});

test("every procedure of the protocol has a response or is UNIMPLEMENTED", () => {
  const proto = readFileSync(path.join(__dirname, "../../src/plugin/proto/tfplugin6.proto"), "utf8");
  const { root } = parse(proto);
  const { methodsArray } = root.lookupService("tfplugin6.Provider");
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
] as const)("%s is not supported", async (name) => {
  const client = (await serve())();
  const { diagnostics } = await client.call(name, {});
  expect(diagnostics).toMatchObject([
    { severity: "ERROR", detail: expect.stringContaining("this provider has none") },
  ]);
});

test("an action is refused by its last event", async () => {
  const client = (await serve())();
  const events = await client.stream("InvokeAction", { actionType: "steward_nothing" });
  expect(events).toMatchObject([
    { completed: { diagnostics: [{ detail: expect.stringContaining("requested an action") }] } },
  ]);
});

test("a state store's stream is UNIMPLEMENTED", async () => {
  const client = (await serve())();
  await expect(client.stream("ReadStateBytes", {})).rejects.toMatchObject({ code: 12 });
});

test("an unknown procedure is a gRPC error", async () => {
  const client = (await serve())();
  const { GetFunctions, WriteStateBytes } = PROVIDER_SERVICE;
  const unimplemented = { code: 12 };
  await expect(client.send({ ...GetFunctions, path: "/tfplugin6.Provider/Later" }, {})).rejects.toMatchObject(
    unimplemented,
  );
  await expect(client.send(WriteStateBytes, {})).rejects.toMatchObject(unimplemented);
});

test("each object that exists is an error of one line with the id to import", async () => {
  const type = "steward_container_protection_rule";
  const rule = (pattern: string) => ({
    project: "acme/web",
    repository_path_pattern: pattern,
    minimum_access_level_for_push: "owner",
    minimum_access_level_for_delete: null,
  });
  const patterns = ["acme/web/a", "acme/web/b", "acme/web/c"];
  for (const pattern of patterns.slice(0, 2)) {
    const { project: _, minimum_access_level_for_delete: __, ...body } = rule(pattern);
    await fetch(`${served.service.url}/api/v4/projects/1/registry/protection/repository/rules`, {
      method: "POST",
      headers: { "private-token": TOKEN.maintainer, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  }
  const client = await configured();
  served.service.requests.reset();
  const answers = await Promise.all(
    patterns.map((pattern) => {
      const given = dynamic({ id: null, rule_id: null, ...rule(pattern) });
      return client.call("PlanResourceChange", {
        typeName: type,
        priorState: NONE,
        proposedNewState: given,
        config: given,
      });
    }),
  );
  expect(
    answers.map(({ diagnostics }) => diagnostics.map(({ summary, detail }) => [summary, detail])),
  ).toEqual([
    ...[1, 2].map((id) => [
      [
        "Already exists",
        `The container protection rule "1:${id}" exists on the service, and not in this state. Import it by this id, or delete it on the service. If this apply replaces it, first remove its address from the state.`,
      ],
    ]),
    [],
  ]);
  expect(served.service.requests.all.filter(({ url }) => url.includes("/rules"))).toHaveLength(1);
});

describe.each([
  [
    "steward_job_token_allowlist_project",
    { target_project: "acme/tools" },
    { target_project_id: unknown },
    [],
  ],
  [
    "steward_protected_environment",
    {
      name: "own",
      deploy_access_levels: [{ access_level: 40, group: null, user: null, group_inheritance_type: 0 }],
    },
    { approval_rules: unknown, required_approval_count: unknown },
    [expect.stringContaining("Remove create_before_destroy, or plan without a replacement.")],
  ],
  [
    "steward_container_protection_rule",
    {
      repository_path_pattern: "acme/web/own",
      minimum_access_level_for_push: "owner",
      minimum_access_level_for_delete: null,
    },
    { rule_id: unknown },
    [expect.stringContaining("Remove create_before_destroy, or plan without a replacement.")],
  ],
])("a replacement of %s by itself that creates first", (typeName, declared, computed, refusals) => {
  const nulls = Object.fromEntries(Object.keys(computed).map((name) => [name, null]));
  const config = dynamic({ id: null, project: "acme/web", ...nulls, ...declared });
  const isNew = { typeName, priorState: NONE, proposedNewState: config, config };

  test("keeps it, or says why it can't; a client that hides its plan during apply is told what to do first", async () => {
    const client = await configured();
    const made = await client.call("PlanResourceChange", isNew);
    const created = await client.call("ApplyResourceChange", {
      ...isNew,
      plannedState: made.plannedState!,
      plannedPrivate: made.plannedPrivate,
    });
    expect([...made.diagnostics, ...created.diagnostics]).toEqual([]);
    const plans = await configured();
    const first = await plans.call("PlanResourceChange", {
      ...{ ...isNew, priorState: created.newState!, proposedNewState: created.newState! },
      priorPrivate: created.private,
    });
    const second = await plans.call("PlanResourceChange", { ...isNew, priorPrivate: first.plannedPrivate });
    expect([...first.diagnostics, ...second.diagnostics]).toEqual([]);

    // The process that applies plans once more.
    const [untold, applies] = [await configured(), await configured()];
    expect((await untold.call("PlanResourceChange", isNew)).diagnostics).toMatchObject([
      {
        detail: expect.stringContaining(
          "If this apply replaces it, first remove its address from the state.",
        ),
      },
    ]);
    const { plannedState, plannedPrivate, diagnostics } = await applies.call("PlanResourceChange", {
      ...{ ...isNew, plannedPrivate: second.plannedPrivate },
      clientCapabilities: { storePlannedPrivate: true },
    });
    expect(diagnostics).toEqual([]);
    const again = await applies.call("ApplyResourceChange", {
      ...isNew,
      plannedState: plannedState!,
      plannedPrivate,
    });
    expect(again.diagnostics.map(({ detail }) => detail)).toEqual(refusals);
    if (refusals.length === 0)
      expect(again).toMatchObject({ newState: created.newState, private: created.private });
  });
});
