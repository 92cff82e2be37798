import { actions, Stack, thing } from "../support/stack";

const first = { lifecycle: { create_before_destroy: true } };

describe("create_before_destroy", () => {
  let stack: Stack;
  beforeEach(() => {
    stack = new Stack({});
  });
  afterEach(() => stack.remove());

  const things = (declared: Record<string, object>) =>
    stack.declare({ resource: { memory_thing: declared } });
  const chain = (name: string) => ({ a: thing(name), b: thing("b-${memory_thing.a.id}", first) });
  const instances = async (name: string) =>
    (await stack.state())!.resources.find((resource) => resource.name === name)!.instances;

  test("applies to all dependencies too: first all creates, then the deletes in reverse order", async () => {
    things(chain("a"));
    await stack.apply();
    things(chain("a2"));
    expect(actions(await stack.plan())).toEqual({
      "memory_thing.a": "create-then-delete",
      "memory_thing.b": "create-then-delete",
    });
    stack.provider.asked.length = 0;
    const { done, state } = await stack.apply();
    expect(stack.provider.asked.filter((one) => !one.startsWith("read"))).toEqual([
      "create a2",
      "create b-a2",
      "delete b-a",
      "delete a",
    ]);
    expect(done).toMatchObject({ add: 2, change: 0, remove: 2 });
    const kept = state.resources.flatMap((resource) => resource.instances);
    expect(kept).toMatchObject([{ createBeforeDestroy: true }, { createBeforeDestroy: true }]);
  });

  test("leaves the object deposed if its delete fails, and the next plan deletes it", async () => {
    things(chain("a"));
    await stack.apply();
    things(chain("a2"));
    stack.provider.failing.add("delete a");
    expect((await stack.apply()).diagnostics).toMatchObject([{ code: "forbidden" }]);
    const [old, now] = [...(await instances("a"))].sort((one) => (one.deposed === undefined ? 1 : -1));
    expect(old!.deposed).toMatch(/^[0-9a-f]{8}$/);
    expect([old!.attributes["id"], now!.attributes["id"]]).toEqual(["a", "a2"]);
    stack.provider.failing.clear();
    const { changes, summary } = await stack.plan();
    expect(changes.filter(({ action }) => action !== "no-op")).toMatchObject([
      { address: "memory_thing.a", action: "delete", deposed: old!.deposed },
    ]);
    expect(summary).toMatchObject({ add: 0, remove: 1 });
    await stack.apply();
    expect(await instances("a")).toMatchObject([{ attributes: { id: "a2" } }]);
    expect((await stack.plan()).hasChanges).toBe(false);
  });

  test("restores the old object if the create fails", async () => {
    things({ a: thing("a", first) });
    await stack.apply();
    things({ a: thing("a2", first) });
    stack.provider.failing.add("create a2");
    await stack.apply();
    const [only, ...others] = await instances("a");
    expect(others).toEqual([]);
    expect(only).toMatchObject({ attributes: { id: "a" } });
    expect(only!.deposed).toBeUndefined();
    expect([...stack.provider.things.keys()]).toEqual(["a"]);
  });

  test("keeps a tainted replacement beside the deposed object, and the next run fixes both", async () => {
    things({ a: thing("a", first) });
    await stack.apply();
    things({ a: thing("a2", first) });
    stack.provider.half.set("a2", "unsound");
    await stack.apply();
    expect((await instances("a")).map(({ status, deposed }) => [status, deposed !== undefined])).toEqual([
      ["tainted", false],
      [undefined, true],
    ]);
    stack.provider.half.clear();
    const plan = await stack.plan();
    expect(plan.changes.map(({ action, reason }) => [action, reason])).toEqual([
      ["create-then-delete", "replace_because_tainted"],
      ["delete", undefined],
    ]);
  });

  test("drops the flag of a deposed object whose delete failed, as Terraform does", async () => {
    things({ a: thing("a", first) });
    await stack.apply();
    things({ a: thing("a2", first) });
    stack.provider.failing.add("delete a");
    await stack.apply();
    const [now, deposed] = await instances("a");
    expect([now!.createBeforeDestroy, now!.deposed]).toEqual([true, undefined]);
    expect([deposed!.createBeforeDestroy, deposed!.deposed]).toEqual([undefined, expect.any(String)]);
    stack.provider.failing.clear();
    await stack.apply();
    expect([...stack.provider.things.keys()]).toEqual(["a2"]);
    expect(actions(await stack.plan())).toEqual({});
  });

  test("deletes an undeclared object after its dependents have changed", async () => {
    things({ a: thing("a", first), b: thing("b", { size: "${memory_thing.a.serial}" }) });
    await stack.apply();
    things({ b: thing("b", { size: 5 }) });
    stack.provider.asked.length = 0;
    await stack.apply();
    expect(stack.provider.asked.filter((one) => !one.startsWith("read"))).toEqual(["update b", "delete a"]);
  });
});
