import type { FixtureInput } from "cdktf-provider-steward/testing";
import type { ValueObject } from "../../../src/provider/schema";
import { Host } from "../support/host";
import { FIXTURE, startWorld, type World } from "../support/world";

// What writing costs where the API shows whole lists alone.

const SOME = 3;
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const group = (index: number) => ({ path: `team-${index}`, id: 1000 + index, visibility: "public" as const });
const rule = (index: number) => ({
  repository_path_pattern: `acme/web/${index}`,
  minimum_access_level_for_push: "owner" as const,
});
const fixture: FixtureInput = {
  ...FIXTURE,
  groups: [...FIXTURE.groups!, ...numbers(SOME + 2).map(group)],
  projects: [
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
  /** What the list at the project holds at an index. */
  config(index: number): ValueObject;
}

const CASES: readonly Case[] = [
  {
    type: "steward_job_token_allowlist_group",
    config: (index) => ({ target_group: group(index).path }),
  },
  {
    type: "steward_container_protection_rule",
    config: rule,
  },
];

describe.each(CASES)("$type", ({ type, config }) => {
  const host = () => new Host(world, type);

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
  const state = await host.import("2:1");
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
