import { createClient } from "../../src/api";
import { Failures } from "../../src/framework/protocol/failures";
import { Lookups } from "../../src/framework/references/lookups";
import { failureOf } from "../../src/provider/failure-of";
import { steward } from "../../src/provider/provider";
import { type FixtureInput, type Service, startService } from "../../src/service";
import { PROJECT, TOKEN, useWorld } from "../provider/support/world";

// The tests check that a run sends each look-up only once, and repeats only failed requests.

const world = useWorld();
let close: () => Promise<void>;
const lookupsAs = (token: string): Lookups => {
  const api = createClient({ baseUrl: world().service.url, token, maxAttempts: 1 });
  close = () => api.close();
  return new Lookups({ api, failures: new Failures(failureOf) }, steward);
};
afterEach(() => close());
const asked = () => world().service.requests.count();

test("three concurrent look-ups of a path and later look-ups of its id send only one request", async () => {
  const lookups = lookupsAs(TOKEN.maintainer);
  const found = await Promise.all([1, 2, 3].map(() => lookups.byPath("project", "acme/web")));
  expect(new Set(found.map((one) => one?.id))).toEqual(new Set([PROJECT.web]));
  expect(await lookups.byId("project", PROJECT.web)).toMatchObject({ path: "acme/web" });
  expect(await lookups.isReadable("project", PROJECT.web)).toBe(true);
  expect(await lookups.isArchived("project", PROJECT.web)).toBe(false);
  expect(asked()).toBe(1);
});

test("a look-up of a project, group or user ignores upper and lower case", async () => {
  const lookups = lookupsAs(TOKEN.maintainer);
  expect(await lookups.byPath("project", "ACME/Web")).toMatchObject({ id: PROJECT.web, path: "acme/web" });
  expect(await lookups.byPath("group", "Acme/Platform")).toMatchObject({ id: 12, path: "acme/platform" });
  expect(await lookups.byPath("user", "DEVON")).toMatchObject({ id: 22, path: "devon" });
  expect(await lookups.byId("user", 22)).toMatchObject({ path: "devon" });
});

test("if the token can't see a project or user, two look-ups in one run send only one request", async () => {
  const lookups = lookupsAs(TOKEN.outsider);
  for (const _ of [1, 2]) {
    expect(await lookups.byPath("project", "acme/web")).toBeUndefined();
    expect(await lookups.byPath("user", "nobody-of-this-name")).toBeUndefined();
    expect(await lookups.isReadable("project", PROJECT.web)).toBe(false);
  }
  expect(asked()).toBe(3);
});

test("if the request of a look-up fails, the next look-up sends the request again", async () => {
  const lookups = lookupsAs(TOKEN.maintainer);
  world().service.faults.add({ method: "GET", route: "/projects/:id", status: 500 });
  await expect(lookups.byPath("project", "acme/web")).rejects.toMatchObject({ code: "service_failed" });
  expect(await lookups.byPath("project", "acme/web")).toMatchObject({ id: PROJECT.web });
});

test("one request shows whether a token is an administrator's token", async () => {
  const maintainer = lookupsAs(TOKEN.maintainer);
  expect([await maintainer.isAdministrator(), await maintainer.isAdministrator()]).toEqual([false, false]);
  expect(asked()).toBe(1);
  await close();
  expect(await lookupsAs(world().service.adminToken).isAdministrator()).toBe(true);
});

describe("the paths of many projects, with the service's own lists", () => {
  let service: Service;
  const inTeam = Array.from({ length: 150 }, (_, at) => `estate/team/p${at}`);
  const inGroups = Array.from({ length: 30 }, (_, at) => `estate/g${at}/only`);
  const fixture: FixtureInput = {
    users: [
      { username: "maya", token: "maya-token" },
      { username: "ada", token: "ada-token" },
    ],
    groups: [
      { path: "estate", members: [{ user: "maya", role: "maintainer" }] },
      { path: "estate/team" },
      { path: "other" },
      ...inGroups.map((path) => ({ path: path.slice(0, path.lastIndexOf("/")) })),
    ],
    projects: [
      ...inTeam.map((path, at) => ({ path, archived: at === 3 })),
      ...inGroups.map((path) => ({ path })),
      { path: "other/tools", members: [{ user: "ada", role: "maintainer" as const }] },
    ],
  };
  beforeAll(async () => {
    service = await startService({ fixture, recordRequests: true });
  });
  afterAll(() => service.close());

  const lookUp = async (token: string, paths: readonly string[]) => {
    const api = createClient({ baseUrl: service.url, token, maxAttempts: 1 });
    close = () => api.close();
    service.requests.reset();
    const lookups = new Lookups({ api, failures: new Failures(failureOf) }, steward);
    return Promise.all(paths.map((path) => lookups.byPath("project", path)));
  };
  const urls = () => service.requests.all.map(({ url }) => url.replace("/api/v4", ""));

  test("the client resolves paths from the project list of their group or of a common parent group", async () => {
    const found = await lookUp("maya-token", inTeam);
    expect(found.map((one) => one?.path)).toEqual(inTeam);
    expect(found.flatMap((one, at) => (one?.isArchived ? [at] : []))).toEqual([3]);
    expect(urls()).toHaveLength(2);
    expect((await lookUp("maya-token", inGroups)).map((one) => one?.path)).toEqual(inGroups);
    expect(urls()).toHaveLength(2);
  });

  test("the client requests projects one by one if the list lacks them or the token can't read the list", async () => {
    const few = inTeam.slice(0, 5);
    const found = await lookUp("maya-token", [...few, "estate/team/none", "other/tools"]);
    expect(found.map((one) => one?.path)).toEqual([...few, undefined, undefined]);
    expect(urls().filter((url) => !url.startsWith("/groups/"))).toEqual([
      "/projects/estate%2Fteam%2Fnone",
      "/projects/other%2Ftools",
    ]);
    const alone = ["other/tools", "other/a", "other/b", "other/c"];
    expect((await lookUp("ada-token", alone)).map((one) => one?.path)).toEqual([
      "other/tools",
      undefined,
      undefined,
      undefined,
    ]);
    expect(urls().length).toBeLessThanOrEqual(5);
  });
});

test("after a 403, the comparison of a path with an id returns `not compared`", async () => {
  const lookups = lookupsAs(TOKEN.maintainer);
  world().service.faults.add({ method: "GET", route: "/users", status: 403 });
  expect(await lookups.compare("user", "devon", 22)).toEqual({ is: "not compared" });
  world().service.faults.add({ method: "GET", route: "/projects/:id", status: 500 });
  await expect(lookups.compare("project", "acme/web", PROJECT.web)).rejects.toMatchObject({
    code: "service_failed",
  });
  expect(await lookups.compare("project", "acme/web", PROJECT.web)).toEqual({ is: "same" });
});

test.each([
  ["the same object", "acme/web", PROJECT.web, { is: "same" }, 1],
  ["the same object in another case", "Acme/WEB", PROJECT.web, { is: "same" }, 1],
  // This look-up takes two requests, because the service redirects it.
  ["a former path", "acme/handbook", PROJECT.docs, { is: "moved", now: { path: "acme/docs" } }, 1 + 1],
  ["a path without a holder", "acme/nothing", PROJECT.web, { is: "moved", now: { path: "acme/web" } }, 2],
  [
    "another object",
    "acme/web",
    PROJECT.tools,
    { is: "taken", now: { id: PROJECT.web }, held: { path: "acme/tools" } },
    2,
  ],
  ["another object, and the first one is gone", "acme/web", 999, { is: "taken", held: undefined }, 2],
  ["nothing", "acme/nothing", 999, { is: "missing" }, 2],
] as const)("comparing a path with the recorded id finds %s", async (_, path, id, meaning, requests) => {
  const lookups = lookupsAs(TOKEN.maintainer);
  expect(await lookups.compare("project", path, id)).toMatchObject(meaning);
  expect(await lookups.compare("project", path, id)).toMatchObject(meaning);
  expect(asked()).toBe(requests);
});
