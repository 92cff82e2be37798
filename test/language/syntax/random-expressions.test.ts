import path from "node:path";
import fc from "fast-check";
import { describeWith, runs, seed } from "../../support/capabilities";
import { ownOutcome } from "./cases";
import { expressions } from "./random-expressions";
import { type Outcome, TerraformConsole } from "./terraform-console";

const BATCH = 100;

/**
 * Returns an expression whose value contains the outcome of `text`, even if that is an error. `can` catches the error, so
 * that Terraform still evaluates the other expressions of the batch.
 */
function comparable(text: string): { source: string; own: Outcome } {
  const own = ownOutcome(`\${${text}}`);
  return own === undefined ? { source: `\${can(${text})}`, own: "false" } : { source: `\${${text}}`, own };
}

describeWith("terraform", "Random expressions", (program) => {
  if (path.basename(program) !== "terraform") return;

  test("random expressions have the same results as in Terraform's console", () => {
    const terraform = new TerraformConsole(program);
    try {
      const numRuns = runs(300, 10_000);
      const texts = fc.sample(expressions, { seed, numRuns });
      for (let at = 0; at < texts.length; at += BATCH) {
        const batch = texts.slice(at, at + BATCH).map(comparable);
        const theirs = terraform.outcomes(batch.map(({ source }) => source));
        const different = batch.flatMap((one, index) =>
          one.own === theirs[index] ? [] : [{ ...one, theirs: theirs[index] }],
        );
        expect(different).toEqual([]);
      }
    } finally {
      terraform.close();
    }
  }, 3_600_000);
});
