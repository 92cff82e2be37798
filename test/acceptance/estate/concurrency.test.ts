import {
  CROWDED,
  EMPTY,
  entries,
  gate,
  INITIAL_LIMIT,
  ids,
  isList,
  isPageAfterFirst,
  isWrite,
  MAX_LIMIT,
  ofCrowded,
  PAGES,
  stack,
  useGate,
  whole,
} from "./concurrency";
import type { Resources } from "./support";

useGate();

/**
 * Returns objects of nine collections: three collections in each of three projects. Each object depends on the object before
 * it.
 */
function nineCollections(): Resources {
  const resource: Record<string, Record<string, object>> = {};
  let before: string | undefined;
  const add = (type: string, name: string, body: object) => {
    resource[type] = {
      ...resource[type],
      [name]: { ...body, ...(before !== undefined && { depends_on: [before] }) },
    };
    before = `${type}.${name}`;
  };
  for (const project of ids.slice(0, 3)) {
    add("steward_job_token_allowlist_project", `p${project}`, { project, target_project: EMPTY });
    add("steward_container_protection_rule", `p${project}`, {
      project,
      repository_path_pattern: "estate/*",
      minimum_access_level_for_push: "owner",
    });
    add("steward_protected_environment", `p${project}`, {
      project,
      name: "production",
      deploy_access_levels: [{ access_level: 40 }],
    });
  }
  return resource;
}
async function expectNoChange(): Promise<void> {
  const plan = await stack.plan();
  expect(plan.diagnostics).toEqual([]);
  expect(plan.hasChanges).toBe(false);
}

describe("the embedded engine", () => {
  test("after the first page of a list, the embedded engine requests all other pages at the same time", async () => {
    const one = ids.slice(0, 1);
    stack.declare(ofCrowded(one), {
      import: [{ to: `steward_job_token_allowlist_project.r${one[0]}`, id: `${CROWDED}:${one[0]}` }],
    });
    const meeting = { isOne: isPageAfterFirst, atOnce: PAGES - 1, total: PAGES - 1 };
    expect(await gate.during(meeting, () => stack.plan())).toEqual({ most: PAGES - 1, seen: PAGES - 1 });
  });

  test("after the first response, the embedded engine requests all remaining lists of a refresh at the same time", async () => {
    stack.declare(nineCollections());
    await stack.apply();
    // Until its first response, the client sends only three requests at the same time. The first three requests do not wait
    // at the gate; all other requests do.
    let sent = 0;
    const isLater = (method: string, url: string) => isList(method, url) && ++sent > 3;
    const meeting = { isOne: isLater, atOnce: 6, total: 6 };
    expect(await gate.during(meeting, expectNoChange)).toEqual({ most: 6, seen: 6 });
    stack.declare({});
    await stack.apply();
  });

  test.each([1, 4, 25])(
    "with --parallelism %d, the embedded engine sends exactly this number of writes at the same time",
    async (parallelism) => {
      stack.declare(entries(ids));
      const meeting = { atOnce: parallelism, total: ids.length };
      const apply = () => stack.apply({ parallelism });
      const all = { most: parallelism, seen: ids.length };
      expect(await gate.during({ ...meeting, isOne: isWrite("POST") }, apply)).toEqual(all);
      stack.declare({});
      expect(await gate.during({ ...meeting, isOne: isWrite("DELETE") }, apply)).toEqual(all);
    },
  );

  test("with --parallelism 4, the embedded engine sends four writes of one allowlist at the same time", async () => {
    stack.declare(whole(ids));
    const meeting = { atOnce: 4, total: ids.length };
    const apply = () => stack.apply({ parallelism: 4 });
    const all = { most: 4, seen: ids.length };
    expect(await gate.during({ ...meeting, isOne: isWrite("POST") }, apply)).toEqual(all);
    stack.declare(whole([]));
    expect(await gate.during({ ...meeting, isOne: isWrite("DELETE") }, apply)).toEqual(all);
  });

  test("without --parallelism, the writes of one allowlist use the default limit for concurrent requests", async () => {
    stack.declare(whole(ids));
    const meeting = { atOnce: INITIAL_LIMIT, total: ids.length };
    for (const method of ["POST", "DELETE"]) {
      const { most, seen } = await gate.during({ ...meeting, isOne: isWrite(method) }, () => stack.apply());
      expect(seen).toBe(ids.length);
      expect(most).toBeGreaterThanOrEqual(INITIAL_LIMIT);
      expect(most).toBeLessThanOrEqual(MAX_LIMIT);
      stack.declare(whole([]));
    }
  });
});
