import { planRepair } from "../../../src/engine";
import { Stack, thing } from "../support/stack";

// transcripts/drift.transcript covers the findings of drift. The simulator covers the writes of a repair.

test("if an ignore file suppresses one of two drifted attributes of an object, the repair skips the object", async () => {
  const stack = new Stack({ resource: { memory_thing: { a: thing("a", { size: 1, tags: ["x"] }) } } });
  try {
    await stack.apply();
    Object.assign(stack.provider.things.get("a")!, { size: 2, tags: ["y"] });
    const { drifted } = await stack.drift();
    const told = drifted.map((object) => ({ ...object, attributes: ["size"] }));
    const { plan, skipped } = planRepair(await stack.plan(), told);
    expect(plan.hasChanges).toBe(false);
    expect(skipped).toEqual([
      { address: "memory_thing.a", reason: expect.stringContaining("tags would also change") },
    ]);
  } finally {
    stack.remove();
  }
});

describe("an object whose new address no apply has recorded", () => {
  const each = (names: readonly string[]) => ({
    for_each: Object.fromEntries(names.map((name) => [name, { name }])),
    name: "${each.value.name}",
    size: 1,
  });
  const by = (resources: Record<string, object>) => ({ resource: { memory_thing: resources } });

  test.each([
    [
      "another resource",
      by({ a: thing("x", { size: 1 }) }),
      by({ b: thing("x", { size: 1 }) }),
      "memory_thing.b",
    ],
    [
      "another key",
      by({ a: { ...each(["old"]), name: "x" } }),
      by({ a: { ...each(["new"]), name: "x" } }),
      'memory_thing.a["new"]',
    ],
    [
      "a resource with keys",
      by({ a: thing("x", { size: 1 }) }),
      by({ b: each(["x"]) }),
      'memory_thing.b["x"]',
    ],
  ])("drift compares the object at the new address: %s", async (_where, before, after, address) => {
    const stack = new Stack(before);
    try {
      await stack.apply();
      stack.declare(after);
      Object.assign(stack.provider.things.get("x")!, { size: 2 });
      const { drifted } = await stack.drift();
      expect(drifted.map(({ kind, change, attributes }) => [kind, change.address, attributes])).toEqual([
        ["changed", address, ["size"]],
      ]);
    } finally {
      stack.remove();
    }
  });

  test("if an object has several declarations, plan reports move_ambiguous, and drift does not compare the object", async () => {
    const stack = new Stack(by({ a: thing("x", { size: 1 }) }));
    try {
      await stack.apply();
      stack.declare(by({ b: thing("x", { size: 1 }), c: thing("x", { size: 1 }) }));
      Object.assign(stack.provider.things.get("x")!, { size: 2 });
      expect((await stack.drift()).drifted).toEqual([]);
      const { diagnostics } = await stack.plan();
      expect(diagnostics.map(({ code }) => code)).toContain("move_ambiguous");
    } finally {
      stack.remove();
    }
  });
});
