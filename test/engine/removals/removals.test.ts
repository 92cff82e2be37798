import { actions, Stack, thing } from "../support/stack";

describe("removed blocks", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = new Stack({ resource: { memory_thing: { a: thing("a"), b: thing("b") } } });
    await stack.apply();
    stack.provider.asked.length = 0;
  });
  afterEach(() => stack.remove());

  const declare = (removed: object, things: object = { b: thing("b") }, more: object = {}) =>
    stack.declare({ resource: { memory_thing: things }, removed, ...more });
  const keep = (from: string) => ({ from, lifecycle: { destroy: false } });

  test("with destroy = false forget an object without reading it, and leave it on the service", async () => {
    declare(keep("memory_thing.a"));
    const plan = await stack.plan();
    expect(actions(plan)).toEqual({ "memory_thing.a": "forget" });
    expect(plan.summary).toEqual({ add: 0, change: 0, remove: 0, import: 0, move: 0 });
    expect(plan.diagnostics).toMatchObject([{ severity: "warning", code: "objects_forgotten" }]);
    await stack.apply();
    expect(stack.provider.asked).not.toContain("read a");
    expect(stack.provider.things.has("a")).toBe(true);
    expect((await stack.state())!.resources.map(({ name }) => name)).toEqual(["b"]);
    expect((await stack.plan()).hasChanges).toBe(false);
  });

  test.each([[{}], [{ lifecycle: { destroy: true } }]])("with %j destroy the object", async (more) => {
    declare({ from: "memory_thing.a", ...more });
    const { changes } = await stack.plan();
    expect(changes.find(({ action }) => action !== "no-op")).toMatchObject({
      action: "delete",
      reason: "delete_because_no_resource_config",
    });
  });

  test("apply to an object that was moved there", async () => {
    declare(
      keep("memory_thing.gone"),
      { b: thing("b") },
      { moved: [{ from: "memory_thing.a", to: "memory_thing.gone" }] },
    );
    expect((await stack.plan()).changes.find(({ action }) => action === "forget")).toMatchObject({
      address: "memory_thing.gone",
      previousAddress: "memory_thing.a",
      reason: "delete_because_no_move_target",
    });
  });

  test("have no effect in a destroy", async () => {
    declare(keep("memory_thing.a"));
    expect(actions(await stack.plan("destroy"))).toEqual({
      "memory_thing.a": "delete",
      "memory_thing.b": "delete",
    });
  });

  test("are rejected for a resource that is still declared", async () => {
    declare(keep("memory_thing.b"));
    expect((await stack.plan()).diagnostics).toMatchObject([
      { code: "removal_invalid", address: "memory_thing.b" },
    ]);
  });
});
