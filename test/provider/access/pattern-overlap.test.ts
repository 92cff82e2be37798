import fc from "fast-check";
import { isOverlap, Patterns } from "../../../src/provider/access/images";

const WITNESSES = ["", ...texts(6)];

function texts(length: number): string[] {
  if (length === 0) return [];
  const shorter = texts(length - 1);
  return [
    ...shorter,
    ...["", ...shorter]
      .filter((text) => text.length === length - 1)
      .flatMap((text) => [`${text}a`, `${text}b`]),
  ];
}

const matches = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(text);

test("two patterns overlap if, and only if, some text matches both", () => {
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 3 });
  fc.assert(
    fc.property(pattern, pattern, (one, other) => {
      expect([one, other, isOverlap(one, other)]).toEqual([
        one,
        other,
        WITNESSES.some((text) => matches(one, text) && matches(other, text)),
      ]);
    }),
    { numRuns: 2_000 },
  );
});

test("overlapping() returns all patterns that overlap with the given pattern, and no others", () => {
  const pattern = fc.string({ unit: fc.constantFrom("a", "b", "*"), maxLength: 4 });
  fc.assert(
    fc.property(fc.uniqueArray(pattern, { maxLength: 12 }), pattern, (all, one) => {
      const expected = all.filter((other) => other !== one && isOverlap(one, other)).sort();
      expect(new Patterns(all).overlapping(one)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
});
