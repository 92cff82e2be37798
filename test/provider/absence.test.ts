import type { StoredState } from "../../src/framework/protocol/protocol";
import type { Answer, Passage } from "../support/http-proxy";
import {
  appliedBy,
  changedInPlace,
  containerOf,
  deletesByHand,
  describeEvery,
  ENTRIES,
  isUpdated,
} from "./samples";
import { recordAnswer, useRunsBehind } from "./support/behind";
import { crowdOfGroups, crowdOfProjects } from "./support/crowd";
import { Host } from "./support/host";
import { usePagedRuns } from "./support/paged";
import { FIXTURE, GROUP, PROJECT, TOKEN, useWorld } from "./support/world";

// A read may drop an object from the state only if its absence is proven. The token must have the rights to see the
// object, and the 404 must come from the API. A missing entry in a list is not enough: the pages may have shifted, or
// the read may lag behind a write.

/** The number of objects in a list that shifts. */
const LAST = 3;

const world = useWorld({
  ...FIXTURE,
  groups: [...FIXTURE.groups!, ...crowdOfGroups(LAST)],
  projects: [...FIXTURE.projects!, ...crowdOfProjects(LAST)],
});
const behind = useRunsBehind();
const paged = usePagedRuns();
const root = () => world().service.adminToken;
const PLACES = { project: `/projects/${PROJECT.web}`, group: `/groups/${GROUP.platform}` } as const;

describeEvery((type, sample) => {
  const host = (token?: string) => new Host(world(), type, token);
  const place = PLACES[containerOf(type)];
  let state: StoredState;
  beforeEach(async () => {
    state = await host().bring(undefined, sample.config);
  });

  test("if Admin Mode limits the administrator, an object stays in the state, and the error names the required scope", async () => {
    await world().http("PUT", "/application/settings", { admin_mode: true }, root());
    const run = world().connect(TOKEN.administrator);
    world().service.requests.reset();
    for (const kept of [await host().read(state, run), await host().destroy(state, run)]) {
      // A destroy that changes nothing on the service sends no request, so it needs no rights.
      if (kept.state === undefined) continue;
      expect(kept.state).toEqual(state);
      expect(kept.diagnostics).toMatchObject([{ severity: "error", code: "rights_lost" }]);
      expect(kept.diagnostics[0]!.detail).toContain("give the token the scope admin_mode");
    }
    expect(world().service.requests.count("GET", "/application/settings")).toBe(1);
  });

  test("if an administrator's token has the scope admin_mode, a read drops a missing object from the state", async () => {
    await world().http("PUT", "/application/settings", { admin_mode: true }, root());
    await world().http("DELETE", place, undefined, root());
    const { state: left, diagnostics } = await host(root()).read(state);
    expect(left).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "container_gone" }]);
  });

  test("if a web page with the status 404 replaces the API's response, the object stays in the state", async () => {
    const page = Buffer.from("<title>Not found</title>");
    const connect = await behind(world(), ({ url }) =>
      url.includes(place) ? { status: 404, headers: { "content-type": "text/html" }, body: page } : undefined,
    );
    const read = await host().read(state, connect(root()));
    expect(read.state).toEqual(state);
    expect(read.diagnostics).toMatchObject([{ severity: "error", code: "unexpected_answer" }]);
  });

  test("a create or update that the service accepts succeeds, even if later reads return old data", async () => {
    const end = deletesByHand(type);
    if (end !== undefined) await end(world().http);
    const fresh = await host().plan(undefined, sample.config);
    const made = await host().apply(fresh, (await lagging())(appliedBy(type)));
    expect(made.diagnostics).toEqual([]);
    expect(await host().drift(made.state!, sample.config)).toEqual([]);
    if (!isUpdated(sample)) return;
    const changed = changedInPlace(type);
    const after = await host().apply(
      await host().plan(made.state, changed),
      (await lagging())(appliedBy(type)),
    );
    expect(after.diagnostics).toEqual([]);
    expect(await host().drift(after.state!, changed)).toEqual([]);
  });

  if (isUpdated(sample)) {
    test("if the response to an update shows the old values, the provider reads the object again", async () => {
      const connect = await behind(world(), async (passage) => {
        if (!["PUT", "PATCH"].includes(passage.method)) return undefined;
        const before = await current(passage.url.replace(/^\/api\/v4/, ""));
        const answer = await passage.forward();
        return before === undefined || answer.body.length === 0 ? answer : recordAnswer(200, before);
      });
      const changed = changedInPlace(type);
      const { state: after, diagnostics } = await host().apply(
        await host().plan(state, changed),
        connect(appliedBy(type)),
      );
      expect(diagnostics).toEqual([]);
      expect(await host().drift(after!, changed)).toEqual([]);
    });
  }
});

/** Returns the record at a path. If the path is a list, returns its first record. */
async function current(path: string): Promise<unknown> {
  try {
    return await world().http("GET", path, undefined, root());
  } catch {
    const list = (await world().http("GET", path.replace(/\/[^/]*$/, ""), undefined, root())) as unknown[];
    return list[0];
  }
}

/** Starts a run behind a proxy whose reads lag behind each write by three reads. */
const lagging = () => {
  const shown = new Map<string, Answer>();
  const stale = new Map<string, number>();
  return behind(world(), async (passage) => {
    const { url } = passage;
    if (passage.isWrite) {
      for (const known of shown.keys()) stale.set(known, 3);
      return undefined;
    }
    const left = stale.get(url) ?? 0;
    if (left > 0) {
      stale.set(url, left - 1);
      return shown.get(url)!;
    }
    const answer = await passage.forward();
    shown.set(url, answer);
    return answer;
  });
};

describe.each(ENTRIES)("%s", (type, entries) => {
  const kind = containerOf(type);
  const config = (index: number) => ({
    [kind]: kind === "project" ? "acme/web" : "acme/platform",
    ...entries.config(index),
  });
  /**
   * Starts a run in which the first `times` reads of a list omit the last record, as if its pages had shifted. `lists`
   * has the URLs of all reads of the list.
   */
  async function shifting(times: number) {
    let left = times;
    const lists: string[] = [];
    const connect = await behind(world(), async (passage: Passage) => {
      if (passage.isWrite) return undefined;
      const answer = await passage.forward();
      const records = answer.status === 200 ? (JSON.parse(answer.body.toString()) as unknown) : undefined;
      if (!Array.isArray(records) || !passage.url.includes("per_page=100&page=1")) return answer;
      if (passage.url.includes("query=")) return answer;
      lists.push(passage.url);
      if (left-- <= 0) return answer;
      return recordAnswer(200, records.slice(0, -1));
    });
    return { run: connect(), lists };
  }

  const many = async () => {
    const states: StoredState[] = [];
    for (let index = 0; index < LAST; index += 1) {
      states.push(await new Host(world(), type).bring(undefined, config(index)));
    }
    return states;
  };

  test("if the service omits an object from a list once, the object stays in the state", async () => {
    const states = await many();
    const { run } = await shifting(1);
    const host = new Host(world(), type);
    host.expectReads(states, run);
    for (const state of states) expect(await host.refresh(state, run)).toEqual(state);
  });

  test.each([
    ["without totals is read twice, and every object is found", false],
    ["with totals is read once", true],
  ])("a list of two pages %s", async (_, hasTotals) => {
    const states = await many();
    const { connect, readings } = await paged(world(), hasTotals);
    const within = String(states[0]!.attributes[kind]);
    const { objects, diagnostics } = await connect().listResource({ type, within });
    expect(diagnostics).toEqual([]);
    const ids = states.map(({ attributes }) => attributes["id"]);
    expect(objects.map(({ id }) => id)).toEqual(expect.arrayContaining(ids));
    // The list of container rules has no pages.
    const isPaged = type !== "steward_container_protection_rule";
    expect(new Set(readings.values())).toEqual(new Set(isPaged ? [hasTotals ? 1 : 2] : []));
  });

  test("a read that drops a deleted object from the state sends no more requests than MOST allows", async () => {
    const states = await many();
    const host = new Host(world(), type);
    await host.destroy(states.at(-1)!);
    const run = host.connect();
    host.expectReads(states, run);
    for (const state of states.slice(0, -1)) expect(await host.refresh(state, run)).toEqual(state);
    world().service.requests.reset();
    expect(await host.refresh(states.at(-1)!, run)).toBeUndefined();
    expect(world().service.requests.count("GET")).toBeLessThanOrEqual(MOST[type] ?? 2);
  });
});

/**
 * The maximum number of requests with which the provider proves that an object is absent. By default, one request
 * confirms that the object is missing, and one request asks whether the project is archived.
 */
const MOST: Readonly<Record<string, number>> = {
  // It is possible that the token cannot see the entry's project or group, so the provider also checks this.
  steward_job_token_allowlist_project: 4,
  steward_job_token_allowlist_group: 4,
  // It is possible that the person is already a member. The provider lists the members, searches for the person, and
  // lists them again.
  steward_project_invitation: 6,
  steward_group_invitation: 6,
};
