import { actions, Stack, thing } from "../support/stack";

describe("moved blocks", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = new Stack({
      resource: {
        memory_thing: {
          a: thing("a"),
          b: thing("${memory_thing.a.id}-b"),
          n: { ...thing("n${count.index}"), count: 2 },
        },
      },
    });
    await stack.apply();
    stack.provider.asked.length = 0;
  });
  afterEach(() => stack.remove());

  const n = { ...thing("n${count.index}"), count: 2 };
  const declare = (things: object, ...moved: readonly { from: string; to: string }[]) =>
    stack.declare({ resource: { memory_thing: things }, moved });
  const from = (before: string, now: string) => ({
    from: `memory_thing.${before}`,
    to: `memory_thing.${now}`,
  });
  const addresses = async () =>
    (await stack.state())!.resources.flatMap(({ name, instances }) =>
      instances.map(({ indexKey }) =>
        indexKey === undefined ? name : `${name}[${JSON.stringify(indexKey)}]`,
      ),
    );
  const movedIn = ({ changes }: Awaited<ReturnType<Stack["plan"]>>) =>
    Object.fromEntries(
      changes
        .filter(({ previousAddress }) => previousAddress !== undefined)
        .map(({ previousAddress, address }) => [previousAddress, address]),
    );

  test("move an object along a chain of addresses without changing the service", async () => {
    declare({ c: thing("a"), b: thing("${memory_thing.c.id}-b"), n }, from("x", "c"), from("a", "x"));
    const plan = await stack.plan();
    expect([actions(plan), plan.hasChanges, movedIn(plan)]).toEqual([
      {},
      true,
      { "memory_thing.a": "memory_thing.c" },
    ]);
    expect((await stack.apply()).diagnostics).toEqual([]);
    expect(stack.provider.asked.filter((what) => !what.startsWith("read"))).toEqual([]);
    expect(await addresses()).toEqual(expect.arrayContaining(["c", "b", "n[0]", "n[1]"]));
    const b = (await stack.state())!.resources.find(({ name }) => name === "b")!;
    expect(b.instances[0]!.dependencies).toEqual(["memory_thing.c"]);
    expect((await stack.plan()).hasChanges).toBe(false);
  });

  test("move all instances of a resource, or a single instance to another key", async () => {
    declare(
      { a: thing("a"), k: { ...thing("${memory_thing.a.id}-b"), for_each: { b: 1 } }, m: n },
      from("n", "m"),
      from("b", 'k["b"]'),
    );
    const plan = await stack.plan();
    expect([actions(plan), movedIn(plan)]).toEqual([
      {},
      {
        "memory_thing.b": 'memory_thing.k["b"]',
        "memory_thing.n[0]": "memory_thing.m[0]",
        "memory_thing.n[1]": "memory_thing.m[1]",
      },
    ]);
  });

  test("moved blocks are combined with other changes of the object", async () => {
    declare({ c: thing("a", { size: 1 }), b: thing("a-b"), n }, from("a", "c"));
    const { changes } = await stack.plan();
    expect(changes.find(({ address }) => address === "memory_thing.c")).toMatchObject({
      action: "update",
      previousAddress: "memory_thing.a",
    });
  });

  test("moved blocks are implied when count is added to a resource or removed", async () => {
    declare({ a: { ...thing("a"), count: 1 }, b: thing("a-b"), n: thing("n0") });
    const plan = await stack.plan();
    expect([actions(plan), movedIn(plan)]).toEqual([
      { "memory_thing.n[1]": "delete" },
      { "memory_thing.a": "memory_thing.a[0]", "memory_thing.n[0]": "memory_thing.n" },
    ]);
  });

  test("leave an object at its address if the new one is occupied, with a warning", async () => {
    declare({ a: thing("a"), n }, from("b", "a"));
    const plan = await stack.plan();
    expect(actions(plan)).toEqual({ "memory_thing.b": "delete" });
    expect(plan.diagnostics).toMatchObject([{ severity: "warning", code: "move_blocked" }]);
  });

  test("delete the object if nothing declares the new address, and give the reason", async () => {
    declare({ b: thing("a-b"), n }, from("a", "gone"));
    const { changes } = await stack.plan();
    expect(changes.find(({ action }) => action === "delete")).toMatchObject({
      address: "memory_thing.gone",
      previousAddress: "memory_thing.a",
      reason: "delete_because_no_move_target",
    });
  });

  test("a refresh-only plan shows and applies moved blocks", async () => {
    declare({ c: thing("a"), b: thing("a-b"), n }, from("a", "c"));
    const plan = await stack.plan("refresh-only");
    expect(plan.drift).toMatchObject([
      { address: "memory_thing.c", previousAddress: "memory_thing.a", action: "no-op" },
    ]);
    await stack.apply("refresh-only");
    expect(await addresses()).toContain("c");
  });

  test("moved blocks are applied before a destroy and before drift detection", async () => {
    declare({ c: thing("a"), b: thing("a-b"), n }, from("a", "c"));
    stack.provider.things.get("a")!["colour"] = "red";
    expect((await stack.drift()).objects).toHaveLength(4);
    expect(Object.keys(actions(await stack.plan("destroy")))).toContain("memory_thing.c");
  });

  test.each([
    ["from what is still declared", [from("a", "c")], /still declared/],
    ["of one object to two places", [from("x", "c"), from("x", "d")], /one address only/],
    ["of two objects to one place", [from("x", "c"), from("y", "c")], /Only one object can move there/],
    ["in a cycle", [from("x", "y"), from("y", "x")], /form a cycle/],
    ["of an instance that is still declared", [from("n[1]", "c")], /memory_thing\.n\[1\] is still declared/],
  ])("%s are rejected", async (_what, moved, why) => {
    declare({ a: thing("a"), b: thing("a-b"), n }, ...moved);
    const { applicable, diagnostics } = await stack.plan();
    expect([applicable, diagnostics[0]]).toEqual([
      false,
      expect.objectContaining({ code: "move_invalid", detail: expect.stringMatching(why) as string }),
    ]);
  });

  test("moved blocks must be within the targets", async () => {
    declare({ c: thing("a"), b: thing("a-b"), n }, from("a", "c"));
    const { diagnostics } = await stack.plan("normal", { targets: ["memory_thing.n"] });
    expect(diagnostics[0]).toMatchObject({ code: "move_not_targeted" });
  });
});
