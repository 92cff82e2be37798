import { stat } from "node:fs/promises";
import path from "node:path";
import { fail } from "../../diagnostics";
import {
  describeFileProblem,
  LARGE_FILE,
  readFile,
  removeTemporaryFiles,
  replaceFile,
  resolveLinks,
} from "../../files";
import { FIRST_LINE } from "../../snapshot";

/** The file of a snapshot. */
export class SnapshotFile {
  private constructor(
    readonly path: string,
    /** Whether the file is an earlier snapshot. */
    readonly isSnapshot: boolean,
  ) {}

  /**
   * Only snapshots are replaced: a fixture that somebody wrote by hand, and any other file, is kept without --force.
   *
   * @throws DiagnosticError `snapshot_not_replaced`, `snapshot_unwritable`
   */
  static async open(file: string, { force }: { readonly force: boolean }): Promise<SnapshotFile> {
    if ((await stat(file).catch(() => undefined)) === undefined) {
      await requireFolder(file);
      return new SnapshotFile(file, false);
    }
    const isSnapshot = await beginsAsSnapshot(file);
    if (!isSnapshot && !force) {
      fail({
        code: "snapshot_not_replaced",
        summary: "The file is not a snapshot",
        detail: `${file} exists and was not written by \`steward snapshot\`. Name another file, or replace it with --force.`,
      });
    }
    return new SnapshotFile(file, isSnapshot);
  }

  /** @throws DiagnosticError `snapshot_unwritable` */
  async write(text: string): Promise<void> {
    try {
      const target = await resolveLinks(this.path);
      // It names people: nobody else needs to read it.
      await replaceFile(target, [text], "owner");
      await removeTemporaryFiles([target], "gone");
    } catch (problem) {
      unwritable(this.path, problem);
    }
  }
}

async function requireFolder(file: string): Promise<void> {
  try {
    await stat(path.dirname(file));
  } catch (problem) {
    unwritable(file, problem);
  }
}

async function beginsAsSnapshot(file: string): Promise<boolean> {
  try {
    const content = await readFile(file, { maxBytes: LARGE_FILE });
    return content.length === 0 || content.toString("utf8").startsWith(FIRST_LINE);
  } catch (problem) {
    return unwritable(file, problem);
  }
}

const unwritable = (file: string, problem: unknown): never =>
  fail({
    code: "snapshot_unwritable",
    summary: "The snapshot can't be written",
    detail: `${file} can't be written (${describeFileProblem(problem)}).`,
  });
