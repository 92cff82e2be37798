import { writeFileSync } from "node:fs";
import path from "node:path";
import { APPROVAL_FAULTS } from "../../../scripts/mutants/approvals";
import { BINDINGS } from "./bindings";
import { buildPeople, playPeople } from "./program";
import { tell } from "./story";

/** Stories of every run; `npm run simulate -- --people` plays more. */
const STORIES = 40;

let program: string;
beforeAll(async () => {
  program = await buildPeople("people-quick");
});

test("each planted fault in the bindings of an approval has a story", () => {
  expect(Object.keys(BINDINGS)).toEqual(APPROVAL_FAULTS.map(({ fault }) => fault));
});

test("each of these faults is found, and its story holds without it", async () => {
  const file = path.join(path.dirname(program), "people-bindings.txt");
  writeFileSync(file, Object.values(BINDINGS).map(tell).join("\n\n"));
  const { found } = await playPeople(program, ["--bindings", file]);
  const missed = APPROVAL_FAULTS.filter((_, at) => found![at]!.fault === undefined);
  expect(missed.map(({ fault }) => fault)).toEqual([]);
  const broken = APPROVAL_FAULTS.filter((_, at) => found![at]!.without !== undefined);
  expect(broken.map(({ fault }) => fault)).toEqual([]);
});

test("jobs write only changes that entitled people approved, and all of them, whatever people do", async () => {
  const { failures, stories } = await playPeople(program, ["--seeds", `1+${STORIES}`]);
  expect(failures).toEqual([]);
  expect(stories).toBe(STORIES);
});
