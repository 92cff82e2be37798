import type { FixtureInput } from "cdktf-provider-steward/testing";
import type { StoredState } from "../../src/framework/protocol/protocol";
import { rememberedIn } from "../../src/framework/references/remembered";
import { PROVIDER_NAME } from "../../src/provider";
import { appliedBy, changedInPlace, containerOf, DATA_SAMPLES, SAMPLES } from "./samples";
import { numbers } from "./support/crowd";
import { Host } from "./support/host";
import { FIXTURE, PROJECT, startWorld, TOKEN, useOneWorld, useWorld } from "./support/world";

// Counts the requests that request-counts.test.ts does not count: writes, reads of whole sets and of members, and
// requests that data sources and resources share.

const MANY = 500;
const MEMBERS = 150;
const target = (index: number) => ({ path: `acme/target-${index}`, id: 1000 + index });
const username = (index: number) => `member-${index}`;
const fixture: FixtureInput = {
  ...FIXTURE,
  users: [
    ...FIXTURE.users!,
    ...numbers(MEMBERS).map((index) => ({ username: username(index), id: 1000 + index })),
  ],
  projects: [
    ...FIXTURE.projects!.filter(({ path }) => path !== "acme/web" && path !== "acme/tools"),
    {
      path: "acme/tools",
      id: PROJECT.tools,
      protected_environments: [{ name: "production", deploy_access_levels: [{ access_level: 40 }] }],
      members: numbers(MEMBERS).map((index) => ({ user: username(index), role: "developer" as const })),
    },
    {
      path: "acme/web",
      id: PROJECT.web,
      job_token_scope: { projects: numbers(MANY).map((index) => target(index).path) },
    },
    ...numbers(MANY).map(target),
  ],
};

const world = useOneWorld(fixture);
const small = useWorld();

const count = async (work: () => Promise<unknown>, at = world): Promise<number> => {
  at.service.requests.reset();
  await work();
  return at.service.requests.count();
};

/**
 * The number of requests that a create, an update and a destroy send. An update first reads the object, and the create
 * of a setting also reads it first. To change an invitation, the provider first reads the members.
 */
const WRITES: Readonly<Record<string, readonly [create: number, update: number, destroy: number]>> = {
  steward_container_protection_rule: [1, 2, 1],
  steward_group_invitation: [4, 2, 1],
  steward_job_token_allowlist: [7, 6, 4],
  steward_job_token_allowlist_group: [1, 0, 1],
  steward_job_token_allowlist_project: [1, 0, 1],
  steward_job_token_scope: [2, 2, 0],
  steward_pages_settings: [1, 2, 0],
  steward_project_invitation: [4, 2, 1],
  steward_protected_environment: [1, 2, 1],
};

test.each(Object.entries(SAMPLES))(
  "create, update and destroy of a %s send exactly the numbers of requests in WRITES",
  async (type, { config }) => {
    const host = new Host(small(), type);
    let state: StoredState | undefined;
    const costs: number[] = [];
    for (const declared of [config, changedInPlace(type)]) {
      const plan = await host.plan(state, declared);
      const apply = async () => {
        if (plan.action !== "none") state = (await host.apply(plan)).state!;
      };
      costs.push(await count(apply, small()));
    }
    costs.push(await count(() => host.destroy(state!), small()));
    expect({ [type]: costs }).toEqual({ [type]: WRITES[type] });
  },
);

/** Each run looks up the path of the container once, to compare its id with that of the last apply. */
const COMPARED = 1;

test("a read of a whole allowlist sends one request per page, and one for the project's path", async () => {
  const host = new Host(world, "steward_job_token_allowlist");
  const state = await host.import("1");
  const target_projects = numbers(MANY).map((index) => target(index).path);
  const config = { project: "acme/web", target_projects, target_groups: [] };
  expect(await count(async () => expect(await host.drift(state, config)).toEqual([]))).toBe(7 + COMPARED);
  const run = world.connect(world.service.adminToken);
  // The lists contain the paths of their entries, so the entries need no additional requests.
  expect(await count(() => host.read(state, run))).toBe(7 + COMPARED);
});

test("to find drift of a job token setting, the provider sends two requests", async () => {
  const host = new Host(world, "steward_job_token_scope");
  const state = await host.import("acme/tools");
  expect(await count(() => host.drift(state, { project: "acme/tools", inbound_enabled: true }))).toBe(
    1 + COMPARED,
  );
});

test.each([
  ["one user: a request", 1, "id", undefined, 1],
  ["30 users: the 2 pages of members", 30, "id", undefined, 2],
  ["one address: its invitation, and the 2 pages of members", 1, "address", TOKEN.administrator, 3],
  ["30 addresses: the page of invitations, and the 2 of members", 30, "address", TOKEN.administrator, 3],
] as const)("in a project with 150 members, a run reads %s", async (_, howMany, named, token, requests) => {
  const host = new Host(world, "steward_project_invitation", token);
  const keys = numbers(howMany).map((index) => Math.floor((index * MEMBERS) / howMany));
  const states = await Promise.all(
    keys.map((key) =>
      host.import(`2:${named === "address" ? `${username(key)}@example.com` : String(1000 + key)}`),
    ),
  );
  const run = host.connect();
  host.expectReads(states, run);
  const look = async (state: StoredState) => {
    const { state: read } = await host.read(state, run);
    const { project, email, user, access_level } = state.attributes;
    const declared = { project: project!, email: email!, user: user!, access_level: access_level! };
    expect(await host.plan(read, declared, run)).toMatchObject({ action: "none", diagnostics: [] });
  };
  expect(await count(() => Promise.all(states.map(look)))).toBe(requests + COMPARED);
});

const isOfUser = (name: string) => name.startsWith("user:");

/** Returns a configuration of a data source without any argument. */
const nothingSaid = (type: string) =>
  Object.fromEntries(
    Object.keys(world.provider.schema.dataSources[type]!.attributes).map((name) => [name, null]),
  );

describe("a data source and a resource in one run", () => {
  const SHARED = Object.entries(DATA_SAMPLES).flatMap(([data, { config, shared }]) =>
    "none" in shared ? [] : [[data, { config, ...shared }] as const],
  );

  test.each(SHARED)(
    "in one run, the data source %s and a resource with the same values share their requests",
    async (data, shared) => {
      const { resource, config, first, again } = shared;
      const type = `${PROVIDER_NAME}_${resource}`;
      const sound = await startWorld();
      try {
        const host = new Host(sound, type, appliedBy(type));
        const state = await host.bring(undefined, SAMPLES[type]!.config);
        const run = sound.connect(appliedBy(type));
        // A container that is given by its id needs no look-up.
        const [id] = String(state.attributes["id"]).split(":");
        const both = async () => {
          const given = { ...nothingSaid(data), ...config, [containerOf(type)]: id! };
          expect((await run.readDataSource({ type: data, config: given })).diagnostics).toEqual([]);
          await host.refresh(state, run);
        };
        // The paths in the resource are compared once. Groups need no request, because the record of the project
        // contains the groups that it is shared with.
        const users = new Set([...rememberedIn(state.private).references.keys()].filter(isOfUser)).size;
        const compared = COMPARED + users;
        expect([await count(both, sound), await count(both, sound)]).toEqual([first + compared, again]);
      } finally {
        await sound.close();
      }
    },
  );

  const TYPE = "steward_job_token_scope";
  /** Returns the number of requests of a run that refreshes an allowlist, and also reads it with data sources. */
  const requests = async (isDataFirst: boolean, sources: readonly string[] | undefined) => {
    const host = new Host(world, "steward_job_token_allowlist");
    const state = await host.import("1");
    const run = host.connect();
    if (sources !== undefined) host.expectReads([state], run, sources);
    const read = async () => {
      const config = { ...nothingSaid(TYPE), project: "1" };
      const { attributes, diagnostics } = await run.readDataSource({ type: TYPE, config });
      expect(diagnostics).toEqual([]);
      const projects = attributes!["projects"] as readonly Record<string, unknown>[];
      expect(projects).toHaveLength(MANY);
      expect(projects[0]).toMatchObject({ name: "target-0", namespace: { full_path: "acme" } });
    };
    const look = async () => {
      expect((await host.refresh(state, run))?.attributes["target_projects"]).toHaveLength(MANY);
    };
    return count(async () => {
      for (const each of isDataFirst ? [read, look] : [look, read]) await each();
    });
  };
  const pages = MANY / 100 + 1;
  /** The requests: the pages of projects, one page of groups, the setting, and the look-up of the path. */
  const once = pages + 1 + 1 + COMPARED;

  test.each([
    ["that doesn't say what it will read", undefined, once],
    ["that says it will read the data source", [TYPE], once],
    ["that said it will not, where the list is read again", [], once + pages],
  ])(
    "under a host %s, a data source returns whole records, although resources need only parts of the records",
    async (_, sources, after) => {
      expect(await requests(true, sources)).toBe(once);
      expect(await requests(false, sources)).toBe(after);
    },
  );

  test("in one run, all data sources with the same path look up the project once in total", async () => {
    const run = world.connect();
    const read = (type: string) =>
      run.readDataSource({ type, config: { ...nothingSaid(type), project: "acme/tools" } });
    expect(await count(() => read("steward_protected_environments"))).toBe(2);
    expect(await count(() => read("steward_container_protection_rules"))).toBe(1);
    expect(await count(() => read("steward_protected_environments"))).toBe(0);
  });

  test("if a data source is read after a write, the result contains the written values", async () => {
    const host = new Host(world, "steward_protected_environment");
    const config = { project: "2" };
    const named = (name: string) => ({ ...config, name, deploy_access_levels: [{ access_level: 40 }] });
    const old = await host.bring(undefined, named("old"));
    const run = host.connect();
    const names = async () => {
      const { attributes } = await run.readDataSource({ type: "steward_protected_environments", config });
      return (attributes!["environments"] as readonly { name: string }[]).map(({ name }) => name).sort();
    };
    expect(await names()).toEqual(["old", "production"]);
    await host.apply(await host.plan(undefined, named("fresh"), run), run);
    expect(await names()).toEqual(["fresh", "old", "production"]);
    await host.destroy(old, run);
    expect(await names()).toEqual(["fresh", "production"]);
  });
});
