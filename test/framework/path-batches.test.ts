import * as fc from "fast-check";
import { PathBatches, type PathSource } from "../../src/framework/references/path-batches";
import { reference } from "../../src/schema";

const PAGE = 100;

class Refused extends Error {}

/** Imitates a service with projects, and records the requests. */
class Projects implements PathSource {
  readonly requests: string[] = [];

  /**
   * @param paths the projects that appear in lists
   * @param moved the new paths of old paths
   * @param unlisted the projects that appear only in a single read
   */
  constructor(
    readonly paths: readonly string[],
    readonly moved: Readonly<Record<string, string>> = {},
    readonly unlisted: readonly string[] = [],
    readonly isListable = (_: string): boolean => true,
  ) {}

  find = async (path: string) => {
    this.requests.push(`GET ${path}`);
    const same = (one: string) => one.toLowerCase() === path.toLowerCase();
    const now = this.moved[path] ?? [...this.paths, ...this.unlisted].find(same);
    return now === undefined ? undefined : this.object(now);
  };

  object = (path: string) => ({
    ...reference([...this.paths, ...this.unlisted].indexOf(path) + 1),
    path,
  });

  below(path: string, isNested: boolean) {
    const within = this.paths.filter((one) => {
      const rest = one.slice(path.length + 1);
      return one.startsWith(`${path}/`) && (isNested || !rest.includes("/"));
    });
    const count = Math.max(1, Math.ceil(within.length / PAGE));
    const read = (page: number) => {
      this.requests.push(`LIST ${path}${isNested ? "/**" : ""} ${page}`);
      if (!this.isListable(path)) throw new Refused();
      return within.slice((page - 1) * PAGE, page * PAGE).map(this.object);
    };
    return {
      pages: async (most: number, onCount: (count: number) => void) => {
        const first = read(1);
        onCount(count);
        if (count > most) return undefined;
        return (async function* () {
          yield first;
          for (let page = 2; page <= count; page += 1) yield read(page);
        })();
      },
    };
  }

  throwUnlessFailure(problem: unknown): void {
    if (!(problem instanceof Refused)) throw problem;
  }
}

const named = (parent: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${parent}/p${at}`);
const groups = (count: number, each: number): string[] =>
  Array.from({ length: count }, (_, at) => named(`acme/g${at}`, each)).flat();

/** Looks up paths, `width` of them at the same time. */
async function lookUp(projects: Projects, paths: readonly string[], width = paths.length) {
  const batches = new PathBatches(projects, () => undefined);
  const found: (string | undefined)[] = [];
  for (let at = 0; at < paths.length; at += width)
    found.push(
      ...(await Promise.all(paths.slice(at, at + width).map((path) => batches.find(path)))).map(
        (one) => one?.path,
      ),
    );
  return found;
}

describe("the number of requests for paths that are looked up together", () => {
  test.each<[string, readonly string[], readonly string[], number, number]>([
    ["3 single requests for 3 of 50 paths", named("acme", 50), named("acme", 3), 3, 1e4],
    ["one page for 4 of 50 paths", named("acme", 50), named("acme", 4), 1, 1e4],
    ["10 pages for 900 of 1,000 paths", named("acme", 1000), named("acme", 900), 10, 1e4],
    ["10 pages for 12 of 1,000 paths", named("acme", 1000), named("acme", 12), 10, 1e4],
    ["8 single requests and one page for 8 of 1,000 paths", named("acme", 1000), named("acme", 8), 9, 1e4],
    ["2 pages of the parent group for one path in each of 60 groups", groups(60, 2), groups(60, 1), 2, 1e4],
    [
      "24 pages of 12 groups and one page of the parent group for 30 paths in each group",
      groups(12, 190),
      groups(12, 30),
      12 * 2 + 1,
      1e4,
    ],
    [
      "10 pages for 500 of 1,000 paths that are looked up ten at a time",
      named("acme", 1000),
      named("acme", 500),
      10,
      10,
    ],
    [
      "51 requests for 2,000 of 3,000 paths that are looked up ten at a time",
      named("acme", 3000),
      named("acme", 2000),
      // These requests are the first page, which contains the count; the single reads; and the rest of the list.
      1 + 20 + 30,
      10,
    ],
  ])("looking up paths together needs %s", async (_, live, wanted, requests, width) => {
    const projects = new Projects(live);
    expect(await lookUp(projects, wanted, width)).toEqual(wanted);
    expect(projects.requests).toHaveLength(requests);
  });
});

test("if no list contains a path, the client looks up this path with a separate request", async () => {
  const live = named("acme", 20);
  const projects = new Projects(live, { "acme/old": "acme/p1" }, ["acme/hidden"]);
  const wanted = ["acme/P2", "acme/old", "acme/hidden", "acme/none", "acme/p3"];
  expect(await lookUp(projects, wanted)).toEqual(["acme/p2", "acme/p1", "acme/hidden", undefined, "acme/p3"]);
  expect(projects.requests).toEqual(["LIST acme 1", "GET acme/old", "GET acme/hidden", "GET acme/none"]);
});

test("if the token can't list a group's projects, the client requests each project separately", async () => {
  const live = named("ada", 20);
  const projects = new Projects(live, {}, [], () => false);
  expect(await lookUp(projects, live, 5)).toEqual(live);
  expect(projects.requests).toHaveLength(21);
});

test("after an exception in a look-up of many paths, a later look-up of one path succeeds", async () => {
  const live = named("acme", 20);
  const projects = new Projects(live);
  const broken: PathSource = {
    find: projects.find,
    throwUnlessFailure: projects.throwUnlessFailure,
    below: () => {
      throw new TypeError("broken");
    },
  };
  const batches = new PathBatches(broken, () => undefined);
  const results = await Promise.allSettled(live.map((path) => batches.find(path)));
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  expect(await batches.find("acme/p1")).toMatchObject({ path: "acme/p1" });
});

test("a look-up of many paths returns the same as a single look-up of each path", async () => {
  const segment = fc.constantFrom("a", "b", "c");
  const path = fc
    .array(segment, { minLength: 1, maxLength: 3 })
    .chain((parents) => fc.nat(6).map((at) => [...parents, `p${at}`].join("/")));
  const law = fc.asyncProperty(
    fc.uniqueArray(path, { maxLength: 60 }),
    fc.uniqueArray(path, { maxLength: 60 }),
    fc.integer({ min: 1, max: 30 }),
    fc.nat(2),
    async (live, wanted, width, unlistable) => {
      const projects = new Projects(live, {}, [], (group) => !group.endsWith("abc"[unlistable]!));
      const found = await lookUp(projects, wanted, width);
      expect(found).toEqual(wanted.map((one) => (live.includes(one) ? one : undefined)));
      expect(projects.requests.length).toBeLessThanOrEqual(wanted.length * 1.5);
    },
  );
  await fc.assert(law, { numRuns: 150 });
});
