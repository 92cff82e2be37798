import { planJson, readRecord } from "../../../src/engine";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { applySaved, planIn, planText } from "../support/saved-plan";
import { actions, Stack, thing } from "../support/stack";

describe("import blocks", () => {
  let stack: Stack;
  beforeEach(async () => {
    stack = new Stack({
      resource: { memory_thing: { x: thing("x"), y: thing("y"), z: thing("z", { size: 3 }) } },
    });
    await stack.apply();
    const { things } = stack.provider;
    const made = new Map(things);
    stack.declare({});
    await stack.apply();
    for (const [id, live] of made) things.set(id, live);
    stack.provider.asked.length = 0;
  });
  afterEach(() => stack.remove());

  const declare = (blocks: object | readonly object[], things: object, more: object = {}) =>
    stack.declare({ resource: { memory_thing: things }, import: blocks, ...more });
  const imported = ({ changes }: Awaited<ReturnType<Stack["plan"]>>) =>
    Object.fromEntries(
      changes
        .filter(({ importing }) => importing !== undefined)
        .map(({ address, action, importing }) => [address, `${action} ${importing!.id}`]),
    );

  test("import a live object, unchanged or with declared changes", async () => {
    declare(
      [
        { to: "memory_thing.a", id: "x" },
        { to: "memory_thing.b", id: "z" },
      ],
      { a: thing("x"), b: thing("z", { size: 4 }) },
    );
    const plan = await stack.plan();
    expect(imported(plan)).toEqual({ "memory_thing.a": "no-op x", "memory_thing.b": "update z" });
    expect([plan.summary, plan.hasChanges]).toEqual([
      { add: 0, change: 1, remove: 0, import: 2, move: 0 },
      true,
    ]);
    const { done, diagnostics } = await stack.apply();
    expect([done, diagnostics]).toEqual([{ add: 0, change: 1, remove: 0, import: 2, move: 0 }, []]);
    expect(stack.provider.things.get("z")!["size"]).toBe(4);
    const again = await stack.plan();
    expect([imported(again), again.hasChanges]).toEqual([{}, false]);
  });

  test("name one instance, or several by for_each, from values that are known at plan time", async () => {
    declare(
      [
        { for_each: "${local.ids}", to: "memory_thing.e[each.key]", id: "${each.value}" },
        { to: "memory_thing.n[1]", id: "${data.memory_lookup.who.name}" },
      ],
      {
        e: { ...thing("${each.key}"), for_each: "${local.ids}" },
        n: { ...thing('${count.index == 1 ? "z" : "new"}', { size: 3 }), count: 2 },
      },
      { locals: { ids: { x: "x", y: "y" } }, data: { memory_lookup: { who: { name: "z" } } } },
    );
    const plan = await stack.plan();
    expect(plan.diagnostics).toEqual([]);
    expect(imported(plan)).toEqual({
      'memory_thing.e["x"]': "no-op x",
      'memory_thing.e["y"]': "no-op y",
      "memory_thing.n[1]": "no-op z",
    });
    expect(actions(plan)).toEqual({ "memory_thing.n[0]": "create" });
  });

  test("name objects by their identity, which may come from for_each", async () => {
    declare(
      [
        { to: "memory_thing.a", identity: { name: "${local.names.a}", shelf: null } },
        {
          for_each: '${{ y = { name = "y", shelf = "1" }, z = { name = "z" } }}',
          to: "memory_thing.e[each.key]",
          identity: "${each.value}",
        },
      ],
      {
        a: thing("x"),
        e: {
          ...thing("${each.key}", { size: '${each.key == "z" ? 3 : null}' }),
          for_each: '${toset(["y", "z"])}',
        },
      },
      { locals: { names: { a: "x" } } },
    );
    const plan = await stack.plan();
    expect(plan.diagnostics).toEqual([]);
    expect(plan.changes.map(({ address, importing }) => [address, importing])).toEqual([
      ["memory_thing.a", { id: "x", identity: { name: "x", shelf: null } }],
      ['memory_thing.e["y"]', { id: "y", identity: { name: "y", shelf: 1 } }],
      ['memory_thing.e["z"]', { id: "z", identity: { name: "z", shelf: null } }],
    ]);
    expect(actions(plan)).toEqual({});
    const { resource_changes: changes } = planJson(plan, () => undefined) as { resource_changes: object[] };
    expect(changes[0]).toMatchObject({ change: { importing: { identity: { name: "x" } } } });
    const context = stack.context();
    const saved = planIn(await planText(context, plan));
    expect(readRecord(saved.record, context.providers).changes[1]!.importing).toEqual(
      plan.changes[1]!.importing,
    );
    const applied = await applySaved(saved, context, new LocalBackend(stack.stateFile));
    expect([applied.refused, applied.result!.done.import]).toEqual([[], 3]);
    expect((await stack.plan()).hasChanges).toBe(false);
  });

  test.each([
    [{}, "Its identity has no name."],
    [{ names: "x" }, 'Its identity has no attribute "names". Did you mean "name"?'],
    [{ name: ["x"] }, "Its identity.name is invalid: "],
    [{ name: "x", shelf: "top" }, "Its identity.shelf is invalid: "],
    ["x", "Its identity is not an object with name and shelf."],
    ["${null}", "Its identity is null."],
    ["${{ name = memory_thing.b.serial }}", "Its identity is known after apply only"],
    [{ name: "${memory_thing.a.name}" }, "Its identity refers to the resource that is to be imported."],
  ])("import blocks are rejected with the identity %j", async (identity, detail) => {
    declare([{ to: "memory_thing.a", identity }], { a: thing("x"), b: thing("new") });
    const { diagnostics } = await stack.plan();
    expect(diagnostics.map(({ code }) => code)).toContain("import_block_invalid");
    expect(diagnostics.map((one) => one.detail).join("\n")).toContain(detail);
    expect(stack.provider.asked).not.toContain("import x");
  });

  test.each([
    [{ id: "${null}" }, "Its id is null."],
    [{ id: ["x"] }, "Its id is not a string."],
    [{ id: "x", for_each: 3 }, "Its for_each is not a map, set or list."],
    [{ id: "x", to: "memory_thing.a[0]" }, "memory_thing.a has neither count nor for_each"],
    [{ identity: { name: "${var.v}", names: "x" } }, 'Its identity has no attribute "names"'],
    [{ identity: { shelf: 1 } }, "Its identity has no name."],
    [{ for_each: "${var.v}", identity: { name: ["${each.key}"] } }, "Its identity.name is invalid: "],
    [{ id: "${upper()}" }, 'The function "upper" takes 1 argument(s)'],
  ])("import blocks are rejected at validate with %j", (block, detail) => {
    declare({ to: "memory_thing.a", ...block }, { a: thing("x") }, { variable: { v: {} } });
    expect(stack.validate()).toMatchObject([{ detail: expect.stringContaining(detail) }]);
    declare({ to: "memory_thing.a", identity: "${var.v}" }, { a: thing("x") }, { variable: { v: {} } });
    expect(stack.validate()).toEqual([]);
  });

  test("import blocks are rejected with an identity for a type that has none", async () => {
    stack.declare({
      resource: { terraform_data: { a: { input: 1 } } },
      import: { to: "terraform_data.a", identity: { name: "x" } },
    });
    expect((await stack.plan()).diagnostics).toMatchObject([
      { code: "import_block_invalid", detail: expect.stringContaining("A terraform_data has no identity") },
    ]);
  });

  test("report an import that requires a replacement, and replace the object", async () => {
    declare({ to: "memory_thing.a", id: "x" }, { a: thing("other") });
    expect(imported(await stack.plan())).toEqual({ "memory_thing.a": "delete-then-create x" });
    await stack.apply();
    expect(stack.provider.things.has("x")).toBe(false);
  });

  test("keep the imported object if its update fails", async () => {
    declare({ to: "memory_thing.a", id: "z" }, { a: thing("z", { size: 9 }) });
    stack.provider.failing.add("update z");
    await stack.apply();
    expect((await stack.state())!.resources[0]!.instances[0]!.attributes["size"]).toBe(3);
  });

  test("import blocks have no effect in a destroy, a refresh-only plan or outside of the targets", async () => {
    declare({ to: "memory_thing.a", id: "x" }, { a: thing("x"), b: thing("b") });
    for (const mode of ["destroy", "refresh-only"] as const)
      expect((await stack.plan(mode)).changes).toEqual([]);
    expect(actions(await stack.plan("normal", { targets: ["memory_thing.b"] }))).toEqual({
      "memory_thing.b": "create",
    });
    expect(stack.provider.asked).toEqual([]);
  });

  test("report an object that the service does not have", async () => {
    declare({ to: "memory_thing.a", id: "none" }, { a: thing("x"), b: thing("b") });
    const { diagnostics, changes } = await stack.plan();
    expect(diagnostics).toMatchObject([{ code: "forbidden", address: "memory_thing.a" }]);
    expect(changes.map(({ address }) => address)).toEqual(["memory_thing.b"]);
  });

  const own = { a: thing("x"), n: { ...thing("n"), count: 1 }, other: thing("other") };
  test.each([
    [
      "a target that nothing declares",
      { to: "memory_thing.none", id: "x" },
      "import_not_declared",
      /no memory_thing.none/,
    ],
    [
      "a key where there are no instances",
      { to: "memory_thing.a[0]", id: "x" },
      "import_block_invalid",
      /neither count/,
    ],
    [
      "no key where there are instances",
      { to: "memory_thing.n", id: "x" },
      "import_block_invalid",
      /with its key/,
    ],
    [
      "an instance that is not there",
      { to: "memory_thing.n[4]", id: "x" },
      "import_block_invalid",
      /no instance memory_thing.n\[4\]/,
    ],
    ["an empty id", { to: "memory_thing.a", id: "" }, "import_block_invalid", /empty string/],
    ["no id", { to: "memory_thing.a", id: null }, "import_block_invalid", /null/],
    [
      "an id that is not known yet",
      { to: "memory_thing.a", id: "${memory_thing.other.id}" },
      "import_block_invalid",
      /after apply/,
    ],
    [
      "an id of its own",
      { to: "memory_thing.a", id: "${memory_thing.a.id}" },
      "import_block_invalid",
      /refers to the resource/,
    ],
  ])("with %s are rejected", async (_what, block, code, why) => {
    declare(block, own);
    const { applicable, diagnostics } = await stack.plan();
    expect(applicable).toBe(false);
    expect(diagnostics[0]).toMatchObject({ code, detail: expect.stringMatching(why) as string });
    expect(stack.provider.asked).toEqual([]);
  });

  test("import blocks are rejected if two have the same target", async () => {
    const block = { to: "memory_thing.a", id: "x" };
    declare([block, { ...block, id: "y" }], own);
    expect((await stack.plan()).diagnostics).toMatchObject([{ code: "import_block_invalid" }]);
  });
});
