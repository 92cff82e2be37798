import { actions, Stack, thing } from "../support/stack";

describe("a lifecycle block", () => {
  let stack: Stack;
  beforeEach(() => {
    stack = new Stack({});
  });
  afterEach(() => stack.remove());

  const things = (declared: Record<string, object>, more: object = {}) =>
    stack.declare({ resource: { memory_thing: declared }, ...more });
  const lifecycle = (block: object) => ({ lifecycle: block });

  describe("prevent_destroy", () => {
    const kept = (name: string, more: object = {}) =>
      thing(name, { ...lifecycle({ prevent_destroy: true }), ...more });

    test.each([
      ["a replacement", { a: kept("other") }, "normal", "memory_thing.a"],
      ["a destroy", { a: kept("a") }, "destroy", "memory_thing.a"],
      [
        "fewer instances",
        { a: kept("a"), n: kept("n${count.index}", { count: 1 }) },
        "normal",
        "memory_thing.n[1]",
      ],
    ] as const)(
      "rejects %s, names the instance and sends nothing",
      async (_what, declared, mode, address) => {
        things({ a: kept("a"), n: kept("n${count.index}", { count: 2 }) });
        await stack.apply();
        things({ n: kept("n${count.index}", { count: 2 }), ...declared });
        const plan = await stack.plan(mode);
        expect(plan.applicable).toBe(false);
        expect(plan.diagnostics).toContainEqual(
          expect.objectContaining({
            code: "destroy_prevented",
            address,
            attribute: ["lifecycle", "prevent_destroy"],
          }),
        );
        expect(stack.provider.things.size).toBe(3);
      },
    );

    test("ends with the declaration", async () => {
      things({ a: kept("a"), b: thing("b") });
      await stack.apply();
      things({ b: thing("b") });
      expect(actions(await stack.plan())).toEqual({ "memory_thing.a": "delete" });
    });
  });

  describe("ignore_changes", () => {
    test("keeps the named attributes and plans all others", async () => {
      const ignoring = lifecycle({ ignore_changes: ["size", "tags"] });
      things({ a: thing("a", { size: 1, tags: ["x"], ...ignoring }) });
      await stack.apply();
      things({ a: thing("a", { size: 2, tags: ["y"], colour: "red", ...ignoring }) });
      const { changes } = await stack.plan();
      expect(changes[0]).toMatchObject({ action: "update", after: { size: 1, tags: ["x"], colour: "red" } });
    });

    test('keeps all attributes with "all"', async () => {
      things({ a: thing("a", { size: 1 }) });
      await stack.apply();
      things({ a: thing("b", { size: 2, ...lifecycle({ ignore_changes: "all" }) }) });
      expect(actions(await stack.plan())).toEqual({});
    });

    test.each([
      ["nope", "invalid_lifecycle", /no attribute "nope"/],
      ["tags[0]", "invalid_lifecycle", /set/],
    ])("rejects %s", async (name, code, detail) => {
      things({ a: thing("a", lifecycle({ ignore_changes: [name] })) });
      const found = await stack.validate();
      expect(found).toMatchObject([{ code, detail: expect.stringMatching(detail) as string }]);
    });

    test("supports paths into values of any type", async () => {
      const keeping = (input: object, ignored: string[]) =>
        stack.declare({
          resource: { terraform_data: { a: { input, ...lifecycle({ ignore_changes: ignored }) } } },
        });
      keeping({ x: { y: 1 }, z: [1, 2] }, []);
      await stack.apply();
      keeping({ x: { y: 2 }, z: [1, 3] }, ["input.x.y", "input.z[1]"]);
      expect(actions(await stack.plan())).toEqual({});
    });
  });

  describe("replace_triggered_by", () => {
    test("replaces an instance when what it names changes, and gives the reason", async () => {
      things({ a: thing("a"), b: thing("b", lifecycle({ replace_triggered_by: ["memory_thing.a.size"] })) });
      await stack.apply();
      things({
        a: thing("a", { size: 2 }),
        b: thing("b", lifecycle({ replace_triggered_by: ["memory_thing.a.size"] })),
        c: thing("c", lifecycle({ replace_triggered_by: ["memory_thing.a.colour"] })),
      });
      const { changes } = await stack.plan();
      expect(changes.map(({ address, action, reason }) => [address, action, reason])).toEqual([
        ["memory_thing.a", "update", undefined],
        ["memory_thing.b", "delete-then-create", "replace_by_triggers"],
        ["memory_thing.c", "create", undefined],
      ]);
    });

    test("selects the instance by count.index or each.key", async () => {
      const declared = (size: number) => ({
        n: thing("n${count.index}", { count: 2, size: `\${count.index == 1 ? ${size} : 0}` }),
        m: thing("m${count.index}", {
          count: 2,
          ...lifecycle({ replace_triggered_by: ["memory_thing.n[count.index]"] }),
        }),
      });
      things(declared(1));
      await stack.apply();
      things(declared(2));
      expect(actions(await stack.plan())).toEqual({
        "memory_thing.m[1]": "delete-then-create",
        "memory_thing.n[1]": "update",
      });
    });

    test.each(["local.x", "data.memory_lookup.d", "memory_thing.n[local.x]"])(
      "rejects %s",
      async (reference) => {
        stack.declare({
          locals: { x: 0 },
          data: { memory_lookup: { d: { name: "d" } } },
          resource: {
            memory_thing: {
              n: thing("n${count.index}", { count: 1 }),
              a: thing("a", lifecycle({ replace_triggered_by: [reference] })),
            },
          },
        });
        expect(await stack.validate()).toMatchObject([
          { code: "invalid_lifecycle", address: "memory_thing.a" },
        ]);
      },
    );
  });

  test("--replace replaces an instance", async () => {
    things({ a: thing("a"), b: thing("b") });
    await stack.apply();
    const { changes } = await stack.plan("normal", { replace: ["memory_thing.a"] });
    expect(changes.map(({ action, reason }) => [action, reason])).toEqual([
      ["delete-then-create", "replace_by_request"],
      ["no-op", undefined],
    ]);
  });
});
