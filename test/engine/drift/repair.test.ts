import fc from "fast-check";
import { planRepair } from "../../../src/engine";
import { applyPlan } from "../../../src/engine/apply/apply-plan";
import { detectDrift } from "../../../src/engine/drift/detect-drift";
import { createPlan } from "../../../src/engine/plan/create-plan";
import { sameValue, type Value, type ValueObject } from "../../../src/schema";
import { LocalBackend } from "../../../src/state/backends/local-backend";
import { runs, seed } from "../../support/capabilities";
import { Stack, thing } from "../support/stack";

// A repair restores what was applied: it writes no value that the state does not hold, whatever the code
// declares now.

const NAMES = ["a", "b", "c"] as const;
const ATTRIBUTES = ["name", "size", "colour", "tags", "secret"] as const;

/** The optional attributes of a declaration. */
const said = fc.record(
  {
    size: fc.nat(2),
    colour: fc.constantFrom("red", "blue"),
    tags: fc.subarray(["x", "y"]),
    secret: fc.constantFrom("s", "t"),
  },
  { requiredKeys: [] },
);

/**
 * The configuration after the apply: unchanged, with other values, or with a value that is known after apply.
 */
const later = fc.oneof(fc.constant("as applied" as const), said, fc.constant("unknown" as const));

/** A manual change on the service. */
const byHand = fc.oneof(fc.constant("nothing" as const), fc.constant("delete" as const), said);

const one = fc.record({ applied: said, later, byHand });
type One = typeof one extends fc.Arbitrary<infer T> ? T : never;

const code = (name: string, { applied, later: now }: One) => {
  if (now === "as applied") return thing(name, applied);
  return thing(name, now === "unknown" ? { ...applied, size: "${memory_thing.fresh.serial}" } : now);
};

const same = (left: Value | undefined, right: Value | undefined): boolean =>
  sameValue(left ?? null, right ?? null, { kind: "set", element: { kind: "string" } });

test("a repair writes only values of the state, whatever code and live objects became, and reports what it skips", async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(one, one, one), async (all) => {
      const objects = NAMES.map((name, index) => [name, all[index]!] as const);
      const declared = (say: (name: string, object: One) => object) =>
        Object.fromEntries(objects.map(([name, object]) => [name, say(name, object)]));
      const stack = new Stack({
        resource: { memory_thing: declared((name, { applied }) => thing(name, applied)) },
      });
      try {
        expect((await stack.apply()).diagnostics).toEqual([]);
        const { things } = stack.provider;
        const applied = new Map([...things].map(([name, values]) => [name, { ...values }]));
        for (const [name, { byHand: done }] of objects) {
          if (done === "delete") things.delete(name);
          else if (done !== "nothing") Object.assign(things.get(name)!, done);
        }
        const before = new Map([...things].map(([name, values]) => [name, { ...values }]));
        stack.declare({ resource: { memory_thing: { ...declared(code), fresh: thing("fresh") } } });

        const backend = new LocalBackend(stack.stateFile);
        const state = await backend.read();
        const { drifted } = await detectDrift(stack.context(), state);
        const { plan, skipped } = planRepair(await createPlan(stack.context(), state), drifted);
        expect((await applyPlan(stack.context(), plan, backend)).diagnostics).toEqual([]);

        expect(things.has("fresh")).toBe(false);
        const isLeft = new Set(skipped.map(({ address }) => address));
        const isDrifted = new Map(drifted.map((object) => [object.change.address, object]));
        for (const name of NAMES) {
          const address = `memory_thing.${name}`;
          const [was, is, state] = [before.get(name), things.get(name), applied.get(name)!];
          if (isLeft.has(address) || !isDrifted.has(address)) {
            expect(is).toEqual(was);
            continue;
          }
          const restored = ATTRIBUTES.filter((attribute) => same(is![attribute], state[attribute]));
          const kept = was === undefined ? [] : ATTRIBUTES.filter((key) => same(is![key], was[key]));
          expect(new Set([...restored, ...kept])).toEqual(new Set(ATTRIBUTES));
          const { kind, attributes } = isDrifted.get(address)!;
          for (const attribute of kind === "vanished" ? ATTRIBUTES : attributes) {
            expect(restored).toContain(attribute);
          }
        }
        // Nothing prevents the repair of an object whose declaration is unchanged.
        for (const { address } of skipped) {
          const {
            later: now,
            byHand: done,
            applied: first,
          } = objects.find(([name]) => address.endsWith(name))![1];
          const isUnpainted = done === "delete" && first.colour === undefined;
          expect(now === "as applied" && !isUnpainted).toBe(false);
        }
      } finally {
        stack.remove();
      }
    }),
    { numRuns: runs(40, 1000), seed },
  );
});

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
      { address: "memory_thing.a", reason: expect.stringContaining("tags would change as well") },
    ]);
  } finally {
    stack.remove();
  }
});

test("a drift report shows the declared value only if it differs from what was applied", async () => {
  const stack = new Stack({ resource: { memory_thing: { a: thing("a", { size: 1, tags: ["x", "y"] }) } } });
  try {
    await stack.apply();
    Object.assign(stack.provider.things.get("a")!, { size: 2, tags: ["z"] } satisfies ValueObject);
    const declaredFor = async (more: object) => {
      stack.declare({ resource: { memory_thing: { a: thing("a", more) } } });
      return (await stack.drift()).drifted.map(({ declared }) => declared);
    };
    expect(await declaredFor({ size: 1, tags: ["y", "x"] })).toEqual([{}]);
    expect(await declaredFor({ size: 3, tags: ["x", "y"] })).toEqual([{ size: 3 }]);
    expect(await declaredFor({ size: 2 })).toEqual([{ size: 2, tags: null }]);
  } finally {
    stack.remove();
  }
});
