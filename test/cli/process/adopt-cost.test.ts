import { MAX_LIMIT } from "../../../src/http/request-limits";
import { ESTATE_TOKENS, estate, OBJECTS_A_PROJECT } from "../../adopt/groups/estate";
import { openPlace, type Place } from "../support/place";

// The tests count the requests of `adopt`. `adopt` may send as many requests as a plan, and one more for each user, group
// and page of projects.

/**
 * The number of projects. The number is small, because the requests for one project do not depend on the number of
 * projects. first-run.long.test.ts covers many projects.
 */
const PROJECTS = 6;
/** The number of requests for one project: one for each of its lists and settings. */
const REQUESTS_A_PROJECT = 7;

let place: Place;
afterEach(() => place.close());
const env = { STEWARD_TOKEN: ESTATE_TOKENS.reader };
const adopt = ["adopt", "estate", "--out", "infra", "--format", "json"];

/** Returns the number of requests since the last call, by route. */
function counted(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { method, route = "none", url } of place.service.requests.all) {
    const key = /^\/(users|groups)\/:id$|^\/users$/.test(route) ? `${method} ${url}` : `${method} ${route}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  place.service.requests.reset();
  return counts;
}

test("adopt sends one request for each list of a project, and none for single objects", async () => {
  place = await openPlace(estate(PROJECTS));
  const { code, out } = await place.run(adopt, env);
  expect(code).toBe(0);
  expect(out).toContain(
    `Adopted ${PROJECTS * OBJECTS_A_PROJECT} objects of ${PROJECTS} projects and 1 group`,
  );
  const requests = counted();
  const ofProjects = [...requests].filter(([key]) => key.includes("/projects/:id"));
  expect(ofProjects.map(([, count]) => count)).toEqual(Array(REQUESTS_A_PROJECT).fill(PROJECTS));
  const others = [...requests].filter(([key]) => !key.includes("/projects/:id"));
  // The run sends one request for each of these: the group, its projects, its invitations, 10 users and 4 other groups.
  expect(others.every(([, count]) => count === 1)).toBe(true);
  expect(others).toHaveLength(3 + 10 + 4);
});

test("a plan of the adopted app requests each project's lists as often as adopt did", async () => {
  place = await openPlace(estate(PROJECTS));
  await place.run(adopt, env);
  const adopted = counted();
  expect((await place.run(["apply", "--auto-approve", "--config", "infra"], env)).code).toBe(0);
  counted();
  expect((await place.run(["plan", "--detailed-exitcode", "--config", "infra"], env)).code).toBe(0);
  const planned = counted();
  const lists = (requests: Map<string, number>) =>
    [...requests].filter(([key]) => key.includes("/projects/:id/")).sort();
  expect(lists(planned)).toEqual(lists(adopted));
});

test("if the service announces a rate limit, adopt stays below the limit and the service refuses no request", async () => {
  // The limit equals the highest number of concurrent requests. The client can't exceed the limit before the first response
  // announces it.
  const limit = { requests: MAX_LIMIT, period: 1 };
  place = await openPlace(estate(PROJECTS, { rate_limit: limit }));
  expect((await place.run(adopt, env)).code).toBe(0);
  const statuses = place.service.requests.all.map(({ status }) => status);
  expect(statuses.length).toBeGreaterThan(limit.requests);
  expect(statuses).not.toContain(429);
});
