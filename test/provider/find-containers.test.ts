import type { ContainerSelection, FoundContainers } from "../../src/framework/protocol/protocol";
import { usePagedRuns } from "./support/paged";
import { FIXTURE, GROUP, PROJECT, TOKEN, useWorld } from "./support/world";

const EVERYTHING_IN_ACME = [
  "acme/archived (archived)",
  "acme/docs",
  "acme/fourteen",
  "acme/hidden",
  "acme/runner",
  "acme/tools",
  "acme/web",
  "acme/web-two",
];

const world = useWorld({
  ...FIXTURE,
  groups: [
    ...FIXTURE.groups!,
    { path: "acme/platform/deep", id: 54 },
    { path: "open", id: 55, visibility: "public" },
  ],
  projects: [
    ...FIXTURE.projects!,
    { path: "acme/fourteen", id: 54 },
    { path: "acme/platform/deep/tool", id: 50, topics: ["payments"] },
    { path: "open/source", id: 51, visibility: "public", topics: ["payments"] },
  ],
});

const paged = usePagedRuns();

const selecting = (given: Partial<ContainerSelection>): ContainerSelection => ({
  names: [],
  contents: "none",
  ...given,
});

async function pagesOf(given: Partial<ContainerSelection>, token?: string): Promise<FoundContainers[]> {
  const found: FoundContainers[] = [];
  for await (const page of world().connect(token).findContainers!(selecting(given))) found.push(page);
  return found;
}

async function find(given: Partial<ContainerSelection>, token?: string) {
  const pages = await pagesOf(given, token);
  return {
    paths: pages
      .flatMap(({ containers }) => containers)
      .map(({ path, isArchived }) => (isArchived ? `${path} (archived)` : path)),
    diagnostics: pages.flatMap(({ diagnostics }) => diagnostics),
  };
}

test("a search finds projects and groups by path and by id, in the order of the caller's names", async () => {
  const names = ["acme/web", "acme", String(PROJECT.tools), String(GROUP.platform)];
  const pages = await pagesOf({ names });
  expect(pages.flatMap(({ containers }) => containers)).toEqual([
    { kind: "project", id: PROJECT.web, path: "acme/web", isArchived: false },
    { kind: "group", id: GROUP.acme, path: "acme", isArchived: false },
    { kind: "project", id: PROJECT.tools, path: "acme/tools", isArchived: false },
    { kind: "group", id: GROUP.platform, path: "acme/platform", isArchived: false },
  ]);
});

test("a project or group that the caller names twice is returned once", async () => {
  const { paths } = await find({ names: ["acme/web", String(PROJECT.web), "acme"], contents: "direct" });
  expect(paths.slice(0, 2)).toEqual(["acme/web", "acme"]);
  expect([...paths].sort()).toEqual(["acme", ...EVERYTHING_IN_ACME]);
});

test("if a name matches no project or group, the search reports an error with the name", async () => {
  const { paths, diagnostics } = await find({ names: ["acme/nothing", "acme/web", "9999"] });
  expect(paths).toEqual(["acme/web"]);
  expect(diagnostics).toMatchObject([
    { severity: "error", code: "reference_not_found", summary: "No such project or group" },
    { severity: "error", code: "reference_not_found", detail: expect.stringContaining('"9999"') },
  ]);
  expect(diagnostics[0]!.detail).toContain('"acme/nothing" can\'t be found with this token (404)');
});

test("if the caller searches only for projects, the path of a group finds nothing", async () => {
  expect(await find({ names: ["acme"], kind: "group" })).toEqual({ paths: ["acme"], diagnostics: [] });
  const { diagnostics } = await find({ names: ["acme/platform"], kind: "project" });
  expect(diagnostics).toMatchObject([{ code: "reference_not_found", summary: "No such project" }]);
});

test("if a project and a group have the same id, a search for both kinds by this id is refused", async () => {
  const { paths, diagnostics } = await find({ names: ["54"] });
  expect(paths).toEqual([]);
  expect(diagnostics).toMatchObject([{ severity: "error", code: "ambiguous_container" }]);
  expect(diagnostics[0]!.detail).toBe(
    '"54" is the ID of several objects: the project acme/fourteen and the group acme/platform/deep. ' +
      "Use the full path of one of them.",
  );
  expect((await find({ names: ["54"], kind: "group" })).paths).toEqual(["acme/platform/deep"]);
});

test("a nested search in a group finds the group's projects, all subgroups and the subgroups' projects", async () => {
  const direct = await find({ names: ["acme"], contents: "direct" });
  expect([...direct.paths].sort()).toEqual(["acme", ...EVERYTHING_IN_ACME]);
  const nested = await find({ names: ["acme"], contents: "nested" });
  expect([...nested.paths].sort()).toEqual(
    [
      "acme",
      ...EVERYTHING_IN_ACME,
      "acme/approvers",
      "acme/platform",
      "acme/platform/deep",
      "acme/platform/deep/tool",
    ].sort(),
  );
  expect([...direct.diagnostics, ...nested.diagnostics]).toEqual([]);
});

test.each([
  ["without totals is read twice: it may have lacked one", false, 2],
  ["with totals is read once", true, 1],
])("a list of projects %s", async (_, hasTotals, times) => {
  const { connect, readings } = await paged(world(), hasTotals);
  const paths: string[] = [];
  const selection = selecting({ names: ["acme"], kind: "group", contents: "direct", only: "project" });
  for await (const page of connect().findContainers!(selection)) {
    paths.push(...page.containers.filter(({ kind }) => kind === "project").map(({ path }) => path));
  }
  const expected = EVERYTHING_IN_ACME.map((path) => path.replace(" (archived)", ""));
  expect(paths.sort()).toEqual(expected);
  expect([...readings.values()]).toEqual([times]);
});

test("a search that names a project finds only this project", async () => {
  expect((await find({ names: ["acme/web"], contents: "nested" })).paths).toEqual(["acme/web"]);
  const { paths, diagnostics } = await find({ names: ["acme"], contents: "direct" }, TOKEN.outsider);
  expect(paths).toEqual([]);
  expect(diagnostics).toMatchObject([{ code: "reference_not_found" }]);
});

test("a search without names finds the user's projects and groups, and for an administrator all projects and groups", async () => {
  const mine = await find({ all: {} });
  expect(mine.paths).toEqual(
    expect.arrayContaining(["acme", "acme/platform", "acme/web", "acme/platform/deep/tool"]),
  );
  expect(mine.paths).not.toContain("open/source");
  expect(mine.paths).not.toContain("open");
  expect((await find({ all: {} }, TOKEN.administrator)).paths).toEqual(
    expect.arrayContaining(["open", "open/source", "acme/web"]),
  );
  expect((await find({ all: {} }, TOKEN.outsider)).paths).toEqual([]);
});

test("a search without names can filter projects and groups by name or path", async () => {
  expect((await find({ all: { topic: "payments" } })).paths).toEqual(["acme/platform/deep/tool"]);
  expect((await find({ all: { search: "platform" } })).paths).toEqual([
    "acme/platform/deep",
    "acme/platform",
  ]);
  expect((await find({ all: { search: "web" } })).paths).toEqual(["acme/web", "acme/web-two"]);
});

test("listing the objects of a found project sends no request for the project itself", async () => {
  const run = world().connect();
  const found: FoundContainers[] = [];
  for await (const page of run.findContainers!(selecting({ names: ["acme"], contents: "direct" })))
    found.push(page);
  world().service.requests.reset();
  const web = found.flatMap(({ containers }) => containers).find(({ path }) => path === "acme/web")!;
  const { objects } = await run.listResource({ type: "steward_job_token_scope", within: web });
  expect(objects).toMatchObject([{ id: "1", state: { attributes: { project: "acme/web" } } }]);
  expect(world().service.requests.all.map(({ route }) => route)).toEqual(["/projects/:id/job_token_scope"]);
});

test("after a search was cancelled, the client requests no further page", async () => {
  for (let index = 0; index < 120; index++) {
    await world().http("POST", "/projects", {
      name: `p${index}`,
      path: `p${index}`,
      namespace_id: GROUP.platform,
    });
  }
  const cancel = new AbortController();
  const run = world().connect();
  world().service.requests.reset();
  for await (const _ of run.findContainers!(
    selecting({ names: ["acme/platform"], contents: "direct" }),
    cancel.signal,
  )) {
    cancel.abort();
  }
  expect(world().service.requests.count("GET", "/groups/:id/projects")).toBe(0);
});
