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

// Counts the read requests of every resource at the service: for one object, for 30 objects of one collection, and
// for 10 of many objects. A host that announces its reads needs at most one request for each object, or one for each
// page.
const MANY = runs(1000, 5000);
/** Objects that no fixture can contain, and that are posted one by one. */
const POSTED = 300;
const CROWDED = "acme/crowded";

/** A place with many objects of each resource, and a place with 30 objects that were made after them. */
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

/** The place of one resource in the crowd. */
interface Case {
  readonly type: string;
  readonly many: number;
  /** The declaration of the object at an index, and its id. */
  config(index: number): ValueObject;
  id(index: number): string;
  /** Requests for this number of objects: exactly if the host announces them, and at most otherwise. */
  known(count: number): number;
  unknown(count: number): number;
}

/** A few objects, and more objects than the list has pages. */
const COUNTS: readonly number[] = process.env["SOAK"] ? [1, 3, 4, 40, 60] : [1, 3, 4, 15];

/** The service assigns numbers in the order of the fixture. */
const idsIn =
  (container: number, { key }: Entries, before: number) =>
  (index: number) =>
    `${container}:${key(index, before + index + 1)}`;

/** How many there are in the crowded project or group. */
const manyOf = ({ fixture }: Entries): number => (fixture === undefined ? POSTED : MANY);

/** One look-up in each run compares the path of the container with the id that it was applied with. */
const COMPARED = 1;

/**
 * The look-ups of the crowd's paths: one by one, or in the pages of their group's list. For fewer than four paths,
 * the first page is not worth a request.
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
    // Objects with a single request are read one by one while there are fewer objects than pages. The first page
    // shows the number of pages, from the second object on. Without an announcement, at most as many single requests
    // are sent as there are pages.
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

/** Settings that every project has once take the same requests for each project. */
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

  /** Refreshes and plans this number of objects at the same time in one run. */
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
    "a plan of %d out of %d live objects sends %d requests, or %d if the host does not announce the reads",
    async (howMany, _many, requests, blind) => {
      expect(await count(() => look(howMany, true, host().connect()))).toBe(requests);
      expect(await count(() => look(howMany, false, host().connect()))).toBe(blind);
    },
  );
});

describe.each(ENTRIES)("%s", (type, entries) => {
  const id = idsIn(PLACES[containerOf(type)].some.id, entries, manyOf(entries));
  // The objects of one page. If the API has single requests, one of these comes before the page.
  const known = COMPARED + 1;
  const unknown = COMPARED + (entries.single === undefined ? 1 : 1 + 1);

  test.each([
    ["where the host knows", true, known],
    ["where it doesn't", false, unknown],
  ])(
    "30 reads of one collection request one page, or one object and then one page, %s (reads announced: %s)",
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

test("objects of one type in two projects are read from two lists, one for each project", async () => {
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

test("the embedded engine announces its reads to the provider in a plan and in an apply", async () => {
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
    // The first page shows that the rest of the list would take more than four requests.
    expect(await count(async () => expect(actions(await stack.plan())).toEqual({}))).toBe(1 + 4);
    stack.declare(declared(60));
    const project = 1;
    const planned = 1 + 4 + project;
    expect(await count(() => stack.plan())).toBe(planned);
    // The permissions of the token and the role of its user are read once each, before the first change.
    const rights = 1 + 1;
    expect(await count(() => stack.apply())).toBe(planned + rights + (1 + 4) + 4);
  } finally {
    stack.remove();
  }
});

test.each(COUNTS.slice(1))(
  "%d new project paths are looked up with one request each, or in the pages of their group's list",
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
