import type { Diagnostic } from "../../src/diagnostics";
import type { ValueObject } from "../../src/schema";
import { pathOf } from "../support/path-of";
import { Host, type Planned } from "./support/host";
import { PROJECT, useWorld } from "./support/world";

// Two kinds of ownership: a whole set, or single entries. Nobody undoes what another declaration does.

const world = useWorld();
const host = (type: string) => new Host(world(), `steward_${type}`);
const whole = () => host("job_token_allowlist");
const entry = () => host("job_token_allowlist_project");
const byHand = (path: string, body: unknown) =>
  world().http("POST", `/projects/1/job_token_scope/${path}`, body);
const errors = ({ diagnostics }: Planned): readonly Diagnostic[] =>
  diagnostics.filter(({ severity }) => severity === "error");

describe("a set owned as a whole", () => {
  test("warns of undeclared entries at plan, and removes them", async () => {
    await byHand("allowlist", { target_project_id: PROJECT.docs });
    await byHand("groups_allowlist", { target_group_id: 12 });
    const plan = await whole().plan(undefined, { project: "1", target_projects: ["2"], target_groups: [] });
    expect(plan.diagnostics).toMatchObject([{ severity: "warning", code: "replaced_entries" }]);
    expect(plan.diagnostics[0]!.detail).toContain("acme/docs, acme/platform");
    const { state } = await whole().apply(plan);
    expect(state!.attributes).toMatchObject({ target_projects: ["2"], target_groups: [] });
  });

  test("with one list managed leaves the other alone, on create, update and destroy", async () => {
    await byHand("groups_allowlist", { target_group_id: 12 });
    const state = await whole().bring(undefined, { project: "1", target_projects: ["2"] });
    expect(state.attributes["target_groups"]).toBeNull();
    const changed = await whole().bring(state, { project: "1", target_projects: [] });
    expect(changed.attributes["target_projects"]).toEqual([]);
    await whole().destroy(changed);
    expect(await world().http("GET", "/projects/1/job_token_scope/groups_allowlist")).toMatchObject([
      { id: 12 },
    ]);
  });

  test("[] and null are told apart", async () => {
    const state = await whole().bring(undefined, { project: "1", target_projects: ["2"], target_groups: [] });
    const plan = await whole().plan(state, { project: "1", target_projects: ["2"] });
    expect(plan.changed).toEqual(["target_groups"]);
    expect(plan.planned!.attributes["target_groups"]).toBeNull();
    const back = await whole().bring(plan.planned, {
      project: "1",
      target_projects: ["2"],
      target_groups: [],
    });
    expect(back.attributes["target_groups"]).toEqual([]);
  });

  test("taken out of the code, a list is managed no more and keeps its entries", async () => {
    const state = await whole().bring(undefined, {
      project: "1",
      target_projects: ["2"],
      target_groups: ["12"],
    });
    world().service.requests.reset();
    const after = await whole().bring(state, { project: "1", target_groups: ["12"] });
    expect(after.attributes["target_projects"]).toBeNull();
    expect(world().service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await whole().drift(after, { project: "1", target_groups: ["12"] })).toEqual([]);
  });
});

describe("a single entry", () => {
  test("a single entry that is there already is an error with the import command", async () => {
    await byHand("allowlist", { target_project_id: PROJECT.docs });
    const { state, diagnostics } = await entry().apply(
      await entry().plan(undefined, { project: "acme/web", target_project: "acme/docs" }),
    );
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: "error", code: "already_exists" }]);
    expect(diagnostics[0]!.action).toEqual({ kind: "import", id: "1:4" });
    expect((await entry().import("1:4")).attributes["target_project"]).toBe("acme/docs");
  });

  test("an environment that is protected already is an error with the import command", async () => {
    const environment = host("protected_environment");
    const config = { project: "1", name: "review apps/*", deploy_access_levels: [{ access_level: 40 }] };
    await environment.bring(undefined, config);
    const { diagnostics } = await environment.apply(await environment.plan(undefined, config));
    expect(diagnostics).toMatchObject([{ code: "already_exists" }]);
    expect(diagnostics[0]!.action).toEqual({ kind: "import", id: "1:review apps/*" });
    expect(await environment.drift(await environment.import("1:review apps/*"), config)).toEqual([]);
  });
});

describe("two declarations of the same", () => {
  const wholeConfig = { project: "acme/web", target_projects: ["acme/docs"] };
  const entryConfig = { project: "1", target_project: "acme/tools" };

  test.each(["whole first", "entry first"])(
    "a whole set and an entry of it, %s, are refused",
    async (order) => {
      const run = whole().connect();
      const plans = [
        () => whole().plan(undefined, wholeConfig, run),
        () => entry().plan(undefined, entryConfig, run),
      ];
      if (order === "entry first") plans.reverse();
      expect(errors(await plans[0]!())).toEqual([]);
      const [conflict] = errors(await plans[1]!());
      expect(conflict).toMatchObject({ code: "declared_twice" });
      expect(conflict!.detail).toContain("steward_job_token_allowlist owns all of it");
      expect(conflict!.detail).toContain("steward_job_token_allowlist_project owns the entry 2");
    },
  );

  test("two declarations are named by their addresses, where the host gives them", async () => {
    const run = whole().connect();
    const plan = (type: string, name: string, config: ValueObject) =>
      run.planResource({
        type: `steward_${type}`,
        address: `steward_${type}.${name}`,
        prior: undefined,
        config: host(type).config(config),
      });
    await plan("job_token_allowlist", "all", wholeConfig);
    const { diagnostics } = await plan("job_token_allowlist_project", "tools", entryConfig);
    expect(diagnostics).toMatchObject([{ code: "declared_twice" }]);
    expect(diagnostics[0]!.detail).toContain("steward_job_token_allowlist.all owns all of it");
    expect(diagnostics[0]!.detail).toContain("steward_job_token_allowlist_project.tools owns the entry 2");
  });

  test("a whole list of groups and single projects live together", async () => {
    const run = whole().connect();
    expect(errors(await whole().plan(undefined, { project: "1", target_groups: ["12"] }, run))).toEqual([]);
    expect(errors(await entry().plan(undefined, entryConfig, run))).toEqual([]);
  });

  test.each([
    ["job_token_allowlist_project", entryConfig, { project: "acme/web", target_project: "2" }],
    ["job_token_allowlist", wholeConfig, { project: "1", target_groups: [] }],
    [
      "job_token_scope",
      { project: "1", inbound_enabled: true },
      { project: "acme/web", inbound_enabled: false },
    ],
    [
      "protected_environment",
      { project: "1", name: "production", deploy_access_levels: [{ access_level: 40 }] },
      { project: "acme/web", name: "production", deploy_access_levels: [{ access_level: 60 }] },
    ],
  ])("%s twice, spelled differently, is refused at plan", async (type, one, other) => {
    const run = host(type).connect();
    expect(errors(await host(type).plan(undefined, one, run))).toEqual([]);
    expect(errors(await host(type).plan(undefined, other, run))).toMatchObject([{ code: "declared_twice" }]);
  });

  test("other entries, other projects and other runs are nobody's conflict", async () => {
    const run = entry().connect();
    for (const config of [
      entryConfig,
      { ...entryConfig, target_project: "4" },
      { ...entryConfig, project: "7" },
    ]) {
      expect(errors(await entry().plan(undefined, config, run))).toEqual([]);
    }
    expect(errors(await entry().plan(undefined, entryConfig))).toEqual([]);
  });

  test("a replacement is planned twice in one run and is one declaration", async () => {
    const state = await entry().bring(undefined, entryConfig);
    const run = entry().connect();
    const plan = await entry().plan(state, { ...entryConfig, target_project: "4" }, run);
    expect(plan.action).toBe("replace");
    expect(plan.replacement!.diagnostics).toEqual([]);
  });
});

describe("a replacement that the host decides on", () => {
  const config = { project: "1", target_project: "acme/tools" };
  const planAgain = async (isTold: boolean) => {
    const state = await entry().bring(undefined, config);
    const run = entry().connect();
    const first = await entry().plan(state, config, run);
    expect(first.diagnostics).toEqual([]);
    const type = "steward_job_token_allowlist_project";
    const again = { type, prior: undefined, config: first.config };
    const answer = await run.planResource(
      isTold ? { ...again, plannedBefore: first.planned!.private } : again,
    );
    return answer.diagnostics.map(({ code }) => code);
  };

  test("plans the same declaration again, which is no second one", async () => {
    expect(await planAgain(true)).toEqual([]);
  });

  test("a replacement that the host decides on is told from a copy of the declaration", async () => {
    expect(await planAgain(false)).toEqual(["declared_twice"]);
  });

  test("one object imported under two addresses is two declarations of it", async () => {
    const state = await entry().bring(undefined, config);
    const run = entry().connect();
    expect(errors(await entry().plan(state, config, run))).toEqual([]);
    expect(errors(await entry().plan(await entry().import("1:2"), config, run))).toMatchObject([
      { code: "declared_twice" },
    ]);
  });
});

describe("what can't be a target", () => {
  test.each([
    ["by id", "1"],
    ["by path", "acme/web"],
  ])("the project itself, %s", async (_, itself) => {
    const single = await entry().plan(undefined, { project: "acme/web", target_project: itself });
    expect(errors(single)).toMatchObject([{ code: "invalid_value", attribute: ["target_project"] }]);
    const set = await whole().plan(undefined, { project: "1", target_projects: ["2", itself] });
    expect(errors(set)).toMatchObject([
      { code: "invalid_value", attribute: pathOf(`target_projects["${itself}"]`) },
    ]);
  });

  test("the same project twice, by id and by path", async () => {
    const plan = await whole().plan(undefined, {
      project: "1",
      target_projects: ["2", "acme/docs", "acme/tools"],
    });
    expect(errors(plan)).toMatchObject([{ code: "duplicate_reference" }]);
    expect(errors(plan)[0]!.detail).toContain(
      'target_projects["2"] and target_projects["acme/tools"] refer to the same object',
    );
  });

  test("the same again, added to what is there", async () => {
    const state = await whole().bring(undefined, { project: "1", target_projects: ["acme/tools"] });
    const plan = await whole().plan(state, { project: "1", target_projects: ["acme/tools", "2"] });
    expect(errors(plan)).toMatchObject([{ code: "duplicate_reference" }]);
  });

  test("nothing is written for a declaration that is refused", async () => {
    world().service.requests.reset();
    await whole().plan(undefined, { project: "1", target_projects: ["2", "acme/tools"] });
    expect(world().service.requests.all.filter(({ method }) => method !== "GET")).toEqual([]);
  });
});

test("a project that is archived refuses changes at plan, and drift in it is passed over with a note", async () => {
  const scope = host("job_token_scope");
  const refused = await scope.plan(undefined, { project: "acme/archived", inbound_enabled: true });
  expect(refused.diagnostics).toMatchObject([
    { severity: "error", code: "archived_project", attribute: ["project"] },
  ]);

  const config = { project: "acme/hidden", target_projects: ["2"] };
  const state = await whole().bring(undefined, config);
  await world().http("POST", `/projects/${PROJECT.hidden}/job_token_scope/allowlist`, {
    target_project_id: 4,
  });
  await world().http("PUT", `/projects/${PROJECT.hidden}`, { archived: true });
  const read = await whole().read(state);
  expect(read.state).toEqual(state);
  expect(read.diagnostics).toMatchObject([{ severity: "warning", code: "archived_project" }]);
  expect((await whole().plan(read.state, config)).action).toBe("none");
  const change = await whole().plan(read.state, { ...config, target_projects: [] });
  expect(change.diagnostics).toMatchObject([{ code: "archived_project" }]);
});

test("a project that was archived since the plan refuses to change, to add and to destroy, and the state stays", async () => {
  const config = { project: "acme/hidden", target_projects: ["2"] };
  const state = await whole().bring(undefined, config);
  const change = await whole().plan(state, { ...config, target_projects: ["3"] });
  const addition = await host("job_token_scope").plan(undefined, {
    project: "acme/hidden",
    inbound_enabled: false,
  });
  await world().http("PUT", `/projects/${PROJECT.hidden}`, { archived: true });
  const refused = { severity: "error", code: "archived_project", attribute: ["project"] };
  expect(await whole().apply(change)).toMatchObject({
    state: { attributes: state.attributes },
    diagnostics: [refused],
  });
  expect(await host("job_token_scope").apply(addition)).toEqual({
    diagnostics: [expect.objectContaining(refused)],
  });
  expect(await whole().destroy(state)).toMatchObject({
    state: { attributes: state.attributes },
    diagnostics: [refused],
  });
});
