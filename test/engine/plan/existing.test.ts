import { actions, Stack, thing } from "../support/stack";

let stack: Stack;
beforeEach(() => {
  stack = new Stack({});
  stack.provider.tellsExisting = true;
  stack.provider.service = "memory";
});
afterEach(() => stack.remove());

const declare = (things: object, more: object = {}) =>
  stack.declare({ resource: { memory_thing: things }, ...more });
const live = (name: string, more: object = {}) =>
  stack.provider.things.set(name, {
    name,
    id: name,
    size: null,
    colour: "grey",
    tags: null,
    secret: null,
    serial: 9,
    ...more,
  });
const importing = { importsExisting: true };
const addresses = async () =>
  (await stack.state())?.resources.map(({ type, name }) => `${type}.${name}`).sort() ?? [];

describe("a live object in the place of a new one", () => {
  test("a plan leaves out its declaration and dependents with one error; all else is planned and applied", async () => {
    live("a");
    declare({
      a: thing("a"),
      b: thing("b"),
      c: { name: "c", colour: "${memory_thing.a.id}" },
    });
    const { applicable, diagnostics, blocked, ...plan } = await stack.plan();
    expect([applicable, actions({ ...plan, applicable, diagnostics, blocked } as never), blocked]).toEqual([
      true,
      { "memory_thing.b": "create" },
      ["memory_thing.a", "memory_thing.c"],
    ]);
    expect(diagnostics).toMatchObject([
      { code: "already_exists", address: "memory_thing.a", action: { kind: "import", id: "a" } },
    ]);
    await stack.apply();
    expect(await addresses()).toEqual(["memory_thing.b"]);
  });

  test("a plan without a refresh does not look for it", async () => {
    live("a");
    declare({ a: thing("a") });
    expect(actions(await stack.plan("normal", { refresh: false }))).toEqual({ "memory_thing.a": "create" });
  });

  test("a plan that moves the object there has no error", async () => {
    declare({ a: thing("a") });
    await stack.apply();
    declare({ b: thing("a") });
    const { changes, diagnostics } = await stack.plan();
    expect(diagnostics).toEqual([]);
    expect(changes).toMatchObject([{ address: "memory_thing.b", previousAddress: "memory_thing.a" }]);
  });

  test("a replacement that would take its place is refused, with and without an import", async () => {
    declare({ a: thing("a") });
    await stack.apply();
    live("b");
    declare({ a: thing("b") });
    for (const options of [{}, importing]) {
      const plan = await stack.plan("normal", options);
      expect(actions(plan)).toEqual({});
      expect(plan.diagnostics).toMatchObject([{ code: "already_exists", address: "memory_thing.a" }]);
    }
  });
});

describe("with an import of what exists", () => {
  test("the plan shows the difference to the live object, and dependents get its values", async () => {
    live("a", { size: 1 });
    declare({ a: thing("a", { size: 2 }), b: { name: "b", size: "${memory_thing.a.serial}" } });
    const { changes, summary, diagnostics } = await stack.plan("normal", importing);
    expect(diagnostics).toEqual([]);
    expect(changes).toMatchObject([
      { action: "update", importing: { id: "a", existing: true }, before: { size: 1 }, after: { size: 2 } },
      { action: "create", after: { size: 9 } },
    ]);
    expect(summary).toEqual({ add: 1, change: 1, remove: 0, import: 1, move: 0 });
  });

  test("the state has the imports before the first change is sent", async () => {
    for (const name of ["a", "b"]) live(name, { size: 1 });
    declare({ a: thing("a", { size: 2 }), b: thing("b", { size: 2 }) });
    stack.provider.crashing.add("update a").add("update b");
    await stack.apply("normal", importing);
    expect(await addresses()).toEqual(["memory_thing.a", "memory_thing.b"]);
    stack.provider.crashing.clear();
    // What was taken over is changed by the next run, without the option.
    expect(actions(await stack.plan())).toEqual({ "memory_thing.a": "update", "memory_thing.b": "update" });
  });

  test("a requested replacement does not destroy what is taken over", async () => {
    live("a");
    declare({ a: thing("a") });
    const plan = await stack.plan("normal", { ...importing, replace: ["memory_thing.a"] });
    expect(actions(plan)).toEqual({});
    expect(plan.diagnostics).toMatchObject([{ code: "already_exists", address: "memory_thing.a" }]);
  });

  test("what is ignored keeps its live value", async () => {
    live("a", { size: 1 });
    declare({ a: { ...thing("a", { size: 2 }), lifecycle: { ignore_changes: ["size"] } } });
    const { changes } = await stack.plan("normal", importing);
    expect(changes).toMatchObject([{ action: "no-op", importing: { id: "a" }, after: { size: 1 } }]);
  });
});
