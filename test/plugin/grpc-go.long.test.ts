import { ExtData } from "@msgpack/msgpack";
import { createProvider } from "../../src/provider";
import { numbers } from "../provider/support/crowd";
import { FIXTURE, TOKEN } from "../provider/support/world";
import { describeFeature } from "../support/compatibility";
import { BUILD, GoProgram } from "../transport/support/go-program";
import { GoSession } from "./support/go-session";
import { dynamic, plain } from "./support/plugin-client";
import { useServed } from "./support/served";

// The tests send requests with the gRPC library of Terraform, including requests that no installed Terraform or
// OpenTofu sends. The tests `operations`, `functions`, `list-resource` and `identity` cover the content of the
// responses.

jest.setTimeout(BUILD);

const SCOPE = "steward_job_token_scope";
const RULE = "steward_container_protection_rule";
const unknown = new ExtData(0, new Uint8Array([0]));

const served = useServed({
  ...FIXTURE,
  groups: [...FIXTURE.groups!, { path: "acme/estate" }],
  projects: [...FIXTURE.projects!, ...numbers(40).map((index) => ({ path: `acme/estate/p${index}` }))],
});
const query = (given: Record<string, unknown>) =>
  dynamic({ project: null, group: null, include_subgroups: null, ...given });

let program: GoProgram | undefined;
const sessions: GoSession[] = [];
afterEach(() => {
  for (const session of sessions.splice(0)) session.close();
});
afterAll(() => program?.remove());

async function connect(go: string): Promise<GoSession> {
  program ??= new GoProgram(go, "client");
  const session = new GoSession(program, await served.socket());
  sessions.push(session);
  return session;
}

async function configured(go: string): Promise<GoSession> {
  const session = await connect(go);
  const config = served.config({ token: TOKEN.owner });
  const { messages, code } = await session.call("ConfigureProvider", { config });
  expect([code, messages]).toEqual(["OK", [{ diagnostics: [] }]]);
  return session;
}

describeFeature("functions", ["grpc-go"], (go) => {
  test("CallFunction returns the result of a provider function, or an error that points at the argument", async () => {
    const session = await connect(go);
    const call = async (name: string, ...args: readonly unknown[]) => {
      const request = { name, arguments: args.map(dynamic) };
      const { messages, code } = await session.call("CallFunction", request);
      expect(code).toBe("OK");
      const [{ result, error }] = messages as [(typeof messages)[0]];
      return error === undefined ? plain(result) : error;
    };
    expect(await call("access_level", "maintainer")).toBe("40");
    expect(await call("access_level_name", unknown)).toEqual(unknown);
    expect(await call("parse_id", "x")).toMatchObject({ functionArgument: 0 });
    const { messages } = await session.call("GetFunctions", {});
    expect(Object.keys(messages[0]!.functions)).toEqual(["access_level", "access_level_name", "parse_id"]);
  });
});

describeFeature("list-resources", ["grpc-go"], (go) => {
  test("a query with the limit 25 sends 25 messages, one for each object", async () => {
    const session = await configured(go);
    const request = { typeName: SCOPE, config: query({ group: "acme/estate" }), includeResourceObject: true };
    const { messages, code } = await session.call("ListResource", { ...request, limit: 25 });
    expect([code, messages.length]).toEqual(["OK", 25]);
    for (const { displayName, identity, resourceObject } of messages) {
      const object = plain(resourceObject) as { id: string; project: string };
      expect(object.project).toBe(displayName);
      expect(plain(identity!.identityData)).toEqual({ project: object.id });
    }
    served.service.requests.reset();
    const cancelled = await session.call("ListResource", { ...request, limit: 1000 }, 1);
    expect(cancelled.code).toBe("Canceled");
    // A new configuration closes the provider's client. The new configuration waits for the requests in flight, so the
    // count below is final.
    await session.call("ConfigureProvider", { config: served.config() });
    const looks = served.service.requests.all.filter(({ url }) => url.endsWith("/job_token_scope"));
    expect(looks.length).toBeLessThan(40);
  });

  test("ValidateListResourceConfig returns an error for an invalid query configuration", async () => {
    const request = { typeName: SCOPE, config: query({}) };
    const { messages } = await (await connect(go)).call("ValidateListResourceConfig", request);
    expect(messages).toMatchObject([{ diagnostics: [{ severity: "ERROR" }] }]);
  });
});

describeFeature("generated-configuration", ["grpc-go"], (go) => {
  test("a generated configuration contains neither the id nor computed attributes", async () => {
    const state = { id: "1", project: "acme/web", inbound_enabled: true, outbound_enabled: false };
    const request = { typeName: SCOPE, state: dynamic(state) };
    const { messages } = await (await connect(go)).call("GenerateResourceConfig", request);
    expect(plain(messages[0]!.config)).toEqual({ ...state, id: null, outbound_enabled: null });
  });
});

describeFeature("deferred-changes", ["grpc-go"], (go) => {
  test("if the provider configuration is unknown, ReadResource returns an error, even if the client allows deferral", async () => {
    const session = await connect(go);
    const clientCapabilities = { deferralAllowed: true };
    const config = served.config({ token: unknown });
    await session.call("ConfigureProvider", { config, clientCapabilities });
    const state = { id: "1", project: "acme/web", inbound_enabled: null, outbound_enabled: null };
    const read = { typeName: SCOPE, currentState: dynamic(state), clientCapabilities };
    expect((await session.call("ReadResource", read)).messages).toMatchObject([
      { deferred: undefined, diagnostics: [{ summary: "Provider configuration not known yet" }] },
    ]);
  });
});

/** The procedures of features that the provider does not have. Each procedure refuses the request with a message. */
const REFUSED = {
  "ephemeral-resources": [
    "ValidateEphemeralResourceConfig",
    "OpenEphemeralResource",
    "RenewEphemeralResource",
    "CloseEphemeralResource",
  ],
  actions: ["ValidateActionConfig", "PlanAction"],
  "state-stores": [
    "ValidateStateStoreConfig",
    "ConfigureStateStore",
    "LockState",
    "UnlockState",
    "GetStates",
    "DeleteState",
  ],
} as const;
const refused = { severity: "ERROR", summary: "Not supported by this provider" };
const refuses = (go: string, feature: keyof typeof REFUSED) =>
  test.each(REFUSED[feature])("the provider refuses the call %s with an error", async (name) => {
    const { messages } = await (await connect(go)).call(name, {});
    expect(messages).toMatchObject([{ diagnostics: [refused] }]);
  });

describeFeature("ephemeral-resources", ["grpc-go"], (go) => refuses(go, "ephemeral-resources"));

describeFeature("actions", ["grpc-go"], (go) => {
  refuses(go, "actions");
  test("InvokeAction ends with an error event that refuses the action", async () => {
    const { messages } = await (await connect(go)).call("InvokeAction", {});
    expect(messages).toMatchObject([{ completed: { diagnostics: [refused] } }]);
  });
});

describeFeature("state-stores", ["grpc-go"], (go) => {
  refuses(go, "state-stores");
  test.each(["ReadStateBytes", "WriteStateBytes"] as const)("the call %s is UNIMPLEMENTED", async (name) => {
    expect(await (await connect(go)).call(name, {})).toMatchObject({ code: "Unimplemented", messages: [] });
  });
});

describeFeature("identity", ["grpc-go"], (go) => {
  test("GetResourceIdentitySchemas returns an identity schema for each resource type", async () => {
    const { messages } = await (await connect(go)).call("GetResourceIdentitySchemas", {});
    const { identitySchemas } = messages[0]!;
    expect(Object.keys(identitySchemas).sort()).toEqual(
      Object.keys(createProvider().schema.resources).sort(),
    );
    const names = identitySchemas[RULE]!.identityAttributes.map(({ name }) => name);
    expect(names).toEqual(["project", "rule_id"]);
  });

  // Only this test covers upgrades. Terraform and OpenTofu upgrade only identities of an older schema version, and no older
  // version exists.
  test("UpgradeResourceIdentity refuses an identity of a newer schema version", async () => {
    const session = await connect(go);
    const upgrade = async (version: number, stored: object) => {
      const rawIdentity = { json: Buffer.from(JSON.stringify(stored)) };
      const request = { typeName: RULE, version, rawIdentity };
      return (await session.call("UpgradeResourceIdentity", request)).messages[0]!;
    };
    const upgraded = await upgrade(0, { project: "42", rule_id: 7, colour: "red" });
    expect(plain(upgraded.upgradedIdentity?.identityData)).toEqual({ project: "42", rule_id: "7" });
    expect(await upgrade(1, { project: "42", rule_id: 7 })).toMatchObject({
      upgradedIdentity: undefined,
      diagnostics: [{ severity: "ERROR", summary: "State was written by a newer release" }],
    });
  });
});
