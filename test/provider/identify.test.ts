import type { ConfiguredProvider, StoredState } from "../../src/framework/protocol/protocol";
import { createProvider } from "../../src/provider";
import { UNKNOWN, type ValueObject } from "../../src/schema";
import { describeEvery, varied } from "./samples";
import { declarable } from "./support/declarations";
import { Host } from "./support/host";
import { GROUP, PROJECT, providerConfig, startWorld, TOKEN, USER, useOneWorld } from "./support/world";

const provider = createProvider();
const { resources } = provider.schema;

const PATHS: Readonly<Record<string, number>> = {
  "acme/web": PROJECT.web,
  "acme/tools": PROJECT.tools,
  "acme/platform": GROUP.platform,
};
const inIds = (config: ValueObject): ValueObject =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      name,
      typeof value === "string" && value in PATHS ? String(PATHS[value]) : value,
    ]),
  );

const world = useOneWorld(undefined, provider);

const identityOf = (type: string, attributes: ValueObject, run: ConfiguredProvider = world.connect()) =>
  run.identify!({ type, attributes });

describeEvery((type, sample) => {
  const config = (given: ValueObject) => new Host(world, type).config(given);

  test("an object has the same identity in the declaration, the plan, the state and the import", async () => {
    const host = new Host(world, type);
    const run = world.connect();
    const plan = await host.plan(undefined, sample.config, run);
    world.service.requests.reset();
    const ofConfig = await identityOf(type, plan.config, run);
    const ofPlan = await run.identify!({ type, ...plan.planned! });
    expect(world.service.requests.count()).toBe(0);
    expect(ofConfig).toEqual(expect.any(String));
    expect(ofPlan).toBe(ofConfig);

    const { state } = await host.apply(plan);
    try {
      world.service.requests.reset();
      expect(await world.connect().identify!({ type, ...state! })).toBe(ofConfig);
      expect(world.service.requests.count()).toBe(0);
      const imported = await host.import(String(state!.attributes["id"]));
      expect(await world.connect().identify!({ type, ...imported })).toBe(ofConfig);
    } finally {
      await host.destroy(state!);
    }
  });

  test("a declaration with paths and a declaration with ids have the same identity", async () => {
    expect(await identityOf(type, config(inIds(sample.config)))).toBe(
      await identityOf(type, config(sample.config)),
    );
  });

  for (const [name] of declarable(resources[type]!.attributes)) {
    const tellsApart = sample.identity.includes(name);
    test(`if only ${name} changes, the identity ${tellsApart ? "changes too" : "stays the same"}`, async () => {
      const own = await identityOf(type, config(sample.config));
      const other = await identityOf(type, config(varied(sample, name)));
      expect(other).toEqual(expect.any(String));
      expect(other === own).toBe(!tellsApart);
    });

    test(`while ${name} is unknown, the identity ${tellsApart ? "is unknown too" : "is known"}`, async () => {
      const isNamed = sample.config[name] !== null;
      const unknown = config({ ...sample.config, ...sample.together?.[name], [name]: UNKNOWN });
      const found = await identityOf(type, unknown);
      expect(found).toEqual(
        tellsApart || !isNamed ? undefined : await identityOf(type, config(sample.config)),
      );
    });
  }

  test("if the project or group can't be found, or the service can't be reached, an object has no identity", async () => {
    const container = "project" in sample.config ? "project" : "group";
    const lost = config({ ...sample.config, [container]: "acme/nowhere" });
    expect(await identityOf(type, lost)).toBeUndefined();
    const { provider: unreachable } = provider.configure(
      providerConfig(provider, { base_url: "http://127.0.0.1:9", token: "t", max_attempts: 1 }),
      {},
    );
    expect(await identityOf(type, config(sample.config), unreachable)).toBeUndefined();
    await unreachable!.close();
  });
});

const entry = { id: "1:2", project: "1", target_project: "2", target_project_id: 2 };
const ENTRY = "steward_job_token_allowlist_project";

test("objects of different types, projects, groups, keys or services have different identities", async () => {
  const of = (type: string, id: string, project: string) => identityOf(type, { id, project, name: "2" });
  const other = await startWorld(undefined, provider);
  try {
    const found = await Promise.all([
      of("steward_job_token_scope", "1", "1"),
      of("steward_job_token_scope", "12", "12"),
      of("steward_job_token_allowlist", "1", "1"),
      of("steward_pages_settings", "1", "1"),
      of(ENTRY, "1:2", "1"),
      of(ENTRY, "12:2", "12"),
      of("steward_job_token_allowlist_group", "1:2", "1"),
      of("steward_protected_environment", "1:2", "1"),
      identityOf(ENTRY, entry, other.connect()),
    ]);
    expect(found).not.toContain(undefined);
    expect(new Set(found).size).toBe(found.length);
  } finally {
    await other.close();
  }
});

test("different spellings of the service's URL give the same identity", async () => {
  const identities = await Promise.all(
    ["", "/", "/api/v4", "/api/v4/"].map(async (path) => {
      const base_url = `${world.service.url.replace("http", "HTTP")}${path}`;
      const { provider: run } = provider.configure(providerConfig(provider, { base_url, token: "t" }), {});
      const identity = await identityOf(ENTRY, entry, run);
      await run!.close();
      return identity;
    }),
  );
  expect(new Set(identities)).toEqual(new Set([await identityOf(ENTRY, entry)]));
});

test("an object has no identity until the provider configuration is known", async () => {
  const config = { ...providerConfig(provider, { token: "t" }), base_url: UNKNOWN };
  const { provider: run } = provider.configure(config, {});
  expect(await identityOf(ENTRY, entry, run)).toBeUndefined();
});

test("with isCacheOnly, identify sends no request for the project's id", async () => {
  const type = "steward_pages_settings";
  const host = new Host(world, type);
  const plan = await host.plan(undefined, { project: "acme/web", unique_domain_enabled: true });
  const declared = { ...plan.config, project: String(plan.config["project"]).toUpperCase() };
  const run = world.connect();
  world.service.requests.reset();
  const silent = (request: StoredState) => run.identify!({ type, ...request, isCacheOnly: true });
  expect(await silent({ attributes: declared })).toBeUndefined();
  const identity = await silent({ attributes: plan.config, private: plan.planned!.private });
  expect(identity).toEqual(expect.any(String));
  expect(await silent({ attributes: declared })).toBe(identity);
  expect(world.service.requests.count()).toBe(0);

  const answered = world.connect();
  await answered.identify!({ type, attributes: plan.config });
  expect(await answered.identify!({ type, attributes: plan.config, isCacheOnly: true })).toBe(identity);
});

describe("a person who is invited by e-mail address and as a user", () => {
  const TYPE = "steward_project_invitation";
  const project = String(PROJECT.web);
  const invited = { id: null, project, access_level: 30 };
  const devon = "devon@example.com";
  const byAddress = { ...invited, email: devon.toUpperCase(), user: null };
  const byName = { ...invited, email: null, user: "devon" };
  const accepted = { ...byAddress, id: `${PROJECT.web}:${devon}`, status: "accepted" };

  test("if the service has already returned the person's e-mail address, the provider gives both invitations the same identity", async () => {
    const run = world.connect(TOKEN.administrator);
    await run.readResource({ type: TYPE, state: { attributes: accepted } });
    world.service.requests.reset();
    const identity = await identityOf(TYPE, { ...byName, user: String(USER.devon) }, run);
    expect(await identityOf(TYPE, byAddress, run)).toBe(identity);
    expect(await identityOf(TYPE, accepted, run)).toBe(identity);
    expect(await identityOf(TYPE, { ...byAddress, email: "maya@example.org" }, run)).not.toBe(identity);
    expect(world.service.requests.count()).toBe(0);
  });

  test("if no response shows the person's e-mail address, the two invitations have different identities", async () => {
    const run = world.connect();
    await run.readResource({ type: TYPE, state: { attributes: accepted } });
    world.service.requests.reset();
    const identity = await identityOf(TYPE, { ...byName, user: String(USER.devon) }, run);
    expect(await identityOf(TYPE, byAddress, run)).not.toBe(identity);
    expect(world.service.requests.count()).toBe(0);
  });
});
