import * as fc from "fast-check";
import { runs, seed } from "../support/capabilities";
import { actions, Stack } from "./support/stack";
import { PROJECT, startWorld, type World } from "./support/world";

// Under the embedded engine an allowlist may change hands in one run: what stays on it is never taken off.

const PROJECTS = ["2", "3", "4", "5"];
const GROUPS = ["12", "13"];
const LISTS = `/api/v4/projects/${PROJECT.web}/job_token_scope/`;

interface Declared {
  readonly isWhole: boolean;
  readonly projects: readonly string[];
  readonly groups: readonly string[];
}

const declared: fc.Arbitrary<Declared> = fc.record({
  isWhole: fc.boolean(),
  projects: fc.subarray(PROJECTS),
  groups: fc.subarray(GROUPS),
});

const project = String(PROJECT.web);
const named = (ids: readonly string[], target: string) =>
  Object.fromEntries(ids.map((id) => [`of_${id}`, { project, [target]: id }]));
const declarations = ({ isWhole, projects, groups }: Declared) => ({
  resource: isWhole
    ? { steward_job_token_allowlist: { all: { project, target_projects: projects, target_groups: groups } } }
    : {
        steward_job_token_allowlist_project: named(projects, "target_project"),
        steward_job_token_allowlist_group: named(groups, "target_group"),
      },
});

const entriesOf = ({ projects, groups }: Declared): string[] => [
  ...projects.map((id) => `allowlist/${id}`),
  ...groups.map((id) => `groups_allowlist/${id}`),
];

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const live = async (): Promise<string[]> => {
  const idsOf = async (list: string) =>
    ((await world.http("GET", `${LISTS.slice("/api/v4".length)}${list}`)) as { id: number }[]).map(
      ({ id }) => id,
    );
  return [
    ...(await idsOf("allowlist")).filter((id) => id !== PROJECT.web).map((id) => `allowlist/${id}`),
    ...(await idsOf("groups_allowlist")).map((id) => `groups_allowlist/${id}`),
  ].sort();
};

test("random owners one after the other: only what differs is written, and nothing that stays is ever missing", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(declared, { minLength: 2, maxLength: 4 }), async (steps) => {
      const stack = new Stack(world, {});
      let before: readonly string[] = [];
      for (const step of [...steps, { isWhole: false, projects: [], groups: [] }]) {
        stack.declare(declarations(step));
        world.service.requests.reset();
        const { diagnostics } = await stack.apply();
        expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
        const after = entriesOf(step);
        const writes = world.service.requests.all.filter(({ method }) => method !== "GET");
        const removed = writes
          .filter(({ method }) => method === "DELETE")
          .map(({ url }) => url.replace(LISTS, ""));
        expect(removed.sort()).toEqual(before.filter((entry) => !after.includes(entry)).sort());
        const added = after.filter((entry) => !before.includes(entry));
        expect(writes).toHaveLength(removed.length + added.length);
        expect(await live()).toEqual([...after].sort());
        expect(actions(await stack.plan())).toEqual({});
        before = after;
      }
      stack.remove();
    }),
    { seed, numRuns: runs(8, 400) },
  );
});
