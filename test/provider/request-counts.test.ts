import type { FixtureInput } from "cdktf-provider-steward/testing";
import type { ConfiguredProvider, StoredState } from "../../src/framework/protocol/protocol";
import { CROWD } from "../../src/provider/samples/company";
import type { ValueObject } from "../../src/schema";
import { runs } from "../support/capabilities";
import { containerOf, ENTRIES, type Entries, ONE_EACH } from "./samples";
import { crowdOfGroups, crowdOfProjects, filled, numbers, post } from "./support/crowd";
import { Host } from "./support/host";
import { actions, Stack } from "./support/stack";
import { FIXTURE, GROUP, PROJECT, useOneWorld } from "./support/world";

// Counts the read requests of every resource: for one object, for all of 30 objects, and for some of many objects. If
// the host announces its reads, the provider sends at most one request for each object, or one for each page.
const MANY = runs(1000, 5000);
/** The number of objects that must be posted one by one, because fixtures cannot contain them. */
const POSTED = 300;
const CROWDED = "acme/crowded";

/**
 * The project and the group with many objects of each resource, and another project and group with only some objects.
 * The objects of `some` were created after the objects of `crowded`.
 */
const PLACES = {
  project: { crowded: { path: CROWDED, id: PROJECT.web }, some: { id: PROJECT.tools } },
  group: { crowded: { path: "acme/platform", id: GROUP.platform }, some: { id: GROUP.approvers } },
} as const;
const SOME = 30;

const fixture: FixtureInput = {
  ...FIXTURE,
  groups: [
    ...FIXTURE.groups!.map((one) => ({
      ...one,
      ...(one.id === GROUP.platform && filled("group", MANY)),
      ...(one.id === GROUP.approvers && filled("group", SOME)),
    })),
    ...crowdOfGroups(MANY),
  ],
  projects: [
    { path: CROWDED, id: PROJECT.web, ...filled("project", MANY) },
    { path: "acme/some", id: PROJECT.tools, ...filled("project", SOME) },
    ...crowdOfProjects(MANY),
  ],
};

const world = useOneWorld(fixture);
beforeAll(async () => {
  for (const [kind, { crowded, some }] of Object.entries(PLACES) as [
    "project" | "group",
    (typeof PLACES)["project"],
  ][]) {
    await post(kind, world.http, `/${kind}s/${crowded.id}`, POSTED);
    await post(kind, world.http, `/${kind}s/${some.id}`, SOME);
  }
});

/** The way in which one resource is tested in the place with many objects. */
interface Case {
  readonly type: string;
  readonly many: number;
  /** Returns the declaration of the object with this index. `id` returns its id. */
  config(index: number): ValueObject;
  id(index: number): string;
  /**
   * Returns the number of requests that read this many objects: `known` if the host announces them, `unknown` if it
   * does not.
   */
  known(count: number): number;
  unknown(count: number): number;
}

/** How many objects the tests read: a few, and more than the list has pages. */
const COUNTS: readonly number[] = process.env["SOAK"] ? [1, 3, 4, 40, 60] : [1, 3, 4, 15];

/**
 * Returns a function that returns the id of an object by its index. The service numbers objects in the order of the
 * fixture.
 */
const idsIn =
  (container: number, { key }: Entries, before: number) =>
  (index: number) =>
    `${container}:${key(index, before + index + 1)}`;

/** Returns how many objects are in the project or group with many objects. */
const manyOf = ({ fixture }: Entries): number => (fixture === undefined ? POSTED : MANY);

/** Each run looks up the path of the container once, to compare its id with that of the last apply. */
const COMPARED = 1;

/**
 * Returns the number of requests that look up project paths: one for each path, or one for each page of the group's
 * projects. Below four paths, the provider does not request a page.
 */
function lookups(count: number): number {
  const pages = MANY / 100 + 1;
  return count < 4 ? count : Math.min(1 + count, pages);
}

const ofMany = ([type, entries]: (typeof ENTRIES)[number]): Case => {
  const kind = containerOf(type);
  const { path, id } = PLACES[kind].crowded;
  const many = manyOf(entries);
  const pages = entries.pages(many);
  const whole = () => pages + COMPARED;
  return {
    type,
    many,
    config: (index) => ({ [kind]: path, ...entries.config(index) }),
    id: idsIn(id, entries, 0),
    // If the API can read single objects, the provider does so as long as the wanted objects are fewer than the pages
    // of the list. The provider requests the first page for two objects or more, because this page shows the number of
    // pages. If the host does not announce its reads, the number of single requests is at most the number of pages.
    ...(entries.single === undefined
      ? { known: whole, unknown: whole }
      : {
          known: (count) => COMPARED + (count === 1 ? 1 : Math.min(1 + count, pages)),
          unknown(count) {
            if (count === 1) return COMPARED + 1;
            return COMPARED + 1 + (count <= pages ? count : pages + pages);
          },
        }),
  };
};

/** Every project has these settings, so each project takes the same requests. */
const ofOneEach = ([type, { config, reads }]: (typeof ONE_EACH)[number]): Case => {
  const cost = (count: number) => count * reads.length + lookups(count);
  return {
    type,
    many: MANY,
    config: (index) => ({ project: CROWD.project(index).path, ...config }),
    id: (index) => String(CROWD.project(index).id),
    known: cost,
    unknown: cost,
  };
};

const CASES = [...ENTRIES.map(ofMany), ...ONE_EACH.map(ofOneEach)].map((one) => [one.type, one] as const);

const count = async (work: () => Promise<unknown>): Promise<number> => {
  world.service.requests.reset();
  await work();
  return world.service.requests.count();
};

describe.each(CASES)("%s", (type, { many, config, id, known, unknown }) => {
  const most = COUNTS.at(-1)!;
  const indices = numbers(most).map((index) => index * Math.floor(many / most));
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

  /** Reads and plans this number of objects concurrently in one run. */
  const look = (howMany: number, isKnown: boolean, run: ConfiguredProvider) => {
    const wanted = states.slice(0, howMany);
    if (isKnown) host().expectReads(wanted, run);
    return Promise.all(
      wanted.map(async (state, position) => {
        const { state: live } = await host().read(state, run);
        const declared = config(indices[position]!);
        expect(await host().plan(live, declared, run)).toMatchObject({ action: "none", diagnostics: [] });
      }),
    );
  };

  test.each(COUNTS.map((howMany) => [howMany, many, known(howMany), unknown(howMany)] as const))(
    "a plan of %d of %d live objects sends %d requests, or %d if the host announces no reads",
    async (howMany, _many, requests, blind) => {
      expect(await count(() => look(howMany, true, host().connect()))).toBe(requests);
      expect(await count(() => look(howMany, false, host().connect()))).toBe(blind);
    },
  );
});

describe.each(ENTRIES)("%s", (type, entries) => {
  const id = idsIn(PLACES[containerOf(type)].some.id, entries, manyOf(entries));
  // All objects are on one page. If the host does not announce its reads and the API can read single objects, the
  // provider reads one object before the page.
  const known = COMPARED + 1;
  const unknown = COMPARED + (entries.single === undefined ? 1 : 1 + 1);

  test.each([
    ["with known reads", true, known],
    ["with unknown reads", false, unknown],
  ])(
    "30 reads of one collection send the expected number of requests, %s (reads announced: %s)",
    async (_, isKnown, requests) => {
      const host = new Host(world, type);
      const importing = host.connect();
      const states = await Promise.all(numbers(30).map((index) => host.import(id(index), importing)));
      const run = host.connect();
      if (isKnown) host.expectReads(states, run);
      expect(await count(() => Promise.all(states.map((state) => host.refresh(state, run))))).toBe(requests);
    },
  );
});

test("the provider reads objects of one type in two projects from two lists, one for each project", async () => {
  const host = new Host(world, "steward_protected_environment");
  const states = await Promise.all([
    ...numbers(3).map((index) => host.import(`1:env-${index}`)),
    ...numbers(3).map((index) => host.import(`2:env-${index}`)),
  ]);
  const run = host.connect();
  host.expectReads(states, run);
  expect(await count(() => Promise.all(states.map((state) => host.refresh(state, run))))).toBe(
    1 + 3 + 1 + 2 * COMPARED,
  );
});

test("in plan and apply, the embedded engine announces to the provider the objects that the provider will read", async () => {
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
    // The first page shows that the list has more pages than the four single requests. So the provider reads the
    // objects one by one.
    expect(await count(async () => expect(actions(await stack.plan())).toEqual({}))).toBe(1 + 4);
    stack.declare(declared(60));
    const project = 1;
    const planned = 1 + 4 + project;
    expect(await count(() => stack.plan())).toBe(planned);
    // Before the first change, the provider reads the permissions of the token and the role of its user.
    const rights = 1 + 1;
    expect(await count(() => stack.apply())).toBe(planned + rights + (1 + 4) + 4);
  } finally {
    stack.remove();
  }
});

test.each(COUNTS.slice(1))(
  "to look up %d new project paths, the provider requests each path, or the pages of the group's list",
  async (howMany) => {
    const run = new Host(world, "steward_job_token_scope").connect();
    const requests = lookups(howMany);
    const names = numbers(howMany).map((index) => CROWD.project(index * Math.floor(MANY / howMany)).path);
    const identities = () =>
      Promise.all(
        names.map((project) =>
          run.identify!({ type: "steward_job_token_scope", attributes: { project, inbound_enabled: true } }),
        ),
      );
    expect(await count(async () => expect(new Set(await identities()).size).toBe(howMany))).toBe(requests);
    expect(await count(identities)).toBe(0);
  },
);
