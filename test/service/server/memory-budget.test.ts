import fc from "fast-check";
import { MemoryBudget } from "../../../src/service/server/body-parsers";
import { runs, seed } from "../../support/capabilities";

test("requests get no more than the budget together, in the order of their arrival", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 15 }), { minLength: 1, maxLength: 20 }),
      async (sizes) => {
        const budget = new MemoryBudget(10);
        const order: number[] = [];
        let held = 0;
        await Promise.all(
          sizes.map(async (bytes, index) => {
            const { granted, release } = budget.take(bytes);
            await granted;
            order.push(index);
            held += Math.min(bytes, 10);
            expect(held).toBeLessThanOrEqual(10);
            await Promise.resolve();
            held -= Math.min(bytes, 10);
            release();
            release();
          }),
        );
        expect(order).toEqual(sizes.map((_, index) => index));
      },
    ),
    { seed, numRuns: runs(200, 10_000) },
  );
});

test("a waiting request that is released leaves the queue", async () => {
  const budget = new MemoryBudget(10);
  const [first, second, third] = [budget.take(6), budget.take(6), budget.take(4)];
  await first!.granted;
  second!.release();
  await third!.granted;
  first!.release();
  third!.release();
  await budget.take(10).granted;
});
