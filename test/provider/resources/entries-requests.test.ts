import type { FixtureInput } from "cdktf-provider-steward/testing";
import type { ValueObject } from "../../../src/schema";
import { describeEvery, type Walk } from "../../support/every-resource";
import { Host } from "../support/host";
import { FIXTURE, startWorld, type World } from "../support/world";

// What writing costs where the API shows whole lists alone.

const SOME = 3;
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const group = (index: number) => ({ path: `team-${index}`, id: 1000 + index, visibility: "public" as const });
const target = (index: number) => ({ path: `acme/target-${index}`, id: 2000 + index });
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
      job_token_scope: {
        groups: numbers(SOME).map((index) => group(index).path),
        projects: numbers(SOME).map((index) => target(index).path),
      },
      container_rules: numbers(SOME).map(rule),
    },
    ...numbers(SOME + 2).map(target),
  ],
};

let world: World;
beforeAll(async () => {
  world = await startWorld(fixture);
});
afterAll(() => world.close());

const WITH_SINGLES =
  "the API has a request for one of them: invitation-requests.test.ts and request-counts.test.ts";
const ONCE = "every project has it once: there is no list of it";

/** What the list at the project holds at an index. */
const ENTRIES: Walk<(index: number) => ValueObject> = {
  about: "requests of a write where there are whole lists alone",
  file: "test/provider/resources/entries-requests.test.ts",
  samples: {
    steward_job_token_allowlist_project: (index) => ({ target_project: target(index).path }),
    steward_job_token_allowlist_group: (index) => ({ target_group: group(index).path }),
    steward_container_protection_rule: rule,
  },
  without: {
    steward_project_invitation: WITH_SINGLES,
    steward_group_invitation: WITH_SINGLES,
    steward_protected_environment: WITH_SINGLES,
    steward_job_token_scope: ONCE,
    steward_job_token_allowlist: ONCE,
    steward_pages_settings: ONCE,
  },
};

describeEvery(ENTRIES, (type, config) => {
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
