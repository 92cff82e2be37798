import { describeWith } from "../../support/capabilities";
import { CASES, realAnswers } from "./references";

describeWith("terraform", "The table of references", () => {
  test("has the verdicts of Terraform's validate", async () => {
    const answers = await realAnswers("terraform", CASES);
    const verdicts = CASES.map(({ ref, more }, at) => ({ ref, more, is: answers[at]!.verdict }));
    expect(verdicts).toEqual(CASES.map(({ ref, more, is }) => ({ ref, more, is })));
  });
});
