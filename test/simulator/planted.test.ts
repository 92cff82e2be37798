import { readFileSync } from "node:fs";
import path from "node:path";
import { APPROVAL_FAULTS } from "../../scripts/mutants/approvals";
import { PLANTED_FAULTS } from "../../scripts/mutants/planted-faults";
import { TERRAFORM_FAULTS } from "../../scripts/mutants/terraform";

const ROOT = path.join(__dirname, "..", "..");

// `npm run mutants` takes minutes. This test finds sooner that the source text of a planted fault has changed.
it("for each planted fault, the code to replace occurs exactly once in the source file", () => {
  const lost = [...PLANTED_FAULTS, ...APPROVAL_FAULTS, ...TERRAFORM_FAULTS].filter(
    ({ file, from }) => readFileSync(path.join(ROOT, "src", file), "utf8").split(from).length !== 2,
  );
  expect(lost.map(({ file, fault }) => `${file}: ${fault}`)).toEqual([]);
});

it("test/simulator/mutants.md contains a table row for each planted fault", () => {
  const page = readFileSync(path.join(ROOT, "test", "simulator", "mutants.md"), "utf8");
  const missing = PLANTED_FAULTS.filter(({ area, fault }) => !page.includes(`| ${area} | ${fault} |`));
  expect(missing.map(({ fault }) => fault)).toEqual([]);
});
