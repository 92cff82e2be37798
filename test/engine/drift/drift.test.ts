import { readFileSync } from "node:fs";
import { planRepair } from "../../../src/engine";
import { Stack, thing } from "../support/stack";

describe("drift", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = new Stack({
      resource: {
        memory_thing: { a: thing("a", { size: 1, tags: ["x"] }), b: thing("b-${memory_thing.a.id}") },
      },
    });
    await stack.apply();
  });
  afterEach(() => stack.remove());

  const found = async () =>
    (await stack.drift()).drifted.map(({ kind, change, attributes }) => [kind, change.address, attributes]);

  test("drift is empty right after an apply", async () => {
    const { objects, dependencies, ...report } = await stack.drift();
    expect(report).toEqual({ drifted: [], unchecked: [], scans: [], diagnostics: [] });
    expect(Object.fromEntries(dependencies!)).toEqual({
      "memory_thing.a": [],
      "memory_thing.b": ["memory_thing.a"],
    });
    expect(objects.map(({ address }) => address)).toEqual(["memory_thing.a", "memory_thing.b"]);
  });

  test("names exactly the declared attributes that changed", async () => {
    Object.assign(stack.provider.things.get("a")!, { size: 2, colour: "red", serial: 77 });
    expect(await found()).toEqual([["changed", "memory_thing.a", ["size"]]]);
  });

  test("includes a value that appeared where the declaration says null", async () => {
    stack.provider.things.get("b-a")!["size"] = 5;
    expect(await found()).toEqual([["changed", "memory_thing.b", ["size"]]]);
  });

  test("regression: drift was missed in objects declared at a new address", async () => {
    stack.declare({ resource: { memory_thing: { c: thing("a", { size: 1, tags: ["x"] }), d: thing("d") } } });
    expect((await stack.drift()).objects.map(({ address }) => address)).toEqual(["memory_thing.c"]);
    stack.provider.things.get("a")!["size"] = 7;
    expect(await found()).toEqual([["changed", "memory_thing.c", ["size"]]]);
    stack.provider.things.delete("a");
    expect(await found()).toEqual([["vanished", "memory_thing.c", []]]);
  });

  test("ignores an optional attribute that is not declared", async () => {
    stack.provider.things.get("a")!["colour"] = "red";
    expect(await found()).toEqual([]);
  });

  test.each([
    ["all", []],
    [["size"], ["tags"]],
    [["size", "tags"], []],
    [["colour"], ["size", "tags"]],
  ])("ignores what ignore_changes = %j names, as a plan does", async (ignored, attributes) => {
    const lifecycle = { ignore_changes: ignored };
    stack.declare({ resource: { memory_thing: { a: thing("a", { size: 1, tags: ["x"], lifecycle }) } } });
    Object.assign(stack.provider.things.get("a")!, { size: 2, tags: ["y"] });
    expect(await found()).toEqual(attributes.length > 0 ? [["changed", "memory_thing.a", attributes]] : []);
    stack.provider.things.delete("a");
    expect(await found()).toEqual([["vanished", "memory_thing.a", []]]);
  });

  test("drift is empty after a failed apply: the state holds what is live", async () => {
    stack.declare({
      resource: { memory_thing: { a: thing("a", { size: 9, tags: ["x"] }), b: thing("b-a"), c: thing("c") } },
    });
    stack.provider.failing.add("update a").add("create c");
    expect((await stack.apply()).diagnostics.length).toBeGreaterThan(0);
    expect(await found()).toEqual([]);
    stack.provider.things.get("a")!["size"] = 5;
    expect(await found()).toEqual([["changed", "memory_thing.a", ["size"]]]);
  });

  test("reports vanished objects", async () => {
    stack.provider.things.delete("a");
    expect(await found()).toEqual([["vanished", "memory_thing.a", []]]);
  });

  test("compares live objects with the state, not with changes that are not applied yet", async () => {
    stack.declare({ resource: { memory_thing: { a: thing("a", { size: 4, tags: ["x"] }) } } });
    expect(await found()).toEqual([]);
  });

  test("continues after an object that can't be read, and reports it", async () => {
    stack.provider.failing.add("read a");
    stack.provider.things.delete("b-a");
    const { drifted, diagnostics } = await stack.drift();
    expect(diagnostics.map(({ address }) => address)).toEqual(["memory_thing.a"]);
    expect(drifted.map(({ change }) => change.address)).toEqual(["memory_thing.b"]);
  });

  test("writes nothing", async () => {
    const before = readFileSync(stack.stateFile, "utf8");
    stack.provider.things.delete("a");
    await stack.drift();
    expect(readFileSync(stack.stateFile, "utf8")).toBe(before);
    expect(stack.provider.asked.filter((what) => /^(create|update|delete)/.test(what))).toHaveLength(2);
  });

  test("a repair does not write a drifted attribute that an ignore file suppresses", async () => {
    Object.assign(stack.provider.things.get("a")!, { size: 2, tags: ["y"] });
    const { drifted } = await stack.drift();
    const told = drifted.map((object) => ({ ...object, attributes: ["size"] }));
    const { plan, skipped } = planRepair(await stack.plan(), told);
    expect(plan.hasChanges).toBe(false);
    expect(skipped).toEqual([
      { address: "memory_thing.a", reason: expect.stringContaining("tags would change as well") },
    ]);
  });

  test("a drift report shows the declared value only if it differs from what was applied", async () => {
    Object.assign(stack.provider.things.get("a")!, { size: 2, tags: ["z"] });
    const declaredFor = async (more: object) => {
      stack.declare({ resource: { memory_thing: { a: thing("a", more) } } });
      return (await stack.drift()).drifted.map(({ declared }) => declared);
    };
    expect(await declaredFor({ size: 1, tags: ["x"] })).toEqual([{}]);
    expect(await declaredFor({ size: 3, tags: ["x"] })).toEqual([{ size: 3 }]);
    expect(await declaredFor({ size: 2 })).toEqual([{ size: 2, tags: null }]);
  });
});
