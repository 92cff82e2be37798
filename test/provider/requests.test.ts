import type { FixtureInput } from "cdktf-provider-steward/testing";
import type { StoredState } from "../../src/framework/protocol/protocol";
import { PROVIDER_NAME } from "../../src/provider";
import { appliedBy, containerOf, DATA_SAMPLES, SAMPLES } from "./samples";
import { Host } from "./support/host";
import { FIXTURE, startWorld, useOneWorld } from "./support/world";

// What else is counted at the service: whole sets, what a data source shares with resources, and writes.

const MANY = 500;
const target = (index: number) => ({ path: `acme/target-${index}`, id: 1000 + index });
const fixture: FixtureInput = {
  ...FIXTURE,
  projects: [
    ...FIXTURE.projects!.filter(({ path }) => path !== "acme/web" && path !== "acme/tools"),
    {
      path: "acme/tools",
      id: 2,
      protected_environments: [{ name: "production", deploy_access_levels: [{ access_level: 40 }] }],
    },
    {
      path: "acme/web",
      id: 1,
      job_token_scope: { projects: Array.from({ length: MANY }, (_, index) => target(index).path) },
    },
    ...Array.from({ length: MANY }, (_, index) => target(index)),
  ],
};

const world = useOneWorld(fixture);

const count = async (work: () => Promise<unknown>): Promise<number> => {
  world.service.requests.reset();
  await work();
  return world.service.requests.count();
};

test("a whole allowlist: its pages, and the one of the groups", async () => {
  const host = new Host(world, "steward_job_token_allowlist");
  const state = await host.import("1");
  const target_projects = Array.from({ length: MANY }, (_, index) => target(index).path);
  const config = { project: "acme/web", target_projects, target_groups: [] };
  expect(await count(async () => expect(await host.drift(state, config)).toEqual([]))).toBe(7);
});

test("an administrator asks no more", async () => {
  const host = new Host(world, "steward_job_token_allowlist");
  const state = await host.import("1");
  const run = world.connect(world.service.adminToken);
  expect(await count(() => host.read(state, run))).toBe(7);
});

describe("a data source reads with the resources of its run", () => {
  const SHARED = Object.entries(DATA_SAMPLES).flatMap(([data, { config, shared }]) =>
    "none" in shared ? [] : [[data, { config, ...shared }] as const],
  );

  describe.each(SHARED)("%s", (data, { resource, config, first, again }) => {
    const type = `${PROVIDER_NAME}_${resource}`;
    const kind = containerOf(type);

    test("a data source and its resource are asked for once", async () => {
      const sound = await startWorld();
      try {
        const host = new Host(sound, type, appliedBy(type));
        const state = await host.bring(undefined, SAMPLES[type]!.config);
        const run = sound.connect(appliedBy(type));
        // By its id the container is not looked up.
        const [id] = String(state.attributes["id"]).split(":");
        const both = async () => {
          const { diagnostics } = await run.readDataSource({
            type: data,
            config: { ...nothingSaid(data), ...config, [kind]: id! },
          });
          expect(diagnostics).toEqual([]);
          await host.refresh(state, run);
        };
        const requests = async () => {
          sound.service.requests.reset();
          await both();
          return sound.service.requests.count();
        };
        expect(await requests()).toBe(first);
        expect(await requests()).toBe(again);
      } finally {
        await sound.close();
      }
    });
  });

  describe("whole records of what resources read in part", () => {
    const TYPE = "steward_job_token_scope";
    /** Requests of a run in which the allowlist is refreshed, and shown by a data source. */
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
    /** Those of the projects, one of the groups, and the setting. */
    const once = pages + 1 + 1;

    test.each([
      ["a host that doesn't say what it will read", undefined],
      ["a host that says it will read the data source", [TYPE]],
    ])("under %s: no request more, in either order", async (_, sources) => {
      expect(await requests(true, sources)).toBe(once);
      expect(await requests(false, sources)).toBe(once);
    });

    test("under a host that said it will not: the list is read again", async () => {
      expect(await requests(true, [])).toBe(once);
      expect(await requests(false, [])).toBe(once + pages);
    });
  });

  test("by a path, the project is looked up once for all of them", async () => {
    const run = world.connect();
    const read = (type: string) =>
      run.readDataSource({ type, config: { ...nothingSaid(type), project: "acme/tools" } });
    expect(await count(() => read("steward_protected_environments"))).toBe(2);
    expect(await count(() => read("steward_container_protection_rules"))).toBe(1);
    expect(await count(() => read("steward_protected_environments"))).toBe(0);
  });

  test("after a write it shows what was written", async () => {
    const host = new Host(world, "steward_protected_environment");
    const config = { project: "2" };
    const named = (name: string) => ({ ...config, name, deploy_access_levels: [{ access_level: 40 }] });
    const old = await host.bring(undefined, named("old"));
    const run = host.connect();
    await run.readDataSource({ type: "steward_protected_environments", config });
    await host.apply(await host.plan(undefined, named("fresh"), run), run);
    const names = async () => {
      const { attributes } = await run.readDataSource({ type: "steward_protected_environments", config });
      return (attributes!["environments"] as readonly { name: string }[]).map(({ name }) => name);
    };
    expect((await names()).sort()).toEqual(["fresh", "old", "production"]);
    await host.destroy(old, run);
    expect((await names()).sort()).toEqual(["fresh", "production"]);
  });
});

/** Every argument of a data source left out. */
const nothingSaid = (type: string) =>
  Object.fromEntries(
    Object.keys(world.provider.schema.dataSources[type]!.attributes).map((name) => [name, null]),
  );

test("a scope: one request a project, and its path none", async () => {
  const host = new Host(world, "steward_job_token_scope");
  const state = await host.import("acme/tools");
  expect(await count(() => host.drift(state, { project: "acme/tools", inbound_enabled: true }))).toBe(1);
});

test("writes: a create is one request, an update looks first, a destroy is one", async () => {
  const host = new Host(world, "steward_protected_environment");
  const config = { project: "acme/tools", name: "counted", deploy_access_levels: [{ access_level: 40 }] };
  const plan = await host.plan(undefined, config);
  let state: StoredState | undefined;
  const apply = async (which: typeof plan) => {
    state = (await host.apply(which)).state;
  };
  expect(await count(() => apply(plan))).toBe(1);
  const update = await host.plan(state, { ...config, deploy_access_levels: [{ access_level: 60 }] });
  expect(await count(() => apply(update))).toBe(2);
  expect(await count(() => host.destroy(state!))).toBe(1);
});
