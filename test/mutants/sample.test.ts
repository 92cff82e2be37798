import { interval, numbersOf } from "../../scripts/mutants/random/sample";
import { summaryOf, type Verdict } from "../../scripts/mutants/random/summary";

test("the same seed gives the same sample, and another seed gives another sample", () => {
  expect([...numbersOf("7", 20)]).toEqual([...numbersOf("7", 20)]);
  expect([...numbersOf("8", 20)]).not.toEqual([...numbersOf("7", 20)]);
});

test("the sampling order of 20 mutants contains each number from 0 to 19 once", () => {
  expect([...numbersOf("7", 20)].sort((one, other) => one - other)).toEqual(
    Array.from({ length: 20 }, (_, index) => index),
  );
});

test.each([
  [0, 10, 0, 0.278],
  [9, 10, 0.596, 0.982],
  [54, 60, 0.799, 0.953],
])("the confidence interval of %d of %d is %d to %d", (successes, trials, from, to) => {
  const found = interval(successes, trials);
  expect(found.from).toBeCloseTo(from, 3);
  expect(found.to).toBeCloseTo(to, 3);
});

test("the score in the summary does not count rejected mutants", () => {
  const verdict = (index: number, file: string, how: Verdict["verdict"]): Verdict => ({
    index,
    place: `${file}:1`,
    change: "< → <=",
    kind: "swapped operator",
    verdict: how,
    suites: "3 of 3",
  });
  const summary = summaryOf([
    verdict(0, "src/http/a.ts", "killed"),
    verdict(1, "src/http/b.ts", "rejected"),
    verdict(2, "src/text/c.ts", "survived"),
  ]);
  expect(summary).toMatch(/^http +1 +0 +1$/m);
  expect(summary).toMatch(/^text +0 +1 +0$/m);
  expect(summary).toMatch(/^score: 1 of 2, 50 %/m);
  expect(summary).toMatch(/^survived 2 src\/text\/c\.ts:1 < → <= \(3 of 3 suites\)$/m);
});
