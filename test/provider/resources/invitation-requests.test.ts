import type { FixtureInput } from "cdktf-provider-steward/testing";
import type { StoredState } from "../../../src/framework/protocol/protocol";
import { Host } from "../support/host";
import { FIXTURE, useOneWorld } from "../support/world";

// What looking at invitations costs, counted at the service: the pages of a collection, and not a request for each.

const MEMBERS = 150;
const username = (index: number) => `member-${index}`;
const fixture: FixtureInput = {
  ...FIXTURE,
  users: [
    ...FIXTURE.users!,
    ...Array.from({ length: MEMBERS }, (_, index) => ({ username: username(index), id: 1000 + index })),
  ],
  projects: [
    { path: "acme/web", id: 1 },
    {
      path: "acme/crew",
      id: 2,
      members: Array.from({ length: MEMBERS }, (_, index) => ({
        user: username(index),
        role: "developer" as const,
      })),
    },
  ],
};

const world = useOneWorld(fixture);

/** Requests for a refresh and a plan of some objects of one run, all at the same time. */
async function cost(type: string, ids: readonly string[], token?: string): Promise<number> {
  const host = new Host(world, type, token);
  const states: StoredState[] = await Promise.all(ids.map((id) => host.import(id)));
  const run = host.connect();
  host.expectReads(states, run);
  world.service.requests.reset();
  await Promise.all(
    states.map(async (state) => {
      const { project = null, group = null, email, user, access_level } = state.attributes;
      const { state: read } = await host.read(state, run);
      const within = project === null ? { group } : { project };
      const plan = await host.plan(
        read,
        { ...within, email: email!, user: user!, access_level: access_level! },
        run,
      );
      expect(plan).toMatchObject({ action: "none", diagnostics: [] });
    }),
  );
  return world.service.requests.count();
}

const some = (count: number, all: number): number[] =>
  Array.from({ length: count }, (_, index) => Math.floor((index * all) / count));

describe("users who are members, out of 150 and those of the group", () => {
  test.each([
    ["one", 1, 1],
    ["two: the 2 pages of members", 2, 2],
    ["30: the 2 pages of members", 30, 2],
  ])("%s", async (_, count, requests) => {
    const ids = some(count, MEMBERS).map((index) => `2:${1000 + index}`);
    expect(await cost("steward_project_invitation", ids)).toBe(requests);
  });
});

describe("addresses of members, for an administrator, who sees them", () => {
  test.each([
    ["one: its invitation is looked for, and the 2 pages of members", 1, 3],
    ["30: the page of invitations, and the 2 of members", 30, 3],
  ])("%s", async (_, count, requests) => {
    const ids = some(count, MEMBERS).map((index) => `2:${username(index)}@example.com`);
    expect(await cost("steward_project_invitation", ids, world.service.adminToken)).toBe(requests);
  });
});

test("writes: a create with the looks before it and the one at what came of it, a change that looks first, a destroy", async () => {
  const host = new Host(world, "steward_project_invitation");
  const config = { project: "acme/web", email: "counted@example.com", access_level: 30 };
  const count = async (work: () => Promise<unknown>): Promise<number> => {
    world.service.requests.reset();
    await work();
    return world.service.requests.count();
  };
  let state: StoredState | undefined;
  const create = await host.plan(undefined, config);
  expect(await count(async () => (state = (await host.apply(create)).state))).toBe(2 + 2);
  const update = await host.plan(state, { ...config, access_level: 20 });
  expect(await count(async () => (state = (await host.apply(update)).state))).toBe(2);
  expect(await count(() => host.destroy(state!))).toBe(1);
});
