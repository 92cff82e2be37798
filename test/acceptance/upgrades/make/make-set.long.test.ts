import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runs } from "../../../support/capabilities";
import { folderOf, SETS } from "../opened";
import { makeSet } from "./make-set";

// The next release needs a new set: its writer must work on that day.

jest.setTimeout(300_000);

const ONE = "update-between-answer-and-save";
/** States without the membership of fleets: only former releases wrote such states. */
const OF_FORMER_FLEETS = /^fleets(?:\/|$)/;
const KILLED = /^killed\/([^/]+)/;
/** All runs that are killed are made alike: one of them, and all in the soak. */
const isMade = runs<(name: string) => boolean>(
  (name) => name === ONE,
  () => true,
);

test("a new upgrade set has the files of the last set, and its journals contain the interrupted writes", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-set-"));
  try {
    await makeSet(folder, undefined, isMade);
    const last = folderOf(SETS.at(-1)!);
    const filesIn = (of: string) => readdirSync(of, { recursive: true, encoding: "utf8" }).sort();
    const isWanted = (name: string) =>
      name !== "README.md" && !OF_FORMER_FLEETS.test(name) && isMade(KILLED.exec(name)?.[1] ?? ONE);
    const wanted = filesIn(last).filter(isWanted);
    // Without Terraform on the machine its part is left out.
    const hasTerraform = existsSync(path.join(folder, "of-terraform"));
    expect(filesIn(folder)).toEqual(
      wanted.filter((name) => hasTerraform || !name.startsWith("of-terraform")),
    );
    const journal = readFileSync(path.join(folder, `killed/${ONE}/terraform.tfstate.journal`), "utf8");
    const [, afterEnd] = journal.split('"kind":"ended"');
    expect(afterEnd).toBeDefined();
    // A change that was begun meanwhile may have the state saved before, without what ended.
    expect(afterEnd).not.toContain('"kind":"saving"');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
