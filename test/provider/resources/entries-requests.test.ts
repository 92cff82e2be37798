import type { FixtureInput } from "cdktf-provider-steward/testing";
import type { StoredState } from "../../../src/provider/protocol";
import type { ValueObject } from "../../../src/provider/schema";
import { Host } from "../support/host";
import { FIXTURE, startWorld, type World } from "../support/world";

// Of these the API shows whole lists alone: one object or thirty cost the pages of the list, once a run and a project.

const MANY = 5000;
const SOME = 30;
const PAGES = MANY / 100;
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const group = (index: number) => ({ path: `team-${index}`, id: 1000 + index, visibility: "public" as const });
const rule = (index: number) => ({
  repository_path_pattern: `acme/web/${index}`,
  minimum_access_level_for_push: "owner" as const,
});
const fixture: FixtureInput = {
  ...FIXTURE,
  groups: [...FIXTURE.groups!, ...numbers(MANY).map(group)],
  projects: [
    {
      path: "acme/web",
      id: 1,
      job_token_scope: { groups: numbers(MANY).map((index) => group(index).path) },
      container_rules: numbers(MANY).map(rule),
    },
    {
      path: "acme/docs",
      id: 2,
      job_token_scope: { groups: numbers(SOME).map((index) => group(index).path) },
      container_rules: numbers(SOME).map(rule),
    },
  ],
};

let world: World;
beforeAll(async () => {
  world = await startWorld(fixture);
});
afterAll(() => world.close());

interface Case {
  readonly type: string;
  /** What the list at the project holds at an index, and where it is imported from. */
  config(index: number): ValueObject;
  key(index: number, project: number): number;
}

const CASES: readonly Case[] = [
  {
    type: "steward_job_token_allowlist_group",
    config: (index) => ({ target_group: group(index).path }),
    key: (index) => group(index).id,
  },
  {
    type: "steward_container_protection_rule",
    config: rule,
    key: (index, project) => index + 1 + (project === 1 ? 0 : MANY),
  },
];

describe.each(CASES)("$type", ({ type, config, key }) => {
  const host = () => new Host(world, type);

  /** Requests for a refresh and a plan, all at the same time in one run. */
  async function cost(project: number, indices: readonly number[], expected?: number): Promise<number> {
    const ids = indices.map((index) => `${project}:${key(index, project)}`);
    const importing = host().connect();
    const states: StoredState[] = await Promise.all(ids.map((id) => host().import(id, importing)));
    const run = host().connect();
    world.service.requests.reset();
    await Promise.all(
      states.map(async (state, position) => {
        const { state: read } = await host().read(state, run, expected);
        const declared = { project: String(project), ...config(indices[position]!) };
        expect(await host().plan(read, declared, run)).toMatchObject({ action: "none", diagnostics: [] });
      }),
    );
    return world.service.requests.count();
  }

  test("one object of a project that has 30", async () => {
    expect(await cost(2, [7], 1)).toBe(1);
  });

  test("30 of one collection, whether the host knows how many or not", async () => {
    expect(await cost(2, numbers(SOME), SOME)).toBe(1);
    expect(await cost(2, numbers(SOME))).toBe(1);
  });

  test("three out of 5,000: the pages of the list, not three times as many", async () => {
    expect(await cost(1, [0, 2500, 4999], 3)).toBe(PAGES);
  });

  test("a create and a destroy are one request each", async () => {
    const run = host().connect();
    const index = SOME + 1;
    const plan = await host().plan(undefined, { project: "2", ...config(index) }, run);
    world.service.requests.reset();
    const { state } = await host().apply(plan, run);
    expect(world.service.requests.count()).toBe(1);
    await host().destroy(state!, run);
    expect(world.service.requests.count()).toBe(2);
  });
});

test("a rule's update looks first, and takes what it becomes from the write's own answer", async () => {
  const host = new Host(world, "steward_container_protection_rule");
  const state = await host.import(`2:${MANY + 1}`);
  const run = host.connect();
  const plan = await host.plan(
    state,
    { project: "2", ...rule(0), minimum_access_level_for_push: "admin" },
    run,
  );
  world.service.requests.reset();
  const { state: after } = await host.apply(plan, run);
  expect(world.service.requests.all.map(({ method }) => method)).toEqual(["GET", "PATCH"]);
  expect(await host.refresh(after!, run)).toEqual(after);
  expect(world.service.requests.count()).toBe(2);
});
