import * as fc from "fast-check";
import { canonicalJson, isWhollyKnown, sameValue, UNKNOWN, type Value } from "../../src/schema";
import { runs, seed } from "../support/capabilities";

const { value } = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    fc.constantFrom<Value>(null, true, false, 0, 1, "", "a", "b", UNKNOWN),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "c"), tie("value"), { noNullPrototype: true }),
  ),
}));

/** Returns an equal value with object keys in the opposite order. */
function reordered(of: Value): Value {
  if (Array.isArray(of)) return of.map(reordered);
  if (typeof of !== "object" || of === null || of === UNKNOWN) return of;
  const entries = Object.entries(of as Readonly<Record<string, Value>>);
  return Object.fromEntries(entries.reverse().map(([name, one]) => [name, reordered(one)]));
}

describe("two values are equal", () => {
  test("two values are equal if only the order of their object keys differs", () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(sameValue(one, reordered(one))).toBe(true);
      }),
      { seed, numRuns: runs(300, 5000) },
    );
  });

  test("two values are equal if, and only if, their canonical JSON texts are equal", () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(sameValue(one, other)).toBe(canonicalJson(one) === canonicalJson(other));
      }),
      { seed, numRuns: runs(1000, 20_000) },
    );
  });
});

test("isWhollyKnown is true for a value if, and only if, the value does not contain UNKNOWN", () => {
  expect(isWhollyKnown([{ a: [UNKNOWN] }])).toBe(false);
  expect(isWhollyKnown([{ a: [null, "x"] }])).toBe(true);
  expect(canonicalJson(UNKNOWN)).not.toBe(canonicalJson("\u0000unknown"));
  expect(String(UNKNOWN)).toBe("(known after apply)");
});
