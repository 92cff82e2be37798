import { writeFileSync } from "node:fs";
import path from "node:path";
import { APPROVAL_FAULTS } from "../../../scripts/mutants/approvals";
import { TERRAFORM_FAULTS } from "../../../scripts/mutants/terraform";
import { BINDINGS } from "./bindings";
import { buildPeople, playPeople } from "./program";
import { tell } from "./story";
import { TERRAFORM_BINDINGS } from "./terraform";

/** The number of stories in every run. `npm run simulate -- --people` plays more stories. */
const STORIES = 40;

let program: string;
beforeAll(async () => {
  program = await buildPeople("people-quick");
});

test("each fault that can be planted in the checks of an approval has a test sequence", () => {
  expect(Object.keys(BINDINGS)).toEqual(APPROVAL_FAULTS.map(({ fault }) => fault));
});

test("the test sequence of each planted fault in the approval checks fails with the fault and passes without it", async () => {
  const file = path.join(path.dirname(program), "people-bindings.txt");
  writeFileSync(file, Object.values(BINDINGS).map(tell).join("\n\n"));
  const { found } = await playPeople(program, ["--bindings", file]);
  const missed = APPROVAL_FAULTS.filter((_, at) => found![at]!.fault === undefined);
  expect(missed.map(({ fault }) => fault)).toEqual([]);
  const broken = APPROVAL_FAULTS.filter((_, at) => found![at]!.without !== undefined);
  expect(broken.map(({ fault }) => fault)).toEqual([]);
});

test("the check of an approval refuses an edited Terraform plan, unless a fault is planted in the check", async () => {
  expect(Object.keys(TERRAFORM_BINDINGS)).toEqual(TERRAFORM_FAULTS.map(({ fault }) => fault));
  const { refused } = await playPeople(program, ["--terraform", String(APPROVAL_FAULTS.length)]);
  const missed = TERRAFORM_FAULTS.filter((_, at) => !refused![at]!.without || refused![at]!.fault);
  expect(missed.map(({ fault }) => fault)).toEqual([]);
});

test("in random steps of people and CI jobs, the jobs write exactly the changes that entitled people approved", async () => {
  const { failures, stories } = await playPeople(program, ["--seeds", `1+${STORIES}`]);
  expect(failures).toEqual([]);
  expect(stories).toBe(STORIES);
});
