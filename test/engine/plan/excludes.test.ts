import fc from "fast-check";
import { actions, Stack, thing } from "../support/stack";

describe("a plan with --exclude", () => {
  let stack: Stack;
  beforeEach(() => {
    stack = new Stack({});
  });
  afterEach(() => stack.remove());

  const things = (declared: Record<string, object>, more: object = {}) =>
    stack.declare({ resource: { memory_thing: declared }, ...more });
  const planned = async (excludes: string[], mode: "normal" | "destroy" = "normal") =>
    actions(await stack.plan(mode, { excludes }));

  test("leaves out the addresses and what depends on them, through locals as well", async () => {
    things(
      { a: thing("a"), b: thing("${local.name}"), c: thing("c") },
      { locals: { name: "${memory_thing.a.name}-b" } },
    );
    expect(await planned(["memory_thing.a"])).toEqual({ "memory_thing.c": "create" });
    expect(await planned(["memory_thing.b"])).toEqual({
      "memory_thing.a": "create",
      "memory_thing.c": "create",
    });
  });

  test("leaves out one instance, and what depends on its resource", async () => {
    things({ a: { ...thing("a${count.index}"), count: 2 }, b: thing("${memory_thing.a[0].id}b") });
    expect(await planned(["memory_thing.a[1]"])).toEqual({ "memory_thing.a[0]": "create" });
  });

  test("leaves out an excluded instance's resource entirely if it depends on another excluded one", async () => {
    things({ a: thing("a"), b: { ...thing("${memory_thing.a.id}${count.index}"), count: 2 } });
    expect(await planned(["memory_thing.a", "memory_thing.b[0]"])).toEqual({});
  });

  test("keeps excluded objects unchanged in the state, and outputs that depend on them", async () => {
    const output = { of_a: { value: "${memory_thing.a.size}" }, of_b: { value: "${memory_thing.b.size}" } };
    things({ a: thing("a", { size: 1 }), b: thing("b", { size: 1 }) }, { output });
    await stack.apply();
    things({ a: thing("a", { size: 2 }), b: thing("b", { size: 2 }) }, { output });
    await stack.apply("normal", { excludes: ["memory_thing.a"] });
    expect([...stack.provider.things.values()].map(({ size }) => size)).toEqual([1, 2]);
    const { outputs } = (await stack.state())!;
    expect([outputs["of_a"]!.value, outputs["of_b"]!.value]).toEqual([1, 2]);
    expect(actions(await stack.plan())).toEqual({ "memory_thing.a": "update" });
  });

  test("neither reads nor deletes an excluded object that left the configuration, nor what it depends on", async () => {
    things({ base: thing("base"), a: thing("${memory_thing.base.id}-a"), c: thing("c") });
    await stack.apply();
    things({});
    stack.provider.failing.add("read base-a");
    expect(await planned(["memory_thing.a"])).toEqual({ "memory_thing.c": "delete" });
    expect(await planned(["memory_thing.base"])).toEqual({ "memory_thing.c": "delete" });
  });

  test("keeps what excluded objects depend on in a destroy", async () => {
    things({ a: thing("a"), b: thing("${memory_thing.a.id}b"), c: thing("c") });
    await stack.apply();
    expect(await planned(["memory_thing.b"], "destroy")).toEqual({ "memory_thing.c": "delete" });
    expect(await planned(["memory_thing.a"], "destroy")).toEqual({
      "memory_thing.b": "delete",
      "memory_thing.c": "delete",
    });
  });

  test("warns that plan and apply may be incomplete", async () => {
    things({ a: thing("a"), b: thing("b") });
    const plan = await stack.plan("normal", { excludes: ["memory_thing.b"] });
    expect([plan.complete, plan.diagnostics]).toMatchObject([
      false,
      [
        {
          severity: "warning",
          code: "targeting_in_effect",
          detail: expect.stringContaining(
            "With --exclude this plan leaves out memory_thing.b and what depends on",
          ),
        },
      ],
    ]);
    const { diagnostics } = await stack.apply("normal", { excludes: ["memory_thing.b"] });
    expect(diagnostics).toMatchObject([
      { severity: "warning", code: "targeting_incomplete", detail: expect.stringContaining("--exclude") },
    ]);
  });

  describe("with an address that leaves out nothing", () => {
    test("fails on an unknown resource, unless another stack declares it", async () => {
      things({ a: thing("a") });
      await expect(planned(["memory_thing.none"])).rejects.toThrow(
        "--exclude memory_thing.none is neither in the configuration nor in the state",
      );
      const excludes = ["memory_thing.none"];
      const plan = await stack.plan("normal", { excludes, otherStacksDeclare: () => true });
      expect(actions(plan)).toEqual({ "memory_thing.a": "create" });
    });

    test("fails on an unknown key: what was to be left out would be changed", async () => {
      things({ a: { ...thing("${each.key}"), for_each: { x: 1, y: 1 } } });
      const plan = await stack.plan("normal", { excludes: ['memory_thing.a["z"]'] });
      expect([plan.applicable, plan.diagnostics[0]]).toMatchObject([
        false,
        { severity: "error", code: "unknown_target", address: "memory_thing.a" },
      ]);
    });
  });

  describe("with a moved object", () => {
    beforeEach(async () => {
      things({ a: thing("a") });
      await stack.apply();
    });

    test("fails if one address of a detected move is excluded, and names the option to add", async () => {
      things({ b: thing("a") });
      const { diagnostics } = await stack.plan("normal", { excludes: ["memory_thing.a"] });
      expect(diagnostics).toMatchObject([
        {
          code: "move_not_targeted",
          detail: expect.stringContaining("Add --exclude 'memory_thing.b', or run without --exclude."),
        },
        { code: "targeting_in_effect" },
      ]);
      const other = await stack.plan("normal", { excludes: ["memory_thing.b"] });
      expect(other.diagnostics[0]).toMatchObject({
        code: "move_not_targeted",
        detail: expect.stringContaining("Add --exclude 'memory_thing.a', or run without --exclude."),
      });
      expect(await planned(["memory_thing.a", "memory_thing.b"])).toEqual({});
    });

    test("fails if a moved block's object is excluded", async () => {
      things({ b: thing("a") }, { moved: [{ from: "memory_thing.a", to: "memory_thing.b" }] });
      const { diagnostics } = await stack.plan("normal", { excludes: ["memory_thing.b"] });
      expect(diagnostics[0]).toMatchObject({
        code: "move_not_targeted",
        detail: expect.stringContaining("Apply the moves first: run without --exclude"),
      });
    });
  });

  /** The resources that each resource refers to: only earlier ones. */
  const dependencies = fc
    .integer({ min: 1, max: 6 })
    .chain((count) =>
      fc.tuple(
        ...Array.from({ length: count }, (_, at) =>
          fc.uniqueArray(fc.nat({ max: Math.max(at - 1, 0) }), { maxLength: at }),
        ),
      ),
    );

  test("covers what does not reach an excluded resource, and an unrestricted apply completes it", async () => {
    await fc.assert(
      fc.asyncProperty(dependencies, fc.nat(), async (uses, seed) => {
        const random = new Stack({});
        try {
          const name = (at: number) => `memory_thing.r${at}`;
          const reaches = (at: number, goal: number): boolean =>
            at === goal || uses[at]!.some((one) => one !== at && reaches(one, goal));
          const excluded = seed % uses.length;
          random.declare({
            resource: {
              memory_thing: Object.fromEntries(
                uses.map((all, at) => [
                  `r${at}`,
                  thing(`r${at}`, { depends_on: all.filter((one) => one !== at).map(name) }),
                ]),
              ),
            },
          });
          const all = uses.map((_, at) => at);
          const included = all.filter((at) => !reaches(at, excluded));
          const excludes = [name(excluded)];
          expect(Object.keys(actions(await random.plan("normal", { excludes }))).sort()).toEqual(
            included.map(name),
          );
          await random.apply("normal", { excludes });
          await random.apply();
          const kept = all.filter((at) => reaches(excluded, at));
          const destroyed = actions(await random.plan("destroy", { excludes }));
          expect(Object.keys(destroyed).sort()).toEqual(all.filter((at) => !kept.includes(at)).map(name));
        } finally {
          random.remove();
        }
      }),
      { numRuns: 30 },
    );
  });
});
