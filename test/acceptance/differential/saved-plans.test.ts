import { CASES } from "./cases";
import { batches } from "./support/batch";
import { runSaved } from "./support/run-batch";

describe("each step that succeeds without a saved plan also succeeds with a saved plan", () => {
  test.each(
    batches(CASES).map(
      (batch) =>
        [
          batch.cases
            .map(({ name }) => name)
            .join(", ")
            .slice(0, 80),
          batch,
        ] as const,
    ),
  )("%s", async (_, batch) => {
    const refused = (await runSaved(batch))
      .map(({ succeeded, said }, index) => ({ succeeded, said, fails: batch.steps[index]!.fails }))
      .filter(({ succeeded, said, fails }) =>
        fails === undefined ? !succeeded : said.includes("saved_plan"),
      );
    expect(refused).toEqual([]);
  });
});
