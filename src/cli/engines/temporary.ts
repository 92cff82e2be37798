import { lstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isMarkOfGone, ownMark } from "../../files";

const PREFIX = "steward-plan-";
const LEFT = new RegExp(`^${PREFIX}(\\d+-[0-9a-f]{8}-[0-9a-f]{8})-`);

/** Lends a folder that this user alone can enter: a plan holds every value. It goes with the process, if not before. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  removeLeft();
  const folder = mkdtempSync(path.join(tmpdir(), `${PREFIX}${ownMark()}-`));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once("exit", remove);
  try {
    return await work(folder);
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/** Removes the folders of this user's processes that were killed. */
function removeLeft(): void {
  for (const name of readdirSync(tmpdir())) {
    const mark = LEFT.exec(name)?.[1];
    if (mark === undefined || !isMarkOfGone(mark)) continue;
    const folder = path.join(tmpdir(), name);
    const owner = lstatSync(folder, { throwIfNoEntry: false })?.uid;
    if (process.getuid === undefined || owner === process.getuid())
      rmSync(folder, { recursive: true, force: true });
  }
}
