import { LocalBackend } from "../../../src/state/backends/local-backend";
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

  test("forget all instances of count and for_each, and their deposed objects", async () => {
    stack.declare({
      resource: {
        memory_thing: {
          b: thing("b"),
          n: { ...thing("n${count.index}"), count: 2 },
          e: { ...thing("${each.key}"), for_each: { x: 1, "y z": 2 } },
        },
      },
    });
    await stack.apply();
    const state = (await stack.state())!;
    const counted = state.resources.find(({ name }) => name === "n")!;
    const [first] = counted.instances;
    const withDeposed = { ...counted, instances: [...counted.instances, { ...first!, deposed: "0badcafe" }] };
    const resources = state.resources.map((one) => (one === counted ? withDeposed : one));
    await new LocalBackend(stack.stateFile).write({ ...state, serial: state.serial + 1, resources });
    declare([keep("memory_thing.n"), keep("memory_thing.e"), keep("memory_thing.never")]);
    stack.provider.asked.length = 0;
    const { changes } = await stack.plan();
    expect(
      changes
        .filter(({ action }) => action !== "no-op")
        .map(({ address, deposed, action }) => [address, deposed, action]),
    ).toEqual([
      ['memory_thing.e["x"]', undefined, "forget"],
      ['memory_thing.e["y z"]', undefined, "forget"],
      ["memory_thing.n[0]", undefined, "forget"],
      ["memory_thing.n[0]", "0badcafe", "forget"],
      ["memory_thing.n[1]", undefined, "forget"],
    ]);
    await stack.apply();
    expect([...stack.provider.things.keys()].sort()).toEqual(["b", "n0", "n1", "x", "y z"]);
    expect((await stack.state())!.resources.map(({ name }) => name)).toEqual(["b"]);
  });

  test.each(["false", false])("take destroy = %j, as Terraform converts a text", async (destroy) => {
    declare({ from: "memory_thing.a", lifecycle: { destroy } });
    expect(actions(await stack.plan())).toEqual({ "memory_thing.a": "forget" });
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

  test("removed blocks have no effect in a destroy", async () => {
    declare(keep("memory_thing.a"));
    expect(actions(await stack.plan("destroy"))).toEqual({
      "memory_thing.a": "delete",
      "memory_thing.b": "delete",
    });
  });

  test("removed blocks are rejected for a resource that is still declared", async () => {
    declare(keep("memory_thing.b"));
    expect((await stack.plan()).diagnostics).toMatchObject([
      { code: "removal_invalid", address: "memory_thing.b" },
    ]);
  });
});
