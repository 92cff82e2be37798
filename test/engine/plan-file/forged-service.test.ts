import * as fc from "fast-check";
import { type Plan, readRecord } from "../../../src/engine";
import { createPlan } from "../../../src/engine/plan/create-plan";
import { contextFor } from "../../../src/engine/plan-file/check-basis";
import { confirmPlan } from "../../../src/engine/plan-file/confirm-plan";
import type { RunContext } from "../../../src/engine/run/context";
import type { Value } from "../../../src/schema";
import { runs, seed } from "../../support/capabilities";
import { planIn, planText } from "../support/saved-plan";
import { Stack, thing } from "../support/stack";

// A file whose live values are forged everywhere, `drift`, `before`, `after` and `priorState` alike, is the plan of a
// service that has these values. So the forger plans against such a service, and the file is applied to the real one.

const BEFORE = {
  resource: {
    memory_thing: {
      updated: thing("updated", { size: 1 }),
      renamed: thing("renamed", { size: 1 }),
      gone: thing("gone", { size: 1 }),
      moving: thing("moving", { size: 1 }),
      forgotten: thing("forgotten", { size: 1 }),
      drifted: thing("drifted", { size: 1 }),
      same: thing("same", { size: 1 }),
    },
  },
};
const AFTER = {
  resource: {
    memory_thing: {
      updated: thing("updated", { size: 2 }),
      renamed: thing("named", { size: 1 }),
      moved: thing("moving", { size: 1 }),
      drifted: thing("drifted", { size: 1 }),
      same: thing("same", { size: 1 }),
      found: thing("found", { size: 2 }),
      made: thing("made"),
    },
  },
  moved: [{ from: "memory_thing.moving", to: "memory_thing.moved" }],
  import: [{ to: "memory_thing.found", id: "found" }],
  removed: [{ from: "memory_thing.forgotten", lifecycle: { destroy: false } }],
  output: { size: { value: "${memory_thing.updated.size}" } },
};
const NAMES = ["updated", "renamed", "gone", "moving", "drifted", "found", "same", "forgotten"] as const;

/** What somebody pretends about one thing: that it is gone, or has other values. */
const lie = fc.oneof(
  fc.constant(undefined),
  fc.record({ size: fc.constantFrom(1, 2, 3), colour: fc.constantFrom("grey", "red") }),
);

let stack: Stack;
let context: RunContext;
let real: ReadonlyMap<string, Record<string, Value>>;

beforeAll(async () => {
  stack = new Stack(BEFORE);
  await stack.apply();
  stack.provider.things.set("found", { ...stack.provider.things.get("same")!, id: "found", name: "found" });
  stack.provider.things.get("drifted")!["size"] = 9;
  stack.declare(AFTER);
  context = stack.context();
  real = new Map([...stack.provider.things].map(([id, one]) => [id, { ...one }]));
});
afterAll(() => stack.remove());

function serve(things: ReadonlyMap<string, Record<string, Value>>): void {
  stack.provider.things.clear();
  for (const [id, one] of things) stack.provider.things.set(id, { ...one });
  stack.provider.sent.length = 0;
}

test("a plan made for other live values is refused, or shows the live values of all that it changes", async () => {
  const state = (await stack.state())!;
  const outcomes = { refused: 0, accepted: 0 };
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.constantFrom(...NAMES), lie, { maxKeys: 3 }), async (lies) => {
      const pretended = new Map(real);
      for (const [id, values] of Object.entries(lies))
        if (values === undefined) pretended.delete(id);
        else pretended.set(id, { ...real.get(id)!, ...values });
      serve(pretended);
      const file = planIn(await planText(context, await createPlan(context, state)));
      serve(real);
      const { plan, diagnostics } = await confirmPlan(file, contextFor(file, context), state);
      expect(stack.provider.sent).toEqual([]);
      outcomes[plan === undefined ? "refused" : "accepted"] += 1;
      if (plan === undefined) expect(diagnostics).not.toEqual([]);
      else expectTrue(readRecord(file.record, context.providers));
    }),
    { numRuns: runs(100, 2000), seed },
  );
  expect(Math.min(outcomes.refused, outcomes.accepted)).toBeGreaterThan(0);
});

/** What is changed, moved or found changed is shown as it is live. */
function expectTrue({ changes, drift }: Plan): void {
  for (const { action, previousAddress, before } of changes)
    if (before !== null && action !== "forget" && (action !== "no-op" || previousAddress !== undefined))
      expect(before).toEqual(real.get(String(before["id"])));
  for (const { after, before } of drift) expect(after ?? undefined).toEqual(real.get(String(before!["id"])));
}
