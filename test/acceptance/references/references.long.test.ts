import { describeWith } from "../../support/capabilities";
import { CASES } from "./references";
import { terraformVerdicts } from "./terraform-verdicts";

describeWith("terraform", "The table of references", () => {
  test("`terraform validate` accepts or rejects each reference as the test table expects", async () => {
    const found = await terraformVerdicts("terraform", CASES);
    const verdicts = CASES.map(({ ref, more }, at) => ({ ref, more, is: found[at]! }));
    expect(verdicts).toEqual(CASES.map(({ ref, more, is }) => ({ ref, more, is })));
  });
});
