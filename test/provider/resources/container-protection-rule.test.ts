import type { StoredState } from "../../../src/framework/protocol/protocol";
import { createProvider } from "../../../src/provider";
import { UNKNOWN, type ValueObject } from "../../../src/schema";
import { loseAnswer, loseRequest } from "../support/faults";
import { Host } from "../support/host";
import { useWorld, type World } from "../support/world";

// A rule's id is known only once it is made, and its pattern is what tells it from others until then.

const type = "steward_container_protection_rule";
const world = useWorld();
const host = () => new Host(world(), type);
const route = "/projects/:id/registry/protection/repository/rules";
const at = "/projects/1/registry/protection/repository/rules";
const byHand = (body: object) => world().http("POST", at, body) as Promise<{ id: number }>;
const live = () => world().http("GET", at) as Promise<readonly ValueObject[]>;
const writes = () =>
  world()
    .service.requests.all.filter(({ method }) => method !== "GET")
    .map(({ method }) => method);

const config = {
  project: "acme/web",
  repository_path_pattern: "acme/web/release*",
  minimum_access_level_for_push: "maintainer",
};

describe("levels", () => {
  test("left out on creation, the rule has none", async () => {
    const state = await host().bring(undefined, config);
    expect(state.attributes).toEqual({
      ...config,
      id: "1:1",
      minimum_access_level_for_delete: null,
      rule_id: 1,
    });
    expect(await live()).toMatchObject([{ id: 1, minimum_access_level_for_delete: null }]);
  });

  test("given by hand, one that was left out is drift and is unset", async () => {
    const state = await host().bring(undefined, config);
    await world().http("PATCH", `${at}/1`, { minimum_access_level_for_delete: "admin" });
    expect(await host().drift(state, config)).toEqual(["minimum_access_level_for_delete"]);
    await host().bring(await host().refresh(state), config);
    expect(await live()).toMatchObject([{ id: 1, minimum_access_level_for_delete: null }]);
  });

  test("taken out of the code, one is unset by an empty text, and nothing else is sent", async () => {
    const both = { ...config, minimum_access_level_for_delete: "owner" };
    const state = await host().bring(undefined, both);
    const after = await host().bring(state, config);
    expect(after.attributes).toEqual({ ...state.attributes, minimum_access_level_for_delete: null });
    expect(await live()).toMatchObject([
      { id: 1, minimum_access_level_for_push: "maintainer", minimum_access_level_for_delete: null },
    ]);
  });

  test("exchanged for the other, they go in one request: the service would refuse a rule without any", async () => {
    const state = await host().bring(undefined, config);
    world().service.requests.reset();
    await host().bring(state, {
      project: "acme/web",
      repository_path_pattern: config.repository_path_pattern,
      minimum_access_level_for_delete: "admin",
    });
    expect(writes()).toEqual(["PATCH"]);
    expect(await live()).toMatchObject([
      { id: 1, minimum_access_level_for_push: null, minimum_access_level_for_delete: "admin" },
    ]);
  });
});

describe("the pattern", () => {
  test("the pattern is changed in place, and the rule keeps its id", async () => {
    const state = await host().bring(undefined, config);
    world().service.requests.reset();
    const after = await host().bring(state, { ...config, repository_path_pattern: "acme/web/*" });
    expect(after.attributes).toMatchObject({ id: "1:1", rule_id: 1, repository_path_pattern: "acme/web/*" });
    expect(writes()).toEqual(["PATCH"]);
  });

  test("a pattern that is taken is an error with the import command for the rule that has it", async () => {
    await byHand({ repository_path_pattern: "other", minimum_access_level_for_push: "owner" });
    const { id } = await byHand({ ...config, minimum_access_level_for_push: "admin" });
    const { state, diagnostics } = await host().apply(await host().plan(undefined, config));
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ severity: "error", code: "already_exists" }]);
    expect(diagnostics[0]!.action).toEqual({ kind: "import", id: `1:${id}` });
    const imported = await host().import(`1:${id}`);
    const mended = await host().bring(imported, config);
    expect(mended.attributes).toMatchObject({ id: `1:${id}`, minimum_access_level_for_push: "maintainer" });
  });

  test("a pattern that another rule of the project has refuses a change, and names the attribute", async () => {
    const state = await host().bring(undefined, config);
    await byHand({ repository_path_pattern: "taken", minimum_access_level_for_push: "owner" });
    const plan = await host().plan(state, { ...config, repository_path_pattern: "taken" });
    const answer = await host().apply(plan);
    expect(answer.diagnostics).toMatchObject([
      { severity: "error", code: "already_there", attribute: ["repository_path_pattern"] },
    ]);
    expect(answer.state!.attributes).toEqual(state.attributes);
  });

  test("a pattern taken by a rule that can't be looked for is told in the service's own words", async () => {
    await byHand(config);
    const plan = await host().plan(undefined, config);
    world().service.faults.add({ method: "GET", route, status: 500, always: true });
    const { diagnostics } = await host().apply(plan);
    expect(diagnostics).toMatchObject([{ severity: "error", code: "already_there" }]);
    expect(diagnostics[0]!.detail).toContain("has already been taken");
  });

  test("declared twice in one project is refused at plan; in two projects it is not", async () => {
    const run = host().connect();
    expect((await host().plan(undefined, config, run)).diagnostics).toEqual([]);
    const other = { ...config, project: "acme/docs" };
    expect((await host().plan(undefined, other, run)).diagnostics).toEqual([]);
    expect((await host().plan(undefined, { ...config, project: "1" }, run)).diagnostics).toMatchObject([
      { severity: "error", code: "declared_twice" },
    ]);
    const next = { ...config, repository_path_pattern: "acme/web/next*" };
    expect((await host().plan(undefined, next, run)).diagnostics).toEqual([]);
  });
});

describe("after a lost answer", () => {
  const create = { method: "POST", route } as const;

  test("the rule of that pattern with other levels is somebody else's, and the error gives its id", async () => {
    const plan = await host().plan(undefined, config);
    const { id } = await byHand({ ...config, minimum_access_level_for_push: "admin" });
    loseRequest(world(), create);
    const { state, diagnostics } = await host().apply(plan);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "already_exists" }]);
    expect(diagnostics[0]!.action).toEqual({ kind: "import", id: `1:${id}` });
  });

  test("a rule that was seen before anything was sent is somebody else's, also where it is the same", async () => {
    const other = await host().bring(undefined, { ...config, repository_path_pattern: "other" });
    const { id } = await byHand(config);
    const run = host().connect();
    await host().refresh(other, run);
    const plan = await host().plan(undefined, config, run);
    loseRequest(world(), create);
    const { state, diagnostics } = await host().apply(plan, run);
    expect(state).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: "already_exists" }]);
    expect(diagnostics[0]!.action).toEqual({ kind: "import", id: `1:${id}` });
  });

  test("the rule that was made is taken among others, with its own id", async () => {
    const other = await host().bring(undefined, { ...config, repository_path_pattern: "other" });
    const run = host().connect();
    await host().refresh(other, run);
    const plan = await host().plan(undefined, config, run);
    loseAnswer(world(), create);
    const { state, diagnostics } = await host().apply(plan, run);
    expect(diagnostics).toEqual([]);
    expect(state!.attributes).toMatchObject({ id: "1:2", rule_id: 2 });
    expect(await live()).toHaveLength(2);
  });
});

test("deleted between the plan and its apply, a change is an error, as a new rule would have another id", async () => {
  const state = await host().bring(undefined, config);
  const plan = await host().plan(state, { ...config, minimum_access_level_for_push: "admin" });
  await world().http("DELETE", `${at}/1`);
  const { diagnostics } = await host().apply(plan);
  expect(diagnostics).toMatchObject([{ severity: "error", code: "gone_since_plan" }]);
  expect(await live()).toEqual([]);
  expect(await host().refresh(state)).toBeUndefined();
  expect((await host().bring(undefined, config)).attributes["id"]).toBe("1:2");
});

describe("what is wrong is said before anything is sent", () => {
  const without = new Host({ provider: createProvider() } as World, type);
  const told = (change: ValueObject) =>
    without.validate({ ...config, ...change }).map(({ code, attribute }) => [code, attribute]);

  test("at least one level is needed, and the attribute is named", () => {
    expect(told({ minimum_access_level_for_push: null })).toEqual([
      ["invalid_value", ["minimum_access_level_for_push"]],
    ]);
    expect(told({ minimum_access_level_for_push: null, minimum_access_level_for_delete: "admin" })).toEqual(
      [],
    );
  });

  test.each(["developer", "", "Maintainer", "40"])("%j is no level", (level) => {
    expect(told({ minimum_access_level_for_push: level })).toEqual([
      ["invalid_value", ["minimum_access_level_for_push"]],
    ]);
    expect(told({ minimum_access_level_for_delete: level })).toEqual([
      ["invalid_value", ["minimum_access_level_for_delete"]],
    ]);
  });

  test.each(["", "acme/my web", "x".repeat(256)])("rejects the pattern %j", (repository_path_pattern) => {
    expect(told({ repository_path_pattern })).toEqual([["invalid_value", ["repository_path_pattern"]]]);
  });

  test("a level that is not known yet may turn out to be one", () => {
    expect(told({ minimum_access_level_for_push: UNKNOWN })).toEqual([]);
  });
});

test.each([
  ["1:99", "import_not_found"],
  // A rule is told by its number alone.
  ["1:release*", "invalid_import_id"],
])("an import by %s, which is no rule's, is refused", async (id, code) => {
  const answer = await world().connect().importResource({ type, id });
  expect(answer.diagnostics).toMatchObject([{ severity: "error", code }]);
});

test("all rules of a project are listed, by the id that imports them", async () => {
  const states: StoredState[] = [];
  for (const name of ["a", "b"]) {
    states.push(await host().bring(undefined, { ...config, repository_path_pattern: name }));
  }
  const { objects } = await world().connect().listResource({ type, within: "acme/web" });
  expect(objects.map(({ id }) => id)).toEqual(["1:1", "1:2"]);
  expect(objects[1]!.state.attributes).toEqual(states[1]!.attributes);
});
