import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { describeFileProblem, requireRegularFile } from "../../files";

const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/**
 * Creates a data file if missing, and makes it and SQLite's files beside it readable by their owner only, as they hold
 * digests of tokens. SQLite creates its files with the mode of the data file.
 *
 * @throws Error if the path is not a regular file, or cannot be created.
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

/** Removes permissions of group and others from a file of this user. */
function keepFromOthers(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  const isOwn =
    found !== undefined && (process.getuid === undefined || [0, found.uid].includes(process.getuid()));
  if (isOwn && (found.mode & OTHERS) !== 0) chmodSync(file, found.mode & OWNER_ALONE);
}
