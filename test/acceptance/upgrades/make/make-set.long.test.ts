import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { runs } from "../../../support/capabilities";
import { folderOf, SETS } from "../opened";
import { makeSet } from "./make-set";

// The test runs the program that writes a set. The program must still work when the next release needs a new set.

jest.setTimeout(300_000);

const ONE = "update-between-answer-and-save";
/** Matches the paths of states that do not record the fleets of objects. Only former releases could write these states. */
const OF_FORMER_FLEETS = /^fleets(?:\/|$)/;
const KILLED = /^killed\/([^/]+)/;
/**
 * Selects the killed runs to make: one run in `npm test`, all runs in the soak. All killed runs are made in the same way.
 */
const isMade = runs<(name: string) => boolean>(
  (name) => name === ONE,
  () => true,
);

test("a new set of files for upgrade tests has the same file names as the last set", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-set-"));
  try {
    await makeSet(folder, undefined, isMade);
    const last = folderOf(SETS.at(-1)!);
    const filesIn = (of: string) => readdirSync(of, { recursive: true, encoding: "utf8" }).sort();
    const isWanted = (name: string) =>
      name !== "README.md" && !OF_FORMER_FLEETS.test(name) && isMade(KILLED.exec(name)?.[1] ?? ONE);
    const wanted = filesIn(last).filter(isWanted);
    // On a machine without Terraform, the set lacks the files of Terraform.
    const hasTerraform = existsSync(path.join(folder, "of-terraform"));
    expect(filesIn(folder)).toEqual(
      wanted.filter((name) => hasTerraform || !name.startsWith("of-terraform")),
    );
    const journal = readFileSync(path.join(folder, `killed/${ONE}/terraform.tfstate.journal`), "utf8");
    const [, afterEnd] = journal.split('"kind":"ended"');
    expect(afterEnd).toBeDefined();
    // The journal must not contain a save after the ended change. A save before the end of the change is possible if
    // another change began at the same time.
    expect(afterEnd).not.toContain('"kind":"saving"');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
