import { bestOfThree } from "../../bench/gate/best-of-three";
import type { Figure } from "../../bench/gate/figure";

const BUDGETS: Readonly<Record<string, number>> = { ratio: 2 };

/** Runs rounds of measurements. Each round has one value for each figure. */
async function measure(rounds: readonly Readonly<Record<string, number>>[]) {
  const again: (readonly string[])[] = [];
  let round = 0;
  const { best, exceeded } = await bestOfThree(
    async (report) => {
      const values = rounds[round++] ?? {};
      for (const [name, value] of Object.entries(values)) report({ name, value, unit: "times" });
    },
    {
      limitOf: ({ name }: Figure) => BUDGETS[name],
      isClear: () => false,
      print: () => {},
      printAgain: (names) => again.push(names),
    },
  );
  return { best: Object.fromEntries(best.map(({ name, value }) => [name, value])), exceeded, again, round };
}

test("if a measured value is within its budget, it is measured only once", async () => {
  expect(await measure([{ ratio: 2 }])).toEqual({ best: { ratio: 2 }, exceeded: [], again: [], round: 1 });
});

test("a value above its budget is measured again, and passes if the second or third value is within the budget", async () => {
  expect(await measure([{ ratio: 2.5 }, { ratio: 2.4 }, { ratio: 1.9 }])).toEqual({
    best: { ratio: 1.9 },
    exceeded: [],
    again: [["ratio"], ["ratio"]],
    round: 3,
  });
});

test("if all three measured values are above the budget, the measurement fails and reports the lowest value", async () => {
  expect(await measure([{ ratio: 2.5 }, { ratio: 2.1 }, { ratio: 2.4 }, { ratio: 1 }])).toEqual({
    best: { ratio: 2.1 },
    exceeded: ["ratio"],
    again: [["ratio"], ["ratio"]],
    round: 3,
  });
});

test("a value within its budget stays accepted, even if a later measurement of this value exceeds the budget", async () => {
  const { exceeded } = await measure([
    { ratio: 1.5, other: 1 },
    { ratio: 9, other: 1 },
    { ratio: 9, other: 1 },
  ]);
  expect(exceeded).toEqual(["other"]);
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])(
  "a measured value of %d is above every budget",
  async (value) => {
    expect((await measure([{ ratio: value }, { ratio: value }, { ratio: value }])).exceeded).toEqual([
      "ratio",
    ]);
  },
);
