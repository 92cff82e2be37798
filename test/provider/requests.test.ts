import type { FixtureInput } from "cdktf-provider-steward/testing";
import type { StoredState } from "../../src/provider/protocol";
import type { ValueObject } from "../../src/provider/schema";
import { Host } from "./support/host";
import { FIXTURE, startWorld, type World } from "./support/world";

// Looking has a price, and it is counted at the service: the cost of a plan is the number of collections.

const MANY = 500;
const target = (index: number) => ({ path: `acme/target-${index}`, id: 1000 + index });
const environment = (index: number) => ({
  name: `env-${index}`,
  deploy_access_levels: [{ access_level: 40 }],
});
const fixture: FixtureInput = {
  ...FIXTURE,
  projects: [
    ...FIXTURE.projects!.filter(({ path }) => path !== "acme/web"),
    {
      path: "acme/web",
      id: 1,
      job_token_scope: { projects: Array.from({ length: MANY }, (_, index) => target(index).path) },
      protected_environments: Array.from({ length: MANY }, (_, index) => environment(index)),
    },
    ...Array.from({ length: MANY }, (_, index) => target(index)),
  ],
};

let world: World;
beforeAll(async () => {
  world = await startWorld(fixture);
});
afterAll(() => world.close());

interface Case {
  readonly type: string;
  config(index: number): ValueObject;
  id(index: number): string;
  /** Requests for 1, for 30, and for 3 of the 500; a list of 500 has 5 pages, and the own project's entry begins a 6th. */
  readonly one: number;
  readonly thirty: number;
  readonly three: number;
}

const CASES: readonly Case[] = [
  {
    type: "steward_protected_environment",
    config: (index) => ({ project: "acme/web", ...environment(index) }),
    id: (index) => `1:env-${index}`,
    one: 1,
    thirty: 5,
    three: 3,
  },
  {
    // The API has no way to ask for one entry.
    type: "steward_job_token_allowlist_project",
    config: (index) => ({ project: "acme/web", target_project: target(index).path }),
    id: (index) => `1:${target(index).id}`,
    one: 6,
    thirty: 6,
    three: 6,
  },
];

const count = async (work: () => Promise<unknown>): Promise<number> => {
  world.service.requests.reset();
  await work();
  return world.service.requests.count();
};

describe.each(CASES)("$type", ({ type, config, id, one, thirty, three }) => {
  const host = () => new Host(world, type);
  const states = (indices: readonly number[]): Promise<StoredState[]> =>
    Promise.all(indices.map((index) => host().import(id(index))));
  const refreshAndPlan = (
    all: readonly StoredState[],
    indices: readonly number[],
    isExpectedKnown: boolean,
  ) => {
    const run = host().connect();
    return Promise.all(
      all.map(async (state, position) => {
        const read = await host().read(state, run, isExpectedKnown ? all.length : undefined);
        const plan = await host().plan(read.state, config(indices[position]!), run);
        expect(plan.action).toBe("none");
        expect(plan.diagnostics).toEqual([]);
      }),
    );
  };

  test.each([
    ["1", [250], one],
    ["3", [0, 250, 499], three],
    ["30", Array.from({ length: 30 }, (_, index) => index * 16), thirty],
  ])("%s of 500, refreshed and planned at the same time", async (_, indices, requests) => {
    const all = await states(indices);
    expect(await count(() => refreshAndPlan(all, indices, true))).toBe(requests);
  });

  test("30 by a host that doesn't know how many there will be: at most 3 more", async () => {
    const indices = Array.from({ length: 30 }, (_, index) => index * 16);
    const all = await states(indices);
    expect(await count(() => refreshAndPlan(all, indices, false))).toBeLessThanOrEqual(thirty + 3);
  });

  test("an administrator and a path known already ask no more", async () => {
    const all = await states([7]);
    const run = world.connect(world.service.adminToken);
    expect(await count(() => host().read(all[0]!, run, 1))).toBe(one);
  });
});

test("a whole allowlist: its pages, and the one of the groups", async () => {
  const host = new Host(world, "steward_job_token_allowlist");
  const state = await host.import("1");
  const target_projects = Array.from({ length: MANY }, (_, index) => target(index).path);
  const config = { project: "acme/web", target_projects, target_groups: [] };
  expect(await count(async () => expect(await host.drift(state, config)).toEqual([]))).toBe(7);
});

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
