import { constants } from "node:fs";
import { copyFile, link, rename } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { FileProblem, isDead, PendingFile, readFile, removeFile, SMALL_FILE } from "../../files";
import { codeOf, stateIoError } from "../storage/io-errors";
import {
  formatLockInfo,
  guardedError,
  type LockAttempt,
  type LockInfo,
  newLockInfo,
  parseLockInfo,
} from "./lock";

const GUARD_RETRY_MS = 5;

/**
 * A lock file, held by the process that created it. Two rules ensure that only one process holds the lock, even if a
 * holder dies at any moment:
 *
 * 1. A process first writes a complete temporary file. The process then creates the lock as a hard link to this file.
 *    The creation of the link fails if a lock exists.
 * 2. A process replaces or removes an existing lock only while it holds the guard, and after it has read the lock
 *    again. The guard is a second lock file next to the lock, held for a few system calls.
 *
 * A process that takes over the lock of a dead process therefore can't remove the lock of a faster process. The new holder may
 * remove the temporary files of all other attempts, which then create new files. The holder of a guard removes the guard. If the
 * holder of a guard is dead, another process takes over the guard by the same rules. If a guard stays thousands of times longer
 * than usual, its process is on another machine, or ran before a restart. Steward can't check a process on another machine or
 * from before a restart. The guard is removed by a process that releases the lock, or by a user who removes the lock.
 */
export class LockFile {
  constructor(
    readonly path: string,
    private readonly guardPatienceMs = 10_000,
    private readonly isGuard = false,
  ) {}

  private get guardPath(): string {
    return `${this.path}.guard`;
  }

  /** Tries once to acquire the lock. */
  async attempt(info: LockInfo): Promise<LockAttempt> {
    const pending = await PendingFile.create(this.path);
    const finished = pending.temporary;
    try {
      await pending.write([formatLockInfo(info)]);
      if (await linkIfAbsent(finished, this.path)) return { isTaken: true };
      const holder = await this.read();
      if (holder === undefined) return { isTaken: false };
      if (holder.process === undefined || !isDead(holder.process)) return { isTaken: false, holder };
      return await this.takeOver(holder, finished);
    } finally {
      await pending.discard();
    }
  }

  private takeOver(dead: LockInfo, finished: string): Promise<LockAttempt> {
    const replace = async (): Promise<LockAttempt> => {
      const holder = await this.read();
      if (holder === undefined) return { isTaken: false };
      if (holder.id !== dead.id) return { isTaken: false, holder };
      return (await hasWon(rename(finished, this.path)))
        ? { isTaken: true, stale: dead }
        : { isTaken: false };
    };
    return this.underGuard(replace, (guard) => {
      throw guardedError(guard, this.guardPath, this.isGuard ? undefined : dead.id);
    });
  }

  /** Returns the current holder; undefined if no lock exists. @throws DiagnosticError if the path is not a regular file */
  async read(): Promise<LockInfo | undefined> {
    try {
      const bytes = await readFile(this.path, { links: "refuse", maxBytes: SMALL_FILE });
      return parseLockInfo(bytes.toString("utf8"), this.path);
    } catch (problem) {
      if (codeOf(problem) === "ENOENT") return undefined;
      // A valid lock is never this long, so this lock is unreadable.
      if (problem instanceof FileProblem && problem.fault === "too_large")
        return parseLockInfo("", this.path);
      throw problem instanceof FileProblem ? stateIoError(problem, "lock", this.path, "lock") : problem;
    }
  }

  /** Removes the lock with this id. If the current lock has another id, returns that lock. */
  remove(id: string): Promise<LockInfo | undefined> {
    const remove = async (): Promise<LockInfo | undefined> => {
      const holder = await this.read();
      if (holder?.id !== id) return holder;
      await removeFile(this.path);
      return undefined;
    };
    return this.underGuard(remove, async (left, guard) => {
      if (left.id === "") throw guardedError(left, guard.path);
      await guard.remove(left.id);
    });
  }

  /** Runs an action while this process holds the guard. @param onLeft handles a guard that its holder does not release */
  private async underGuard<T>(
    action: () => Promise<T>,
    onLeft: (holder: LockInfo, guard: LockFile) => Promise<void>,
  ): Promise<T> {
    const guard = new LockFile(this.guardPath, this.guardPatienceMs, true);
    const info = newLockInfo({ operation: "guard" }, guard.path);
    let [since, seen] = [performance.now(), ""];
    for (;;) {
      const result = await guard.attempt(info);
      if (result.isTaken) break;
      const { id } = result.holder ?? { id: "" };
      if (id !== seen) [since, seen] = [performance.now(), id];
      // A dead process on another machine or in another container can't be distinguished from a slow one.
      if (performance.now() >= since + this.guardPatienceMs) {
        await onLeft(result.holder ?? parseLockInfo("", guard.path), guard);
        since = performance.now();
      }
      await pause(GUARD_RETRY_MS);
    }
    try {
      return await action();
    } finally {
      await removeFile(guard.path);
    }
  }
}

/**
 * Returns whether the creation or replacement of the lock succeeded. The step fails if another process holds the lock, or has
 * held the lock and removed the temporary files of other attempts.
 */
async function hasWon(step: Promise<void>): Promise<boolean> {
  try {
    await step;
    return true;
  } catch (problem) {
    if (["EEXIST", "ENOENT"].includes(codeOf(problem) ?? "")) return false;
    throw problem;
  }
}

const LINKS_UNSUPPORTED = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

async function linkIfAbsent(finished: string, place: string): Promise<boolean> {
  try {
    return await hasWon(link(finished, place));
  } catch (problem) {
    if (!LINKS_UNSUPPORTED.has(codeOf(problem) ?? "")) throw problem;
    // Some file systems have no hard links. A copy also fails if the lock exists. Other processes can read an incomplete lock
    // during the copy.
    return hasWon(copyFile(finished, place, constants.COPYFILE_EXCL));
  }
}
