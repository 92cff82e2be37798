import { readFileSync, writeFileSync } from "node:fs";
import { actions, Stack, thing } from "../support/stack";

const declared = (things: Readonly<Record<string, object>>, more: object = {}) => ({
  resource: { memory_thing: things },
  ...more,
});

describe("an object whose declaration moves to another address", () => {
  let stack: Stack;
  beforeEach(() => (stack = new Stack({})));
  afterEach(() => stack.remove());

  /** Writes to the service since the last call. */
  const writes = () => {
    const asked = stack.provider.asked.filter((one) => /^(create|update|delete) /.test(one));
    stack.provider.asked.length = 0;
    return asked;
  };
  const apply = async (configuration: object) => {
    stack.declare(configuration);
    const result = await stack.apply();
    expect(result.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    return result;
  };
  const addresses = async () =>
    (await stack.state())!.resources.flatMap(({ name, instances }) =>
      instances.map(({ indexKey, attributes }) =>
        [indexKey === undefined ? name : `${name}[${indexKey}]`, attributes["name"]].join(" "),
      ),
    );
  const list = (names: readonly string[], more: object = {}) =>
    declared({ a: thing(`\${${JSON.stringify(names)}[count.index]}`, { count: names.length, ...more }) });

  test("regression: it was deleted and created again when its declaration was renamed", async () => {
    await apply(declared({ a: thing("one", { size: 1 }) }));
    writes();
    stack.declare(declared({ b: thing("one", { size: 1 }) }));
    const plan = await stack.plan();
    expect(plan.diagnostics).toEqual([]);
    expect(plan.changes).toMatchObject([
      { address: "memory_thing.b", previousAddress: "memory_thing.a", action: "no-op" },
    ]);
    expect(plan.summary).toEqual({ add: 0, change: 0, remove: 0, import: 0, move: 1 });
    expect(plan.hasChanges).toBe(true);
    const { done } = await apply(declared({ b: thing("one", { size: 1 }) }));
    expect(done).toMatchObject({ add: 0, remove: 0, move: 1 });
    expect(writes()).toEqual([]);
    expect(await addresses()).toEqual(["b one"]);
    expect((await stack.plan()).hasChanges).toBe(false);
  });

  test("a moved object is updated in place at its new address", async () => {
    await apply(declared({ a: thing("one", { size: 1 }) }));
    writes();
    stack.declare(declared({ b: thing("one", { size: 2 }) }));
    const [change] = (await stack.plan()).changes;
    expect(change).toMatchObject({ previousAddress: "memory_thing.a", action: "update" });
    await apply(declared({ b: thing("one", { size: 2 }) }));
    expect(writes()).toEqual(["update one"]);
  });

  test("a moved object is read once, as without the rename", async () => {
    await apply(declared({ a: thing("one"), c: thing("three") }));
    stack.provider.asked.length = 0;
    stack.declare(declared({ b: thing("one"), c: thing("three") }));
    await stack.plan();
    expect(stack.provider.asked.sort()).toEqual(["read one", "read three"]);
  });

  test("shifts to a lower index when the first element of a list is removed", async () => {
    await apply(list(["one", "two", "three"]));
    writes();
    stack.declare(list(["two", "three"]));
    const plan = await stack.plan();
    expect(actions(plan)).toEqual({ "memory_thing.a[2]": "delete" });
    expect(plan.summary).toMatchObject({ move: 2, remove: 1, add: 0 });
    await apply(list(["two", "three"]));
    expect(writes()).toEqual(["delete one"]);
    expect(await addresses()).toEqual(["a[0] two", "a[1] three"]);
  });

  test("shifts to a higher index when an element is inserted, and one object is created", async () => {
    await apply(list(["two", "three"]));
    writes();
    await apply(list(["one", "two", "three"]));
    expect(writes()).toEqual(["create one"]);
    expect(await addresses()).toEqual(["a[0] one", "a[1] two", "a[2] three"]);
    expect((await stack.plan()).hasChanges).toBe(false);
  });

  test("swaps addresses with another object without a write", async () => {
    await apply(declared({ a: thing("one"), b: thing("two") }));
    writes();
    const result = await apply(declared({ a: thing("two"), b: thing("one") }));
    expect(result.done.move).toBe(2);
    expect(writes()).toEqual([]);
    expect((await addresses()).sort()).toEqual(["a two", "b one"]);
  });

  test("moves together with the changes of its dependents", async () => {
    const pair = (name: string) =>
      declared({ [name]: thing("one"), z: thing("last", { colour: `\${memory_thing.${name}.colour}` }) });
    await apply(pair("a"));
    writes();
    await apply(pair("b"));
    expect(writes()).toEqual([]);
    expect((await stack.plan()).hasChanges).toBe(false);
  });

  test("leaves its address to a new object, and that address's former object is deleted", async () => {
    await apply(list(["one", "two"]));
    writes();
    stack.declare(list(["two", "three"]));
    expect(actions(await stack.plan())).toEqual({ "memory_thing.a[1]": "delete-then-create" });
    await apply(list(["two", "three"]));
    expect(writes()).toEqual(["delete one", "create three"]);
  });

  test("moves even with prevent_destroy", async () => {
    const lifecycle = { prevent_destroy: true };
    await apply(list(["one", "two", "three"], { lifecycle }));
    writes();
    stack.declare(list(["one", "three"], { lifecycle }));
    const { diagnostics } = await stack.plan();
    expect(diagnostics.map(({ code, address }) => [code, address])).toEqual([
      ["destroy_prevented", "memory_thing.a[2]"],
    ]);
    const swapped = list(["three", "one", "two"], { lifecycle });
    await apply(swapped);
    expect(writes()).toEqual([]);
  });

  test("moves when an import block names it", async () => {
    await apply(declared({ a: thing("one") }));
    writes();
    const result = await apply(
      declared({ b: thing("one") }, { import: [{ to: "memory_thing.b", id: "one" }] }),
    );
    expect(result.done).toMatchObject({ import: 0, move: 1 });
    expect(stack.provider.asked).toEqual(["read one"]);
  });

  test("an object can't be imported while its own declaration stays", async () => {
    await apply(declared({ a: thing("one") }));
    stack.declare(
      declared({ a: thing("one"), b: thing("one") }, { import: [{ to: "memory_thing.b", id: "one" }] }),
    );
    const { diagnostics } = await stack.plan();
    expect(diagnostics).toMatchObject([
      {
        code: "import_already_managed",
        action: { kind: "move", from: "memory_thing.a", to: "memory_thing.b" },
      },
    ]);
  });

  test("stays forgotten if a removed block names it", async () => {
    await apply(declared({ a: thing("one") }));
    writes();
    await apply({
      ...declared({ b: thing("one") }),
      removed: [{ from: "memory_thing.a", lifecycle: { destroy: false } }],
    });
    expect(writes()).toEqual(["create one"]);
  });

  test("follows a moved block even if other declarations match", async () => {
    await apply(declared({ a: thing("one"), c: thing("one") }));
    writes();
    await apply({
      ...declared({ b: thing("one") }),
      moved: [{ from: "memory_thing.c", to: "memory_thing.b" }],
    });
    expect(writes()).toEqual([]);
    expect(await addresses()).toEqual(["b one"]);
  });

  test("an object is not moved if several addresses held it", async () => {
    await apply(declared({ a: thing("one"), c: thing("one") }));
    stack.declare(declared({ b: thing("one") }));
    const plan = await stack.plan();
    expect(plan.applicable).toBe(false);
    // The message says that nothing was planned for it.
    expect(plan.changes).toEqual([]);
    expect(plan.diagnostics).toMatchObject([
      {
        code: "move_ambiguous",
        action: { kind: "moved", from: "memory_thing.a", to: "memory_thing.b" },
      },
    ]);
  });

  test.each([
    [["memory_thing.b"], "memory_thing.a"],
    [["memory_thing.a"], "memory_thing.b"],
  ])("an object is not moved partially with only %j as the target", async (targets, other) => {
    await apply(declared({ a: thing("one"), z: thing("last") }));
    stack.declare(declared({ b: thing("one"), z: thing("last") }));
    const { diagnostics } = await stack.plan("normal", { targets });
    expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "move_not_targeted", detail: expect.stringContaining(`--target '${other}'`) },
    ]);
    const both = await stack.plan("normal", { targets: ["memory_thing.a", "memory_thing.b"] });
    expect(both.applicable).toBe(true);
    expect(both.summary.move).toBe(1);
  });

  test("regression: it was deleted under --target although an instance outside of the targets declares it", async () => {
    await apply(list(["one", "two", "three"]));
    stack.declare(list(["two", "three"]));
    const refused = await stack.plan("normal", { targets: ["memory_thing.a[2]"] });
    expect(refused.applicable).toBe(false);
    expect(refused.diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "move_not_targeted", address: "memory_thing.a[1]" },
    ]);
    stack.declare(declared({ b: thing("${each.key}", { for_each: { three: 1, four: 2 } }) }));
    const other = await stack.plan("normal", { targets: ["memory_thing.a", 'memory_thing.b["four"]'] });
    expect(other.diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "move_not_targeted", address: 'memory_thing.b["three"]' },
    ]);
    stack.declare({
      resource: {
        memory_thing: { ...list(["one", "two", "five"]).resource.memory_thing, b: thing("three") },
      },
    });
    const half = await stack.plan("normal", { targets: ["memory_thing.a"] });
    expect(half.diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
      { code: "move_not_targeted", address: "memory_thing.b" },
    ]);
  });

  test.each(["crashing", "crashingAfter"] as const)(
    "survives a run that ends halfway (%s), and the next run completes the move",
    async (when) => {
      const sized = (names: readonly string[], size: number) => list(names, { size });
      for (const what of ["delete one", "update two", "update three"]) {
        await apply(sized(["one", "two", "three"], 1));
        stack.declare(sized(["two", "three"], 2));
        stack.provider[when].add(what);
        await stack.apply();
        stack.provider[when].clear();
        const held = await addresses();
        expect(held).toEqual(expect.arrayContaining(["a[0] two", "a[1] three"]));
        writes();
        await apply(sized(["two", "three"], 2));
        expect(writes()).toEqual(when === "crashing" ? [what] : []);
        expect([...stack.provider.things.keys()].sort()).toEqual(["three", "two"]);
        expect(await addresses()).toEqual(["a[0] two", "a[1] three"]);
        await apply({});
      }
    },
  );

  test("a moved object is found if the key of its new declaration comes from an object that has moved too", async () => {
    const named = (first: string, second: string) =>
      declared({ [first]: thing("one"), [second]: thing(`\${memory_thing.${first}.name}-child`) });
    await apply(named("a", "b"));
    writes();
    stack.declare(named("c", "d"));
    expect((await stack.plan()).summary).toMatchObject({ move: 2, add: 0, remove: 0 });
    await apply(named("c", "d"));
    expect(writes()).toEqual([]);
  });

  test("a moved object is distinguished from others of its type, and a new object is created beside it", async () => {
    await apply(declared({ a: thing("one"), b: thing("two") }));
    writes();
    await apply(declared({ c: thing("two"), d: thing("three") }));
    expect(writes().sort()).toEqual(["create three", "delete one"]);
    expect((await addresses()).sort()).toEqual(["c two", "d three"]);
  });

  test("a move does not stop other changes with --fail-fast", async () => {
    await apply(declared({ a: thing("one"), z: thing("last", { colour: "${memory_thing.a.colour}" }) }));
    stack.declare(declared({ b: thing("one"), z: thing("last", { colour: "${memory_thing.b.colour}" }) }));
    const plan = await stack.plan("normal", { failFast: true });
    expect(plan.diagnostics).toEqual([]);
    expect(plan.changes.map(({ address }) => address)).toEqual(["memory_thing.b", "memory_thing.z"]);
  });

  test("regression: it was deleted although its new declaration could not be planned", async () => {
    const data = { memory_lookup: { who: { name: "x" } } };
    const colour = "${data.memory_lookup.who.found}";
    await apply(declared({ a: thing("one"), gone: thing("two") }, { data }));
    writes();
    const renamed = declared({ b: thing("one", { colour }) }, { data });
    stack.declare(renamed);
    stack.provider.failing.add("look x");
    const plan = await stack.plan();
    expect(plan.applicable).toBe(true);
    expect(actions(plan)).toEqual({});
    expect(plan.diagnostics).toMatchObject([
      { severity: "error", code: "forbidden" },
      { severity: "warning", code: "ends_held_back", detail: expect.stringContaining("memory_thing.b") },
    ]);
    await stack.apply();
    expect(writes()).toEqual([]);
    stack.provider.failing.clear();
    await apply(renamed);
    expect(writes().sort()).toEqual(["delete two", "update one"]);
  });

  test("a destroy deletes an object whose rename was not applied", async () => {
    await apply(declared({ a: thing("one") }));
    writes();
    stack.declare(declared({ b: thing("one") }));
    await stack.apply("destroy");
    expect(writes()).toEqual(["delete one"]);
  });

  describe("that another address holds as well", () => {
    const both = async () => {
      await apply(declared({ a: thing("one"), b: thing("two") }));
      const state = JSON.parse(readFileSync(stack.stateFile, "utf8"));
      const [a, b] = state.resources;
      b.instances[0].attributes = a.instances[0].attributes;
      writeFileSync(stack.stateFile, JSON.stringify(state));
      stack.provider.things.delete("two");
      writes();
    };
    const kept = { code: "still_declared", severity: "warning", address: "memory_thing.a" };

    test("regression: it was deleted although it stays declared at the other address", async () => {
      await both();
      stack.declare(declared({ b: thing("one") }));
      const plan = await stack.plan();
      expect(plan.diagnostics).toMatchObject([kept]);
      expect(actions(plan)).toEqual({ "memory_thing.a": "forget" });
      expect(plan.summary).toMatchObject({ remove: 0, move: 0 });
      await apply(declared({ b: thing("one") }));
      expect(writes()).toEqual([]);
      expect(await addresses()).toEqual(["b one"]);
      expect((await stack.plan()).hasChanges).toBe(false);
    });

    test("stays for the other address under --target and in a destroy of one address", async () => {
      await both();
      stack.declare(declared({ b: thing("one") }));
      for (const mode of ["normal", "destroy"] as const)
        expect(actions(await stack.plan(mode, { targets: ["memory_thing.a"] }))).toEqual({
          "memory_thing.a": "forget",
        });
      await stack.apply("normal", { targets: ["memory_thing.a"] });
      expect(writes()).toEqual([]);
      expect(await addresses()).toEqual(["b one"]);
      await stack.apply("destroy");
      expect(writes()).toEqual(["delete one"]);
    });
  });

  test("a moved object is dropped without a request if it was left deposed", async () => {
    await apply(declared({ a: thing("one") }));
    const state = JSON.parse(readFileSync(stack.stateFile, "utf8"));
    const [{ instances }] = state.resources;
    instances.push({ ...instances[0], deposed: "00000001" });
    writeFileSync(stack.stateFile, JSON.stringify(state));
    writes();
    expect((await stack.plan()).diagnostics).toMatchObject([{ code: "still_declared" }]);
    await apply(declared({ a: thing("one") }));
    expect(writes()).toEqual([]);
    expect(await addresses()).toEqual(["a one"]);
  });

  test("an object is deleted after the create of a declaration that may mean it", async () => {
    const late = (name: string) => ({
      resource: {
        memory_thing: { z: thing("two"), [name]: thing(name === "a" ? "one" : "${terraform_data.t.output}") },
        terraform_data: { t: { input: name === "a" ? "none" : "one" } },
      },
    });
    await apply(late("a"));
    writes();
    stack.declare(late("b"));
    expect(actions(await stack.plan())).toMatchObject({
      "memory_thing.a": "delete",
      "memory_thing.b": "create",
    });
    await apply(late("b"));
    // The provider compares the last request with what was created before it.
    expect(writes()).toEqual(["create one", "delete one"]);
  });
});
