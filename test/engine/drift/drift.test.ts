import { planRepair } from "../../../src/engine";
import { Stack, thing } from "../support/stack";

// transcripts/drift.transcript covers the findings of drift; the simulator covers the writes of a repair.

test("a repair does not write a drifted attribute that an ignore file suppresses", async () => {
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
