import type { FixtureInput } from "cdktf-provider-steward/testing";
import type { ConfiguredProvider, StoredState } from "../../src/framework/protocol/protocol";
import type { ValueObject } from "../../src/schema";
import { describeEvery } from "../support/every-resource";
import { Host } from "./support/host";
import { actions, Stack } from "./support/stack";
import { FIXTURE, startWorld, type World } from "./support/world";

// Looking has a price, and it is counted at the service, for every resource: one object, 30 of one collection, and a
// few out of 5,000. A host that knows how many it wants pays for the objects or for the pages, whichever are fewer.

const MANY = 5000;
const PAGES = MANY / 100;
const CROWDED = "acme/crowded";
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

const group = (index: number) => ({
  path: `team-${index}`,
  id: 10_000 + index,
  visibility: "public" as const,
});
const target = (index: number) => ({ path: `acme/target-${index}`, id: 20_000 + index });
const address = (index: number) => `person-${index}@example.com`;
const environment = (index: number) => ({
  name: `env-${index}`,
  deploy_access_levels: [{ access_level: 40 }],
});
const rule = (index: number) => ({
  repository_path_pattern: `acme/crowded/${index}`,
  minimum_access_level_for_push: "owner" as const,
});
const invitation = (index: number) => ({ email: address(index), role: "developer" as const });

/** What a project holds, so many of each. */
const filled = (count: number) => ({
  job_token_scope: {
    projects: numbers(count).map((index) => target(index).path),
    groups: numbers(count).map((index) => group(index).path),
  },
  protected_environments: numbers(count).map(environment),
  container_rules: numbers(count).map(rule),
  invitations: numbers(count).map(invitation),
});

/** How many are invited to a group. */
const INVITED: Readonly<Record<string, number>> = { "acme/platform": MANY, "acme/approvers": 30 };

const fixture: FixtureInput = {
  ...FIXTURE,
  groups: [
    ...FIXTURE.groups!.map((one) => ({
      ...one,
      invitations: numbers(INVITED[one.path] ?? 0).map(invitation),
    })),
    ...numbers(MANY).map(group),
  ],
  projects: [
    { path: CROWDED, id: 1, ...filled(MANY) },
    // The rules of this one follow those of the other.
    { path: "acme/some", id: 2, ...filled(30) },
    ...numbers(MANY).map(target),
  ],
};

let world: World;
beforeAll(async () => {
  world = await startWorld(fixture);
});
afterAll(() => world.close());

/** How one resource stands in the crowd. */
interface Case {
  readonly within?: ValueObject;
  /** What is declared of the object at an index, and the rest of its id. */
  config(index: number): ValueObject;
  id(index: number): string;
  /** Requests for 1, 3, 4, 40 and 60 objects; without the host's word for the last three, at most. */
  readonly known: readonly [number, number, number, number, number];
  readonly unknown: readonly [number, number, number, number, number];
}

/**
 * What the API has a request for is asked for alone, as long as there are fewer objects than pages: the first page tells
 * that, from the second object on. Where nobody knows how many there will be, as many are asked for alone as there are pages.
 */
const SINGLES = {
  known: [1, 1 + 3, 1 + 4, 1 + 40, PAGES],
  unknown: [1, 1 + 3, 1 + 4, 1 + 40, 1 + PAGES + PAGES],
} as const;
/** Of the others there are whole lists alone. */
const LISTS = {
  known: [PAGES, PAGES, PAGES, PAGES, PAGES],
  unknown: [PAGES, PAGES, PAGES, PAGES, PAGES],
} as const;
/** One list has no pages at all. */
const ONE_ANSWER = { known: [1, 1, 1, 1, 1], unknown: [1, 1, 1, 1, 1] } as const;
/** The project itself is on its own allowlist, and begins another page. */
const LONGER_LISTS = {
  known: [PAGES + 1, PAGES + 1, PAGES + 1, PAGES + 1, PAGES + 1],
  unknown: [PAGES + 1, PAGES + 1, PAGES + 1, PAGES + 1, PAGES + 1],
} as const;
/** A setting that every project has once is a request a project. */
const SETTING = { known: [1, 3, 4, 40, 60], unknown: [1, 3, 4, 40, 60] } as const;

const CASES: Readonly<Record<string, Case>> = {
  steward_protected_environment: {
    config: environment,
    id: (index) => `1:env-${index}`,
    ...SINGLES,
  },
  steward_project_invitation: {
    config: (index) => ({ email: address(index), access_level: 30 }),
    id: (index) => `1:${address(index)}`,
    ...SINGLES,
  },
  steward_group_invitation: {
    within: { group: "acme/platform" },
    config: (index) => ({ email: address(index), access_level: 30 }),
    id: (index) => `12:${address(index)}`,
    ...SINGLES,
  },
  steward_job_token_allowlist_project: {
    config: (index) => ({ target_project: target(index).path }),
    id: (index) => `1:${target(index).id}`,
    ...LONGER_LISTS,
  },
  steward_job_token_allowlist_group: {
    config: (index) => ({ target_group: group(index).path }),
    id: (index) => `1:${group(index).id}`,
    ...LISTS,
  },
  steward_container_protection_rule: { config: rule, id: (index) => `1:${index + 1}`, ...ONE_ANSWER },
  steward_job_token_scope: {
    within: {},
    config: (index) => ({ project: target(index).path, inbound_enabled: true }),
    id: (index) => String(target(index).id),
    ...SETTING,
  },
  steward_pages_settings: {
    within: {},
    config: (index) => ({ project: target(index).path, force_https: true }),
    id: (index) => String(target(index).id),
    ...SETTING,
  },
  steward_job_token_allowlist: {
    within: {},
    config: (index) => ({ project: target(index).path, target_projects: [], target_groups: [] }),
    id: (index) => String(target(index).id),
    // Its two lists, of one page each.
    known: [2, 6, 8, 80, 120],
    unknown: [2, 6, 8, 80, 120],
  },
};

const count = async (work: () => Promise<unknown>): Promise<number> => {
  world.service.requests.reset();
  await work();
  return world.service.requests.count();
};

const HERE = "test/provider/request-counts.test.ts";
const OF_MANY = { about: "requests for a few out of 5,000", samples: CASES, file: HERE };

describeEvery(OF_MANY, (type, { within, config, id, known, unknown }) => {
  const COUNTS = [1, 3, 4, 40, 60] as const;
  const most = COUNTS.at(-1)!;
  const indices = numbers(most).map((index) => index * Math.floor(MANY / most));
  const host = () => new Host(world, type);
  let states: readonly StoredState[];

  beforeAll(async () => {
    const importing = host().connect();
    host().expectReads(
      indices.map((index) => ({ attributes: { id: id(index) } })),
      importing,
    );
    states = await Promise.all(indices.map((index) => host().import(id(index), importing)));
  });

  /** A refresh and a plan of the first so many, all at the same time in one run. */
  const look = (howMany: number, isKnown: boolean, run: ConfiguredProvider) => {
    const wanted = states.slice(0, howMany);
    if (isKnown) host().expectReads(wanted, run);
    return Promise.all(
      wanted.map(async (state, position) => {
        const { state: live } = await host().read(state, run);
        const declared = { ...(within ?? { project: CROWDED }), ...config(indices[position]!) };
        expect(await host().plan(live, declared, run)).toMatchObject({ action: "none", diagnostics: [] });
      }),
    );
  };

  test.each(COUNTS.map((howMany, index) => [howMany, known[index]!, unknown[index]!]))(
    "%d out of 5,000: %d requests, and %d where the host doesn't know how many there will be",
    async (howMany, requests, blind) => {
      expect(await count(() => look(howMany, true, host().connect()))).toBe(requests);
      expect(await count(() => look(howMany, false, host().connect()))).toBe(blind);
    },
  );
});

/** What one page holds: where the API has a request for one as well, one of these comes before it. */
const ONE_PAGE = { known: 1, unknown: 1 } as const;
const PAGE_AFTER_SINGLES = { known: 1, unknown: 1 + 1 } as const;
const ONCE = "every project has it once: there is no collection of it";

/** Thirty of one collection: their ids, and the requests for all of them. */
const OF_THIRTY = {
  about: "requests for 30 of one collection",
  file: HERE,
  samples: {
    steward_protected_environment: { id: (index: number) => `2:env-${index}`, ...PAGE_AFTER_SINGLES },
    steward_project_invitation: { id: (index: number) => `2:${address(index)}`, ...PAGE_AFTER_SINGLES },
    steward_group_invitation: { id: (index: number) => `13:${address(index)}`, ...PAGE_AFTER_SINGLES },
    steward_job_token_allowlist_project: { id: (index: number) => `2:${target(index).id}`, ...ONE_PAGE },
    steward_job_token_allowlist_group: { id: (index: number) => `2:${group(index).id}`, ...ONE_PAGE },
    steward_container_protection_rule: { id: (index: number) => `2:${MANY + index + 1}`, ...ONE_PAGE },
  },
  without: {
    steward_job_token_scope: ONCE,
    steward_pages_settings: ONCE,
    steward_job_token_allowlist: ONCE,
  },
};

describeEvery(OF_THIRTY, (type, { id, known, unknown }) => {
  test.each([
    ["where the host knows", true, known],
    ["where it doesn't", false, unknown],
  ])("30 of one collection, %s: one page, or one with one object before it", async (_, isKnown, requests) => {
    const host = new Host(world, type);
    const importing = host.connect();
    const states = await Promise.all(numbers(30).map((index) => host.import(id(index), importing)));
    const run = host.connect();
    if (isKnown) host.expectReads(states, run);
    expect(await count(() => Promise.all(states.map((state) => host.refresh(state, run))))).toBe(requests);
  });
});

test("objects of one type in many projects: each project has a collection of its own", async () => {
  const host = new Host(world, "steward_protected_environment");
  const states = await Promise.all([
    ...numbers(3).map((index) => host.import(`1:env-${index}`)),
    ...numbers(3).map((index) => host.import(`2:env-${index}`)),
  ]);
  const run = host.connect();
  host.expectReads(states, run);
  expect(await count(() => Promise.all(states.map((state) => host.refresh(state, run))))).toBe(1 + 3 + 1);
});

test("the embedded engine says how many it wants: a plan, and an apply that looks before each change", async () => {
  const declared = (level: number) => ({
    resource: {
      steward_protected_environment: Object.fromEntries(
        numbers(4).map((index) => [
          `new_${index}`,
          { project: "1", name: `new-${index}`, deploy_access_levels: [{ access_level: level }] },
        ]),
      ),
    },
  });
  const stack = new Stack(world, declared(40));
  try {
    expect((await stack.apply()).diagnostics).toEqual([]);
    // Its first page tells that the list is longer than four requests.
    expect(await count(async () => expect(actions(await stack.plan())).toEqual({}))).toBe(1 + 4);
    stack.declare(declared(60));
    const project = 1;
    const planned = 1 + 4 + project;
    expect(await count(() => stack.plan())).toBe(planned);
    // What the token and its user's role allow is asked for once each, before the first change.
    const rights = 1 + 1;
    expect(await count(() => stack.apply())).toBe(planned + rights + (1 + 4) + 4);
  } finally {
    stack.remove();
  }
});
