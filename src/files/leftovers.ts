import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { isMarkOfGone, ownMark } from "./process-identity";
import { removeFile } from "./remove-file";

/** Where the next content of a file is written: `.NAME.MARK-RANDOM.new` beside it. The mark tells whose it is. */
export const temporaryName = (target: string): string =>
  path.join(
    path.dirname(target),
    `.${path.basename(target)}.${ownMark()}-${randomBytes(4).toString("hex")}.new`,
  );

/** The mark in the name of what was to become a file; a name of an earlier release has the process's number alone. */
const MARK = /^(\d+(?:-[0-9a-f]{8}-[0-9a-f]{8})?)-[0-9a-f]{8}\.new$/;

function markIn(entry: string, name: string): string | undefined {
  const prefix = `.${name}.`;
  return entry.startsWith(prefix) ? MARK.exec(entry.slice(prefix.length))?.[1] : undefined;
}

/** Whose files may be removed: those of processes that are certainly gone, or all, for who holds the lock on the files. */
export type Makers = "gone" | "any";

/** Removes what killed runs were writing in place of these files. */
export async function removeLeftovers(targets: readonly string[], makers: Makers): Promise<void> {
  for (const folder of new Set(targets.map((target) => path.dirname(target)))) {
    const names = targets
      .filter((target) => path.dirname(target) === folder)
      .map((one) => path.basename(one));
    for (const entry of await readdir(folder)) {
      const mark = names.map((name) => markIn(entry, name)).find((found) => found !== undefined);
      if (mark !== undefined && (makers === "any" || isMarkOfGone(mark)))
        await removeFile(path.join(folder, entry));
    }
  }
}
