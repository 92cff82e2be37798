import { describeWith, runs } from "../../support/capabilities";
import { CASES } from "./cases";
import { batches } from "./support/batch";
import { changesOf, partOf } from "./support/part-of";
import { runBatch, type StepResults } from "./support/run-batch";
import { sampleOf } from "./support/sample";

jest.setTimeout(300_000);

/**
 * The number of tested cases that have a separate run. `npm test` tests only one of these cases, because each run takes
 * seconds. The cases that share a run are always tested.
 */
const ALONE = runs(1, CASES.length);

describeWith("engine", "the embedded engine does as the engine on the PATH", (program) => {
  describe.each(sampleOf(batches(CASES), ALONE))("$title", ({ batch }) => {
    let results: readonly StepResults[];
    beforeAll(async () => {
      results = await runBatch(program, batch);
    });

    const steps = batch.cases.flatMap(({ name, steps: all }) =>
      all.map(({ does, fails }, index) => ({ name, does, fails, index })),
    );

    test.each(steps)("$name: $does", ({ name, fails, index }) => {
      const { embedded, real } = results[index]!;
      const part = (all: Readonly<Record<string, unknown>> | undefined) =>
        partOf(all ?? {}, name, batch.cases);
      expect([endOf(embedded), endOf(real)]).toEqual([fails ?? "done", fails ?? "done"]);
      for (const aspect of ["changes", "drift", "outputs", "relevant"] as const) {
        expect(part(embedded.planned.plan?.[aspect])).toEqual(part(real.planned.plan?.[aspect]));
      }
      expect(part(embedded.live)).toEqual(part(real.live));
      expect(part(embedded.state)).toEqual(part(real.state));
    });

    test("with the state that the other program wrote, Steward and Terraform each plan no change", () => {
      for (const [index, { embedded, real }] of results.entries()) {
        expect(embedded.live).toEqual(real.live);
        const [mine, theirs] = [changesOf(embedded.takenOver), changesOf(real.takenOver)];
        expect(mine).toEqual(theirs);
        // A refresh-only plan is never empty if an output refers to a deleted object, because the output is unknown.
        if (batch.steps[index]!.mode !== "refresh-only") expect(mine).toEqual({});
      }
    });
  });
});

function endOf({ planned, applied }: StepResults["embedded"]): "plan" | "apply" | "done" {
  if (planned.plan === undefined) return "plan";
  return applied?.succeeded ? "done" : "apply";
}
