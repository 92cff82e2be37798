import { constants } from "node:fs";
import { copyFile, link, open, rename } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { FileProblem, isDead, readFile, removeFile, SMALL_FILE, temporaryName } from "../../files";
import { codeOf, stateIoError } from "../storage/io-errors";
import { formatLockInfo, guardedError, type LockInfo, newLockInfo, parseLockInfo } from "./lock-info";

/** What came of one try for a lock. `holder` is left out when it was given back at that very moment. */
export type Attempt =
  | { readonly taken: true; readonly tookOver?: LockInfo }
  | { readonly taken: false; readonly holder?: LockInfo };

const GUARD_RETRY_MS = 5;

/**
 * A lock that is a file: who made it holds it. Two rules keep it exclusive, also when a holder dies at any moment:
 *
 * 1. it comes to be complete and only where none is (a hard link to a finished file);
 * 2. a lock that is already there is replaced or removed by none but who holds its guard - a second lock of this
 *    kind beside it, held for a few system calls - and looked at again under it.
 *
 * So who takes over a dead process's lock can't hit the lock of somebody who was faster. A guard is removed by its
 * own holder alone, for nobody else touches the guard of a process that lives; a dead one's is taken over by these
 * same rules.
 */
export class LockFile {
  constructor(
    readonly path: string,
    private readonly guardPatienceMs = 10_000,
  ) {}

  /** The lock and its guard. */
  get paths(): readonly string[] {
    return [this.path, this.guardPath];
  }

  private get guardPath(): string {
    return `${this.path}.guard`;
  }

  /** Tries once. */
  async attempt(info: LockInfo): Promise<Attempt> {
    const finished = temporaryName(this.path);
    try {
      await writeDurably(finished, formatLockInfo(info));
      if (await placeWhereNoneIs(finished, this.path)) return { taken: true };
      const holder = await this.read();
      if (holder === undefined) return { taken: false };
      if (holder.process === undefined || !isDead(holder.process)) return { taken: false, holder };
      return await this.takeOver(holder, finished);
    } finally {
      await removeFile(finished);
    }
  }

  private takeOver(dead: LockInfo, finished: string): Promise<Attempt> {
    return this.underGuard(async (): Promise<Attempt> => {
      const holder = await this.read();
      if (holder === undefined) return { taken: false };
      if (holder.id !== dead.id) return { taken: false, holder };
      await rename(finished, this.path);
      return { taken: true, tookOver: dead };
    });
  }

  /** Who holds it now. @throws DiagnosticError where something stands there that is no lock */
  async read(): Promise<LockInfo | undefined> {
    try {
      const bytes = await readFile(this.path, { links: "refuse", maxBytes: SMALL_FILE });
      return parseLockInfo(bytes.toString("utf8"), this.path);
    } catch (problem) {
      if (codeOf(problem) === "ENOENT") return undefined;
      // Nobody's lock is that long: it counts as one that can't be read.
      if (problem instanceof FileProblem && problem.fault === "too_large")
        return parseLockInfo("", this.path);
      throw problem instanceof FileProblem ? stateIoError(problem, "lock", this.path, "lock") : problem;
    }
  }

  /** Removes the lock with this id; returns the one that is there when it is another. */
  remove(id: string): Promise<LockInfo | undefined> {
    return this.underGuard(async () => {
      const holder = await this.read();
      if (holder?.id !== id) return holder;
      await removeFile(this.path);
      return undefined;
    });
  }

  private async underGuard<T>(action: () => Promise<T>): Promise<T> {
    const guard = new LockFile(this.guardPath);
    const info = newLockInfo({ operation: "guard" }, guard.path);
    const deadline = performance.now() + this.guardPatienceMs;
    for (;;) {
      const result = await guard.attempt(info);
      if (result.taken) break;
      // Who died while holding it on another host or in another container can't be told from who is slow.
      if (performance.now() >= deadline)
        throw guardedError(result.holder ?? parseLockInfo("", guard.path), guard.path);
      await pause(GUARD_RETRY_MS);
    }
    try {
      return await action();
    } finally {
      await removeFile(guard.path);
    }
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const NO_LINKS = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

async function placeWhereNoneIs(finished: string, place: string): Promise<boolean> {
  try {
    await link(finished, place);
    return true;
  } catch (problem) {
    if (codeOf(problem) === "EEXIST") return false;
    if (!NO_LINKS.has(codeOf(problem) ?? "")) throw problem;
  }
  return copyWhereNoneIs(finished, place);
}

/** For file systems without hard links: exclusive too, but for a moment others see a lock that can't be read yet. */
async function copyWhereNoneIs(finished: string, place: string): Promise<boolean> {
  try {
    await copyFile(finished, place, constants.COPYFILE_EXCL);
    return true;
  } catch (problem) {
    if (codeOf(problem) === "EEXIST") return false;
    throw problem;
  }
}
