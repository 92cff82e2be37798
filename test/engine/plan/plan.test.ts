import { actions, Stack, thing } from "../support/stack";

describe("a plan", () => {
  let stack: Stack;
  beforeEach(() => {
    stack = new Stack({});
  });
  afterEach(() => stack.remove());

  const things = (declared: Record<string, object>, more: object = {}) =>
    stack.declare({ resource: { memory_thing: declared }, ...more });
  const change = async (address: string) =>
    (await stack.plan()).changes.find((one) => one.address === address)!;

  test("creates what is declared and does not exist; computed values are unknown", async () => {
    things({ a: thing("a", { size: 3 }) });
    const { action, before, after } = await change("memory_thing.a");
    expect(action).toBe("create");
    expect(before).toBeNull();
    expect(after).toMatchObject({ name: "a", size: 3, tags: null });
    expect(String(after!["id"])).toBe("(known after apply)");
    expect(String(after!["colour"])).toBe("(known after apply)");
  });

  test("a plan is empty after an apply", async () => {
    things({ a: thing("a", { tags: ["x", "y"] }), b: thing("${memory_thing.a.id}-b") });
    await stack.apply();
    const plan = await stack.plan();
    expect(actions(plan)).toEqual({});
    expect(plan.hasChanges).toBe(false);
  });

  test("passes unknown values on to what refers to them", async () => {
    things({ a: thing("a"), b: thing("b-${memory_thing.a.serial}") });
    const { after } = await change("memory_thing.b");
    expect(String(after!["name"])).toBe("(known after apply)");
    const { diagnostics } = await stack.apply();
    expect(diagnostics).toEqual([]);
    expect([...stack.provider.things.keys()]).toEqual(["a", "b-1"]);
  });

  test("updates in place, and replaces where the schema requires it", async () => {
    things({ a: thing("a"), b: thing("b") });
    await stack.apply();
    things({ a: thing("a", { size: 1 }), b: thing("other") });
    const plan = await stack.plan();
    expect(actions(plan)).toEqual({ "memory_thing.a": "update", "memory_thing.b": "delete-then-create" });
    expect(plan.changes.find(({ address }) => address === "memory_thing.b")!.replacePaths).toEqual([
      ["name"],
    ]);
    expect(plan.summary).toEqual({ add: 1, change: 1, remove: 1, import: 0, move: 0 });
  });

  test("deletes what is no longer declared", async () => {
    things({ a: thing("a"), b: thing("b") });
    await stack.apply();
    things({ a: thing("a") });
    const plan = await stack.plan();
    expect(actions(plan)).toEqual({ "memory_thing.b": "delete" });
    expect(plan.changes.find(({ action }) => action === "delete")!.reason).toBe(
      "delete_because_no_resource_config",
    );
  });

  test("reports manual changes and removals, and plans to undo them", async () => {
    things({ a: thing("a", { size: 1 }), b: thing("b") });
    await stack.apply();
    stack.provider.things.get("a")!["size"] = 9;
    stack.provider.things.delete("b");
    const plan = await stack.plan();
    expect(plan.drift.map(({ address, action }) => [address, action])).toEqual([
      ["memory_thing.a", "update"],
      ["memory_thing.b", "delete"],
    ]);
    expect(actions(plan)).toEqual({ "memory_thing.a": "update", "memory_thing.b": "create" });
  });

  test("ignores an optional setting that is not declared, and shows its live value", async () => {
    things({ a: thing("a") });
    await stack.apply();
    stack.provider.things.get("a")!["colour"] = "red";
    const plan = await stack.plan();
    expect(actions(plan)).toEqual({});
    expect(plan.changes[0]!.after!["colour"]).toBe("red");
  });

  test("ignores the order of a set's elements", async () => {
    things({ a: thing("a", { tags: ["x", "y", "z"] }) });
    await stack.apply();
    things({ a: thing("a", { tags: ["z", "x", "y"] }) });
    expect(actions(await stack.plan())).toEqual({});
  });

  test("a plan has one address per instance of count and for_each, and deletes surplus instances", async () => {
    things({
      n: { ...thing("n${count.index}"), count: 3 },
      e: { ...thing("${each.key}"), for_each: { x: 1, y: 2 } },
    });
    await stack.apply();
    things({
      n: { ...thing("n${count.index}"), count: 2 },
      e: { ...thing("${each.key}"), for_each: { x: 1, z: 2 } },
    });
    expect(actions(await stack.plan())).toEqual({
      'memory_thing.e["y"]': "delete",
      'memory_thing.e["z"]': "create",
      "memory_thing.n[2]": "delete",
    });
  });

  test("reads data sources, and defers a read whose argument is unknown", async () => {
    stack.declare({
      data: { memory_lookup: { early: { name: "x" }, late: { name: "${memory_thing.a.serial}" } } },
      resource: { memory_thing: { a: thing("a"), b: thing("${data.memory_lookup.early.found}") } },
    });
    const plan = await stack.plan();
    expect(stack.provider.asked).toEqual(["look x"]);
    expect(actions(plan)).toMatchObject({ "data.memory_lookup.late": "read" });
    expect(plan.changes.find(({ address }) => address === "memory_thing.b")!.after!["name"]).toBe("found x");
    expect((await stack.apply()).diagnostics).toEqual([]);
    expect(stack.provider.asked).toContain("look 1");
  });

  test("defers a read that depends_on a resource with planned changes", async () => {
    const configuration = {
      data: { memory_lookup: { after: { name: "x", depends_on: ["memory_thing.a"] } } },
      resource: { memory_thing: { a: thing("a") } },
    };
    stack.declare(configuration);
    const plan = await stack.plan();
    expect(plan.changes.find(({ mode }) => mode === "data")).toMatchObject({
      action: "read",
      reason: "read_because_dependency_pending",
    });
    await stack.apply();
    expect(actions(await stack.plan())).toEqual({});
  });

  test("includes changes of outputs and counts them", async () => {
    things({ a: thing("a") }, { output: { id: { value: "${memory_thing.a.id}" }, fixed: { value: "x" } } });
    const { outputs } = await stack.plan();
    expect(outputs.map(({ name, action }) => [name, action])).toEqual([
      ["fixed", "create"],
      ["id", "create"],
    ]);
    await stack.apply();
    things({ a: thing("a") }, { output: { fixed: { value: "y" } } });
    const plan = await stack.plan();
    expect(plan.outputs.map(({ name, action }) => [name, action])).toEqual([
      ["fixed", "update"],
      ["id", "delete"],
    ]);
    expect(plan.hasChanges).toBe(true);
  });

  test("covers only the targets and their dependencies", async () => {
    things({ a: thing("a"), b: thing("${memory_thing.a.id}b"), c: thing("c") });
    const plan = await stack.plan("normal", { targets: ["memory_thing.b"] });
    expect(actions(plan)).toEqual({ "memory_thing.a": "create", "memory_thing.b": "create" });
    await expect(stack.plan("normal", { targets: ["memory_thing.none"] })).rejects.toThrow(
      /memory_thing.none/,
    );
  });

  test("warns under --target that plan and apply may be incomplete", async () => {
    things({ a: thing("a"), b: thing("b") });
    const plan = await stack.plan("normal", { targets: ["memory_thing.b"] });
    expect(plan.diagnostics).toMatchObject([{ severity: "warning", code: "targeting_in_effect" }]);
    const { diagnostics } = await stack.apply("normal", { targets: ["memory_thing.b"] });
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "targeting_incomplete" }]);
    expect((await stack.plan()).diagnostics).toEqual([]);
  });

  describe("with --replace", () => {
    const asked = async (...replace: string[]) => {
      const plan = await stack.plan("normal", { replace });
      return { ...plan, told: plan.diagnostics.map(({ code, detail }) => `${code}: ${detail}`).join("\n") };
    };
    beforeEach(async () => {
      things({
        a: thing("a"),
        many: { ...thing("many-${count.index}"), count: 2 },
        keyed: { ...thing("keyed-${each.key}"), for_each: { x: 1 } },
      });
      await stack.apply();
    });

    test("replaces the instance without a message", async () => {
      const plan = await asked("memory_thing.many[1]");
      expect([actions(plan), plan.told]).toEqual([{ "memory_thing.many[1]": "delete-then-create" }, ""]);
    });

    test.each([
      ["memory_thing.many", /lacks the key .*'memory_thing\.many\[0\]', --replace 'memory_thing\.many\[1\]'/],
      ["memory_thing.keyed", /The only one is --replace 'memory_thing\.keyed\["x"\]'/],
      ["memory_thing.many[5]", /matches no instance/],
      ["memory_thing.none", /^replacement_unmet: .* names no object/],
    ])("warns that %s matches nothing, and continues", async (address, says) => {
      const plan = await asked(address);
      expect([plan.applicable, actions(plan)]).toEqual([true, {}]);
      expect(plan.told).toMatch(says);
    });

    test.each(["foo", "data.memory_lookup.x", "module.one"])(
      "rejects %s, which is not an object",
      async (one) => {
        const plan = await asked(one);
        expect([plan.applicable, plan.told]).toEqual([
          false,
          expect.stringMatching(/^invalid_replacement: /),
        ]);
      },
    );

    test("warns about a target whose key no instance has", async () => {
      const { diagnostics } = await stack.plan("normal", { targets: ["memory_thing.many[5]"] });
      expect(diagnostics.map(({ code }) => code)).toEqual(["target_unmet", "targeting_in_effect"]);
    });

    test("regression: an instance that could not be planned was reported as missing", async () => {
      stack.provider.failing.add("read a");
      expect((await asked("memory_thing.a")).told).toMatch(/^forbidden: /);
    });
  });

  test("hides values that the schema or a variable marks as sensitive", async () => {
    stack.declare({
      variable: { key: { sensitive: true } },
      resource: { memory_thing: { a: thing("a", { secret: "s", tags: ["${var.key}"] }) } },
    });
    const variables = { key: { from: "text", text: "k", origin: "--var" } } as const;
    const plan = await stack.plan("normal", { variables });
    expect(plan.changes[0]!.afterSensitive).toEqual(expect.arrayContaining([["secret"], ["tags"]]));
  });

  test("takes a variable's text literally without a type, and as an expression for `any`", async () => {
    stack.declare({
      variable: { untyped: {}, any: { type: "any" } },
      output: { untyped: { value: "${var.untyped}" }, any: { value: "${var.any}" } },
    });
    const given = { from: "text", text: '{"a":[1]}', origin: "TF_VAR_…" } as const;
    const { outputs } = await stack.plan("normal", { variables: { untyped: given, any: given } });
    expect(outputs.map(({ name, after }) => [name, after])).toEqual([
      ["any", { a: [1] }],
      ["untyped", '{"a":[1]}'],
    ]);
  });

  test("continues with all other objects if one can't be read, and applies them", async () => {
    things({ a: thing("a"), b: thing("b"), c: thing("c-${memory_thing.a.id}") });
    await stack.apply();
    things({
      a: thing("a", { size: 1 }),
      b: thing("b", { size: 1 }),
      c: thing("c-${memory_thing.a.id}", { size: 1 }),
    });
    stack.provider.failing.add("read a");
    const plan = await stack.plan();
    expect(plan.applicable).toBe(true);
    expect(plan.diagnostics.map(({ address, code }) => [address, code])).toEqual([
      ["memory_thing.a", "forbidden"],
    ]);
    expect(actions(plan)).toEqual({ "memory_thing.b": "update" });
  });
});

describe("the plan of a destroy", () => {
  test("deletes everything that exists, and nothing that is already gone", async () => {
    const stack = new Stack({ resource: { memory_thing: { a: thing("a"), b: thing("b") } } });
    await stack.apply();
    stack.provider.things.delete("b");
    expect(actions(await stack.plan("destroy"))).toEqual({ "memory_thing.a": "delete" });
    stack.remove();
  });
});

describe("a refresh-only plan", () => {
  test("updates the state from the service and changes nothing", async () => {
    const stack = new Stack({ resource: { memory_thing: { a: thing("a", { size: 1 }) } } });
    await stack.apply();
    stack.provider.things.get("a")!["size"] = 9;
    const plan = await stack.plan("refresh-only");
    expect(plan.hasChanges).toBe(true);
    expect(actions(plan)).toEqual({});
    await stack.apply("refresh-only");
    expect((await stack.state())!.resources[0]!.instances[0]!.attributes["size"]).toBe(9);
    expect(stack.provider.things.get("a")!["size"]).toBe(9);
    stack.remove();
  });
});
