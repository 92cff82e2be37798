import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { isMarkOfDead, processMark } from "./process-identity";
import { removeFile } from "./remove-file";

/**
 * The temporary file for the next content of a file: `.NAME.MARK-RANDOM.new` beside it. The mark identifies
 * the process.
 */
export const temporaryName = (target: string): string =>
  path.join(
    path.dirname(target),
    `.${path.basename(target)}.${processMark()}-${randomBytes(4).toString("hex")}.new`,
  );

/**
 * The process mark in the name of a temporary file; earlier releases use the process id alone. The files of a lock's guard,
 * and of the guard's own guard, are those of the lock.
 */
const MARK = /^(?:guard\.)*(\d+(?:-[0-9a-f]{8}-[0-9a-f]{8})?)-[0-9a-f]{8}\.new$/;

function markOf(entry: string, name: string): string | undefined {
  const prefix = `.${name}.`;
  return entry.startsWith(prefix) ? MARK.exec(entry.slice(prefix.length))?.[1] : undefined;
}

/** Whose files are removed: those of dead processes, or all, for the holder of the lock on the files. */
export type Owners = "gone" | "any";

/** Removes temporary files that killed runs left beside these files. */
export async function removeTemporaryFiles(targets: readonly string[], owners: Owners): Promise<void> {
  for (const folder of new Set(targets.map((target) => path.dirname(target)))) {
    const names = targets
      .filter((target) => path.dirname(target) === folder)
      .map((one) => path.basename(one));
    for (const entry of await readdir(folder)) {
      const mark = names.map((name) => markOf(entry, name)).find((found) => found !== undefined);
      if (mark !== undefined && (owners === "any" || isMarkOfDead(mark)))
        await removeFile(path.join(folder, entry));
    }
  }
}
