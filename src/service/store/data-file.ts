import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { describeFileProblem, requireRegularFile } from "../../files";

const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/**
 * Makes sure that a data file is there and that its owner alone may read it, with what SQLite keeps beside it: it gives
 * those the rights of the file itself. It holds the tokens of all users.
 *
 * @throws Error where something else than a file stands there, or it can't be made
 */
export function prepareDataFile(file: string): void {
  try {
    requireRegularFile(file);
    closeSync(openSync(file, "a", OWNER_ALONE));
  } catch (problem) {
    throw new Error(
      `The data can't be kept in ${file} (${describeFileProblem(problem)}). Correct --data, or give the right to write there.`,
      { cause: problem },
    );
  }
  for (const each of [file, `${file}-wal`, `${file}-shm`]) keepFromOthers(each);
}

/** Takes the rights of others from a file of this user. */
function keepFromOthers(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  const isOwn =
    found !== undefined && (process.getuid === undefined || [0, found.uid].includes(process.getuid()));
  if (isOwn && (found.mode & OTHERS) !== 0) chmodSync(file, found.mode & OWNER_ALONE);
}
