import { describeWith } from "../../support/capabilities";
import { CASES, realAnswers } from "./references";

describeWith("terraform", "The verdicts of the table of references", () => {
  test("are those of Terraform's validate", async () => {
    const answers = await realAnswers("terraform", CASES);
    const verdicts = CASES.map(({ ref, more }, at) => ({ ref, more, is: answers[at]!.verdict }));
    expect(verdicts).toEqual(CASES.map(({ ref, more, is }) => ({ ref, more, is })));
  });
});
