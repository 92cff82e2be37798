import { ExtData } from "@msgpack/msgpack";
import { createProvider } from "../../src/provider";
import { numbers } from "../provider/support/crowd";
import { FIXTURE, TOKEN } from "../provider/support/world";
import { describeFeature } from "../support/compatibility";
import { BUILD, GoProgram } from "../transport/support/go-program";
import { GoSession } from "./support/go-session";
import { dynamic, plain } from "./support/plugin-client";
import { useServed } from "./support/served";

// The requests of Terraform, by the library that it is made of: what no program on this machine may ask for is held here.

const SCOPE = "steward_job_token_scope";
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

const refused = { severity: "ERROR", summary: "Not supported by this provider" };

describeFeature("functions", ["grpc-go"], (go) => {
  test(
    "a call has a result, an unknown result, or an error of an argument",
    async () => {
      const session = await connect(go);
      const call = async (name: string, ...args: readonly unknown[]) => {
        const { messages, code } = await session.call("CallFunction", {
          name,
          arguments: args.map(dynamic),
        });
        expect(code).toBe("OK");
        const [{ result, error }] = messages as [(typeof messages)[0]];
        return error === undefined ? plain(result) : error;
      };
      expect(await call("access_level", "maintainer")).toBe("40");
      expect(await call("access_level_name", unknown)).toEqual(unknown);
      expect(await call("parse_id", "x")).toMatchObject({ functionArgument: 0 });
      const { messages } = await session.call("GetFunctions", {});
      expect(Object.keys(messages[0]!.functions)).toEqual(["access_level", "access_level_name", "parse_id"]);
    },
    BUILD,
  );
});

describeFeature("list-resources", ["grpc-go"], (go) => {
  test(
    "objects are streamed one by one, with identity, display name and object",
    async () => {
      const session = await configured(go);
      const { messages, code } = await session.call("ListResource", {
        typeName: SCOPE,
        config: query({ group: "acme/estate" }),
        includeResourceObject: true,
        limit: 25,
      });
      expect(code).toBe("OK");
      expect(messages).toHaveLength(25);
      for (const { displayName, identity, resourceObject, diagnostic } of messages) {
        expect(displayName).toMatch(/^acme\/estate\/p\d+$/);
        expect(diagnostic).toEqual([]);
        const object = plain(resourceObject) as { id: string; project: string };
        expect(object.project).toBe(displayName);
        expect(plain(identity!.identityData)).toEqual({ project: object.id });
      }
    },
    BUILD,
  );

  test(
    "a cancelled query ends as cancelled, and sends no further request",
    async () => {
      const session = await configured(go);
      served.service.requests.reset();
      const config = query({ group: "acme/estate" });
      const { code } = await session.call("ListResource", { typeName: SCOPE, config, limit: 1000 }, 1);
      expect(code).toBe("Canceled");
      // Closes the client, which waits for the requests in flight.
      await session.call("ConfigureProvider", { config: served.config() });
      const looks = served.service.requests.all.filter(({ url }) => url.endsWith("/job_token_scope"));
      expect(looks.length).toBeLessThan(40);
    },
    BUILD,
  );

  test(
    "an invalid configuration is refused, and an error is the last event",
    async () => {
      const session = await configured(go);
      const validated = await session.call("ValidateListResourceConfig", {
        typeName: SCOPE,
        config: query({}),
      });
      expect(validated.messages).toMatchObject([{ diagnostics: [{ severity: "ERROR" }] }]);
      const config = query({ project: "acme/nowhere" });
      const { messages, code } = await session.call("ListResource", { typeName: SCOPE, config, limit: 10 });
      expect(code).toBe("OK");
      expect(messages).toMatchObject([{ diagnostic: [{ severity: "ERROR", summary: "No such project" }] }]);
    },
    BUILD,
  );
});

describeFeature("generated-configuration", ["grpc-go"], (go) => {
  test(
    "a generated configuration has neither the id nor computed attributes",
    async () => {
      const session = await connect(go);
      const { messages } = await session.call("GenerateResourceConfig", {
        typeName: SCOPE,
        state: dynamic({ id: "1", project: "acme/web", inbound_enabled: true, outbound_enabled: false }),
      });
      expect(plain(messages[0]!.config)).toEqual({
        id: null,
        project: "acme/web",
        inbound_enabled: true,
        outbound_enabled: null,
      });
    },
    BUILD,
  );
});

describeFeature("deferred-changes", ["grpc-go"], (go) => {
  test(
    "a plan whose provider is not known yet is an error, also for a client that allows deferral",
    async () => {
      const session = await connect(go);
      const clientCapabilities = { deferralAllowed: true };
      const config = served.config({ token: unknown });
      await session.call("ConfigureProvider", { config, clientCapabilities });
      const state = { id: "1", project: "acme/web", inbound_enabled: null, outbound_enabled: null };
      const { messages } = await session.call("ReadResource", {
        typeName: SCOPE,
        currentState: dynamic(state),
        clientCapabilities,
      });
      expect(messages).toMatchObject([
        { deferred: undefined, diagnostics: [{ summary: "Provider configuration is not known yet" }] },
      ]);
    },
    BUILD,
  );
});

describeFeature("ephemeral-resources", ["grpc-go"], (go) => {
  test.each([
    "ValidateEphemeralResourceConfig",
    "OpenEphemeralResource",
    "RenewEphemeralResource",
    "CloseEphemeralResource",
  ] as const)(
    "%s is refused",
    async (name) => {
      const { messages } = await (await connect(go)).call(name, {});
      expect(messages).toMatchObject([{ diagnostics: [refused] }]);
    },
    BUILD,
  );
});

describeFeature("actions", ["grpc-go"], (go) => {
  test.each(["ValidateActionConfig", "PlanAction"] as const)(
    "%s is refused",
    async (name) => {
      const { messages } = await (await connect(go)).call(name, {});
      expect(messages).toMatchObject([{ diagnostics: [refused] }]);
    },
    BUILD,
  );

  test(
    "InvokeAction is refused by its last event",
    async () => {
      const { messages } = await (await connect(go)).call("InvokeAction", {});
      expect(messages).toMatchObject([{ completed: { diagnostics: [refused] } }]);
    },
    BUILD,
  );
});

describeFeature("state-stores", ["grpc-go"], (go) => {
  test.each([
    "ValidateStateStoreConfig",
    "ConfigureStateStore",
    "LockState",
    "UnlockState",
    "GetStates",
    "DeleteState",
  ] as const)(
    "%s is refused",
    async (name) => {
      const { messages } = await (await connect(go)).call(name, {});
      expect(messages).toMatchObject([{ diagnostics: [refused] }]);
    },
    BUILD,
  );

  test.each(["ReadStateBytes", "WriteStateBytes"] as const)(
    "%s is UNIMPLEMENTED",
    async (name) => {
      expect(await (await connect(go)).call(name, {})).toMatchObject({ code: "Unimplemented", messages: [] });
    },
    BUILD,
  );
});

describeFeature("identity", ["grpc-go"], (go) => {
  const typeName = "steward_container_protection_rule";

  test(
    "schemas of identities are announced for all resources",
    async () => {
      const { messages } = await (await connect(go)).call("GetResourceIdentitySchemas", {});
      const { identitySchemas } = messages[0]!;
      const { resources } = createProvider().schema;
      expect(Object.keys(identitySchemas).sort()).toEqual(Object.keys(resources).sort());
      expect(identitySchemas[typeName]!.identityAttributes.map(({ name }) => name)).toEqual([
        "project",
        "rule_id",
      ]);
    },
    BUILD,
  );

  // Terraform and OpenTofu upgrade an identity of an older version of its schema alone, and there is none.
  test("a stored identity is upgraded, and one of a newer version of its schema refused", async () => {
    const session = await connect(go);
    const upgrade = async (version: number, stored: object) =>
      (
        await session.call("UpgradeResourceIdentity", {
          typeName,
          version,
          rawIdentity: { json: Buffer.from(JSON.stringify(stored)) },
        })
      ).messages[0]!;
    const upgraded = await upgrade(0, { project: "42", rule_id: 7, colour: "red" });
    expect(plain(upgraded.upgradedIdentity?.identityData)).toEqual({ project: "42", rule_id: "7" });
    const partly = await upgrade(0, { rule_id: 7 });
    expect(plain(partly.upgradedIdentity?.identityData)).toEqual({ project: null, rule_id: "7" });
    expect(await upgrade(1, { project: "42", rule_id: 7 })).toMatchObject({
      upgradedIdentity: undefined,
      diagnostics: [{ severity: "ERROR", summary: "State of a newer release" }],
    });
  });

  test("an import by an identity that names nothing is refused", async () => {
    const session = await configured(go);
    const { messages } = await session.call("ImportResourceState", {
      typeName,
      identity: { identityData: dynamic({ project: "42", rule_id: null }) },
    });
    expect(messages).toMatchObject([
      { importedResources: [], diagnostics: [{ summary: "Invalid import identity" }] },
    ]);
  });
});
