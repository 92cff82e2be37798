import type { FixtureInput } from "cdktf-provider-steward/testing";
import { ENTRIES, type Entries, SAMPLES } from "../samples";
import { crowdOfGroups, crowdOfProjects, filled, post } from "../support/crowd";
import { Host } from "../support/host";
import { FIXTURE, useOneWorld } from "../support/world";

// What writing costs where the API shows whole lists alone.

const SOME = 3;
const fixture: FixtureInput = {
  ...FIXTURE,
  groups: [...FIXTURE.groups!, ...crowdOfGroups(SOME + 2)],
  projects: [{ path: "acme/docs", id: 2, ...filled("project", SOME) }, ...crowdOfProjects(SOME + 2)],
};

const world = useOneWorld(fixture);
beforeAll(async () => {
  await post("project", world.http, "/projects/2", SOME);
});

const WITHOUT_SINGLES = ENTRIES.filter(([, { single }]) => single === undefined);

describe.each(WITHOUT_SINGLES)("%s", (type, { config }) => {
  const host = () => new Host(world, type);

  test("a create and a destroy are one request each", async () => {
    const run = host().connect();
    const index = SOME + 1;
    const plan = await host().plan(undefined, { project: "2", ...config(index) }, run);
    world.service.requests.reset();
    const { state } = await host().apply(plan, run);
    expect(world.service.requests.count()).toBe(1);
    await host().destroy(state!);
    expect(world.service.requests.count()).toBe(2);
  });
});

const rule = SAMPLES["steward_container_protection_rule"]!.many as Entries;

test("a rule's update looks first, and takes what it becomes from the write's own answer", async () => {
  const host = new Host(world, "steward_container_protection_rule");
  const state = await host.import("2:1");
  const run = host.connect();
  const plan = await host.plan(
    state,
    { project: "2", ...rule.config(0), minimum_access_level_for_push: "admin" },
    run,
  );
  world.service.requests.reset();
  const { state: after } = await host.apply(plan, run);
  expect(world.service.requests.all.map(({ method }) => method)).toEqual(["GET", "PATCH"]);
  expect(await host.refresh(after!, run)).toEqual(after);
  expect(world.service.requests.count()).toBe(2);
});
