import type { ConfiguredProvider } from "../../src/framework/protocol/protocol";
import type { ValueObject } from "../../src/schema";
import { pathOf } from "../support/path-of";
import { Host } from "./support/host";
import { GROUP, PROJECT, useWorld } from "./support/world";

// Tests the two kinds of ownership: of a whole set, and of single entries. No declaration reverts the settings of
// another declaration. The stories in test/simulator/story/ownership.ts also move sets to other declarations, and kill
// runs.

const world = useWorld();
const host = (type: string) => new Host(world(), `steward_${type}`);
const LIST = "job_token_allowlist";
const ENTRY = "job_token_allowlist_project";
const GROUP_ENTRY = "job_token_allowlist_group";
const whole = () => host(LIST);
const byHand = (path: string, body: unknown) =>
  world().http("POST", `/projects/1/job_token_scope/${path}`, body);
const writes = () => world().service.requests.all.filter(({ method }) => method !== "GET");

type Declaration = readonly [type: string, config: ValueObject];
const [web, shop] = [{ project: "acme/web" }, { project: "1" }];
const projects: Declaration = [LIST, { ...web, target_projects: ["acme/docs"] }];
const groups: Declaration = [LIST, { ...shop, target_groups: ["acme/approvers"] }];
const tools: Declaration = [ENTRY, { ...shop, target_project: "acme/tools" }];
const platform: Declaration = [GROUP_ENTRY, { ...web, target_group: "acme/platform" }];

const ruleIn = (project: string): Declaration => [
  "container_protection_rule",
  { project, repository_path_pattern: "acme/*", minimum_access_level_for_push: "owner" },
];

/** Plans a declaration in a run, and returns the errors. */
async function errorsOf([type, config]: Declaration, run?: ConfiguredProvider) {
  const { diagnostics } = await host(type).plan(undefined, config, run);
  return diagnostics.filter(({ severity }) => severity === "error");
}

describe("a set that one resource owns as a whole", () => {
  const both = { ...shop, target_projects: ["2"], target_groups: ["12"] };

  test("the apply of a new allowlist removes the undeclared live entries that the plan shows in a warning", async () => {
    await byHand("allowlist", { target_project_id: PROJECT.docs });
    await byHand("groups_allowlist", { target_group_id: 12 });
    const plan = await whole().plan(undefined, { ...both, target_groups: [] });
    expect(plan.diagnostics).toMatchObject([{ severity: "warning", code: "replaced_entries" }]);
    expect(plan.diagnostics[0]!.item).toContain("acme/docs, acme/platform");
    const { state } = await whole().apply(plan);
    expect(state!.attributes).toMatchObject({ target_projects: ["2"], target_groups: [] });
  });

  test("an allowlist that declares only projects leaves the allowed groups unchanged on create, update and destroy", async () => {
    await byHand("groups_allowlist", { target_group_id: 12 });
    const state = await whole().bring(undefined, { ...shop, target_projects: ["2"] });
    expect(state.attributes["target_groups"]).toBeNull();
    const changed = await whole().bring(state, { ...shop, target_projects: [] });
    expect(changed.attributes["target_projects"]).toEqual([]);
    await whole().destroy(changed);
    expect(await world().http("GET", "/projects/1/job_token_scope/groups_allowlist")).toMatchObject([
      { id: 12 },
    ]);
  });

  test("an empty target_projects removes all entries, and an omitted target_projects removes none", async () => {
    const state = await whole().bring(undefined, both);
    world().service.requests.reset();
    const after = await whole().bring(state, { ...shop, target_groups: ["12"] });
    expect(after.attributes["target_projects"]).toBeNull();
    expect(writes()).toEqual([]);
    expect(await whole().drift(after, { ...shop, target_groups: ["12"] })).toEqual([]);
    // The removal of the entries waits for the next plan. No plan has shown the removal, because the state did not
    // contain this set.
    const begun = await whole().apply(await whole().plan(after, { ...both, target_projects: [] }));
    expect(begun.diagnostics).toMatchObject([{ code: "entry_not_planned", attribute: ["target_projects"] }]);
    const shown = await whole().refresh(begun.state!);
    expect(shown!.attributes["target_projects"]).toEqual(["acme/tools"]);
    const emptied = await whole().bring(shown, { ...both, target_projects: [] });
    expect((await whole().refresh(emptied))!.attributes["target_projects"]).toEqual([]);
  });

  test("the import of an allowlist entry for a nested group sends no request for the group", async () => {
    await byHand("groups_allowlist", { target_group_id: GROUP.approvers });
    const place = { name: "deep", path: "deep-er.1", parent_id: GROUP.platform };
    const deep = (await world().http("POST", "/groups", place)) as { id: number };
    const state = await host(GROUP_ENTRY).bring(undefined, { ...web, target_group: String(deep.id) });
    world().service.requests.reset();
    const { attributes } = await host(GROUP_ENTRY).import(`1:${deep.id}`);
    expect(attributes["target_group"]).toBe("acme/platform/deep-er.1");
    expect(world().service.requests.count("GET", "/groups/:id")).toBe(0);
    await host(GROUP_ENTRY).destroy(state);
    expect(await world().http("GET", "/projects/1/job_token_scope/groups_allowlist")).toMatchObject([
      { id: GROUP.approvers },
    ]);
  });
});

describe("two declarations in one run", () => {
  test.each<[string, Declaration, Declaration, string]>([
    ["a whole set of projects and an entry of it", projects, tools, "owns the entry 2"],
    ["an entry and the whole set of projects", tools, projects, "owns all of it"],
    ["a whole set of groups and an entry of it", groups, platform, "owns the entry 12"],
    ["an entry and the whole set of groups", platform, groups, "owns all of it"],
    ["an entry twice", tools, [ENTRY, { ...web, target_project: "2" }], "is declared twice"],
    [
      "an entry of a group twice",
      platform,
      [GROUP_ENTRY, { ...shop, target_group: "12" }],
      "is declared twice",
    ],
    ["an allowlist twice", projects, [LIST, { ...shop, target_groups: [] }], "is declared twice"],
    ["a rule twice", ruleIn("acme/web"), ruleIn("1"), "is declared twice"],
    [
      "an environment twice",
      ["protected_environment", { ...shop, name: "a", deploy_access_levels: [{ access_level: 40 }] }],
      ["protected_environment", { ...web, name: "a", deploy_access_levels: [{ access_level: 60 }] }],
      "is declared twice",
    ],
  ])("the plan refuses to declare %s, also with different spellings", async (_, one, other, owns) => {
    const run = world().connect();
    expect(await errorsOf(one, run)).toEqual([]);
    const [found, ...others] = await errorsOf(other, run);
    expect([found?.code, others]).toEqual(["declared_twice", []]);
    expect(found!.detail).toContain(owns);
  });

  test.each<[string, readonly Declaration[]]>([
    ["a whole set of groups and single projects", [groups, tools]],
    ["a whole set of projects and a single group", [[LIST, { ...shop, target_projects: [] }], platform]],
    ["rules of two projects", [ruleIn("acme/web"), ruleIn("acme/docs")]],
    ["entries of other targets", [tools, [ENTRY, { ...shop, target_project: "4" }], platform]],
    ["entries of other projects", [tools, [ENTRY, { project: "7", target_project: "acme/tools" }]]],
  ])("%s do not conflict", async (_, declarations) => {
    const run = world().connect();
    for (const declaration of declarations) expect(await errorsOf(declaration, run)).toEqual([]);
  });

  test("if the host sends the addresses of two declarations of an object, the error contains both addresses", async () => {
    const run = world().connect();
    const plan = ([type, config]: Declaration, name: string) =>
      run.planResource({
        type: `steward_${type}`,
        address: `steward_${type}.${name}`,
        prior: undefined,
        config: host(type).config(config),
      });
    await plan(projects, "all");
    const { diagnostics } = await plan(tools, "tools");
    expect(diagnostics).toMatchObject([{ code: "declared_twice" }]);
    expect(diagnostics[0]!.detail).toContain("steward_job_token_allowlist.all owns all of it");
    expect(diagnostics[0]!.detail).toContain("steward_job_token_allowlist_project.tools owns the entry 2");
  });

  test("if one object is imported at two addresses, the provider reports two declarations of the object", async () => {
    const [type, config] = tools;
    const state = await host(type).bring(undefined, config);
    const run = world().connect();
    expect((await host(type).plan(state, config, run)).diagnostics).toEqual([]);
    const again = await host(type).plan(await host(type).import("1:2"), config, run);
    expect(again.diagnostics).toMatchObject([{ code: "declared_twice" }]);
  });

  test("if a host plans one object twice, as a replacement and its create, the provider reports no second declaration", async () => {
    const [type, config] = tools;
    const state = await host(type).bring(undefined, config);
    const other = await host(type).plan(state, { ...config, target_project: "4" });
    expect(other).toMatchObject({ action: "replace", replacement: { diagnostics: [] } });
    const again = async (isTold: boolean) => {
      const run = world().connect();
      const first = await host(type).plan(state, config, run);
      const request = { type: `steward_${type}`, prior: undefined, config: first.config };
      const plannedBefore = first.planned!.private;
      return run.planResource({ ...request, ...(isTold && { plannedBefore }) });
    };
    expect((await again(true)).diagnostics).toEqual([]);
    // An equal declaration at another address counts as a second declaration.
    expect((await again(false)).diagnostics).toMatchObject([{ code: "declared_twice" }]);
  });
});

test.each<[string, Declaration, string, string]>([
  ["the project itself, by id", [ENTRY, { ...web, target_project: "1" }], "invalid_value", "target_project"],
  [
    "the project itself, by path, in a set",
    [LIST, { ...shop, target_projects: ["2", "acme/web"] }],
    "invalid_value",
    'target_projects["acme/web"]',
  ],
  [
    "one project by id and by path",
    [LIST, { ...shop, target_projects: ["2", "acme/docs", "acme/tools"] }],
    "duplicate_reference",
    'target_projects["acme/tools"]',
  ],
])("the plan refuses %s as a target, and sends no write", async (_, declaration, code, at) => {
  expect(await errorsOf(declaration)).toMatchObject([{ code, attribute: pathOf(at) }]);
  const [type, config] = declaration;
  if (type === LIST) {
    const state = await whole().bring(undefined, { ...shop, target_projects: ["2"] });
    world().service.requests.reset();
    expect((await whole().plan(state, config)).diagnostics).toMatchObject([{ code }]);
  }
  expect(writes()).toEqual([]);
});

describe("a project that is archived", () => {
  const config = { project: "acme/hidden", target_projects: ["2"] };
  const archive = () => world().http("PUT", `/projects/${PROJECT.hidden}`, { archived: true });
  const refused = { severity: "error", code: "archived_project", attribute: ["project"] };

  test("the plan refuses changes of objects in an archived project", async () => {
    const declared = { project: "acme/archived", inbound_enabled: true };
    expect(await errorsOf(["job_token_scope", declared])).toMatchObject([refused]);
    const state = await whole().bring(undefined, config);
    const list = `/projects/${PROJECT.hidden}/job_token_scope/allowlist`;
    await world().http("POST", list, { target_project_id: 4 });
    await archive();
    const read = await whole().read(state);
    expect(read).toMatchObject({ state, diagnostics: [{ severity: "warning", code: "archived_project" }] });
    expect((await whole().plan(read.state, config)).action).toBe("none");
    const change = await whole().plan(read.state, { ...config, target_projects: [] });
    expect(change.diagnostics).toMatchObject([{ code: "archived_project" }]);
  });

  test("if a project was archived after the plan, apply refuses each change and keeps the state", async () => {
    const state = await whole().bring(undefined, config);
    const change = await whole().plan(state, { ...config, target_projects: ["3"] });
    const scope = { project: "acme/hidden", inbound_enabled: false };
    const addition = await host("job_token_scope").plan(undefined, scope);
    await archive();
    const kept = { state: { attributes: state.attributes }, diagnostics: [refused] };
    expect(await whole().apply(change)).toMatchObject(kept);
    expect(await host("job_token_scope").apply(addition)).toEqual({
      diagnostics: [expect.objectContaining(refused)],
    });
    expect(await whole().destroy(state)).toMatchObject(kept);
  });
});
