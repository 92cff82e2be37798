import fc from "fast-check";
import { compareNatural } from "../../src/text";
import { runs, seed } from "../support/capabilities";

test("numbers in names are compared by value, also long numbers and numbers with leading zeros", () => {
  const sorted = [
    "1:10",
    "1:8",
    "10",
    "8",
    'a["10"]',
    'a["8"]',
    "a",
    "p007",
    "p10",
    "p0",
    `p${"9".repeat(40)}`,
  ];
  expect(sorted.sort(compareNatural)).toEqual([
    "1:8",
    "1:10",
    "8",
    "10",
    "a",
    'a["8"]',
    'a["10"]',
    "p0",
    "p007",
    "p10",
    `p${"9".repeat(40)}`,
  ]);
});

test.each([
  ["addresses of constructs", (name: string) => `steward_pages.acme-${name}_pages_1A2B`],
  ["members of fleets", (name: string) => `steward_environment.fleet["acme/${name}:production"]`],
  ["modules", (name: string) => `module.${name}.steward_pages.docs`],
  ["paths", (name: string) => `acme/${name}/docs`],
  ["whole names", (name: string) => name],
])("in %s, a name comes before longer names with the same start", (_, write) => {
  const sorted = ["api", "api-2", "api-10", "api-legacy", "apis"].map(write);
  expect([...sorted].reverse().sort(compareNatural)).toEqual(sorted);
});

test("for any three texts, the order of compareNatural is transitive", () => {
  const text = fc
    .array(fc.constantFrom("a", "b", "0", "1", "10", ":", "-", "_"), { maxLength: 6 })
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, text, text, (a, b, c) => {
      expect(Math.sign(compareNatural(a, b))).toBe(-Math.sign(compareNatural(b, a)) + 0);
      expect(compareNatural(a, b) === 0).toBe(a === b);
      if (compareNatural(a, b) < 0 && compareNatural(b, c) < 0) expect(compareNatural(a, c)).toBeLessThan(0);
    }),
    { numRuns: runs(500, 20_000), seed },
  );
});
