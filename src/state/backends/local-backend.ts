import type { BigIntStats } from "node:fs";
import { lstat, stat } from "node:fs/promises";
import path from "node:path";
import {
  openFile,
  PendingFile,
  readAll,
  readFile,
  removeTemporaryFiles,
  replaceFile,
  requireRegularFile,
  resolveLinks,
} from "../../files";
import { decodeStateText, parseState } from "../format/file-format";
import { formatStateInParts } from "../format/format-state";
import { JournalFile, journalOf } from "../journal/journal-file";
import { acquire, heldLock, refuseUnlock } from "../lock/lock";
import { LockFile } from "../lock/lock-file";
import { type LockInfo, type LockRequest, newLockInfo, type StateLock } from "../lock/lock-info";
import type { State } from "../model/model";
import { digestOf, StateDigest } from "../model/state-digest";
import { isSameVersion, lineageDiffers, movedOn, type Version } from "../model/state-version";
import { codeOf, type StateAction, type StateFile, stateIoError } from "../storage/io-errors";
import { type Announce, type StateBackend, snapshotOf } from "./backend";

/** What the file held when it was last looked at; `stamp` changes whenever somebody writes it. */
interface Seen {
  readonly stamp: string;
  readonly version?: Version;
}

const ABSENT: Seen = { stamp: "absent" };

const stampOf = (found: BigIntStats): string =>
  `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;

/** A state in a file, locked by a file beside it as Terraform does it. */
export class LocalBackend implements StateBackend {
  readonly description: string;
  readonly journal: JournalFile;
  private seen: Seen | undefined;
  private backedUp = false;
  private writing: Promise<void> = Promise.resolve();

  constructor(file: string) {
    this.description = path.resolve(file);
    this.journal = new JournalFile(this.description);
  }

  get version(): Version | undefined {
    return this.seen?.version;
  }

  async read(): Promise<State | undefined> {
    const found = await this.explain("read", () => this.look());
    this.seen = found.seen;
    return found.state;
  }

  private async look(): Promise<{ seen: Seen; state?: State }> {
    const file = await this.open();
    if (file === undefined) return { seen: ABSENT };
    const { stamp, text } = file;
    if (text === "") {
      await this.refuseEmptied();
      return { seen: { stamp } };
    }
    const state = parseState(text, this.description);
    return {
      seen: { stamp, version: { serial: state.serial, lineage: state.lineage, digest: digestOf(text) } },
      state,
    };
  }

  private async open(): Promise<{ stamp: string; text: string } | undefined> {
    if ((await this.stat()) === undefined) {
      await this.refuseLostFolder();
      return undefined;
    }
    const handle = await openFile(this.description);
    try {
      const stamp = stampOf(await handle.stat({ bigint: true }));
      return { stamp, text: decodeStateText(await readAll(handle), this.description) };
    } finally {
      await handle.close();
    }
  }

  /** A link into a folder that is gone, such as a mount's, is no sign that there was never a state. */
  private async refuseLostFolder(): Promise<void> {
    const found = await lstat(this.description).catch(() => undefined);
    if (found?.isSymbolicLink()) await resolveLinks(this.description);
  }

  /** Terraform leaves an empty file where its first run ended early. Beside a backup it means that a state was lost. */
  private async refuseEmptied(): Promise<void> {
    const backup = await stat(this.backupPath).catch(() => undefined);
    if (backup !== undefined && backup.size > 0) parseState("", this.description);
  }

  private get backupPath(): string {
    return `${this.description}.backup`;
  }

  write(state: State, announce?: Announce): Promise<void> {
    const snapshot = snapshotOf(state);
    const write = this.writing.then(() => this.explain("write", () => this.save(snapshot, announce)));
    this.writing = write.catch(() => undefined);
    return write;
  }

  private async save(state: State, announce?: Announce): Promise<void> {
    const before = await this.unmoved();
    lineageDiffers(state, before.version, this.description);
    const serial = (before.version?.serial ?? state.serial) + 1;
    const target = await resolveLinks(this.description);
    const pending = await PendingFile.create(target);
    try {
      const digest = new StateDigest();
      await pending.write(digest.through(formatStateInParts({ ...state, serial })));
      const version: Version = { serial, lineage: state.lineage, digest: digest.value() };
      if (version.digest === before.version?.digest) return await pending.discard();
      await this.backUp(before);
      await announce?.(version);
      await pending.commit();
      this.seen = { stamp: await this.stamp(), version };
    } catch (problem) {
      await pending.discard();
      throw problem;
    }
  }

  /** What the file holds, which must be what was read or written here last. */
  private async unmoved(): Promise<Seen> {
    const last = this.seen;
    if (last !== undefined && (await this.stamp()) === last.stamp) return last;
    const { seen } = await this.look();
    const isMoved = last !== undefined && !isSameVersion(last.version, seen.version);
    if (isMoved) movedOn(last.version, seen.version, this.description);
    this.seen = seen;
    return seen;
  }

  private async stamp(): Promise<string> {
    const found = await this.stat();
    return found === undefined ? ABSENT.stamp : stampOf(found);
  }

  private async stat(): Promise<BigIntStats | undefined> {
    try {
      return await stat(this.description, { bigint: true });
    } catch (problem) {
      if (codeOf(problem) === "ENOENT") return undefined;
      throw problem;
    }
  }

  /** Keeps the state as the run found it, once and before the first change. */
  private async backUp(before: Seen): Promise<void> {
    if (this.backedUp || before.version === undefined) return;
    const text = decodeStateText(await readFile(this.description), this.description);
    await replaceFile(await resolveLinks(this.backupPath), [text]);
    this.backedUp = true;
  }

  async lock(request: LockRequest): Promise<StateLock> {
    return this.explain("lock", async () => {
      const target = await resolveLinks(this.description);
      this.refuseUnlessFiles(target);
      const lockFile = lockFileOf(target);
      const info = newLockInfo(request, this.description);
      const tookOver = await acquire(() => lockFile.attempt(info), request, this.description);
      await removeTemporaryFiles([target, this.backupPath, journalOf(target)], "any");
      // Others may try for the lock at this moment, each with a file of its own.
      await removeTemporaryFiles(lockFile.paths, "gone");
      return heldLock(
        info,
        () => this.explain("lock", async () => void (await lockFile.remove(info.id))),
        tookOver,
      );
    });
  }

  /** Who takes the lock is going to write these: what can't be written is told before anything else is done. */
  private refuseUnlessFiles(target: string): void {
    const files: readonly (readonly [StateFile, string, "follow" | "refuse"])[] = [
      ["state", target, "follow"],
      ["backup", this.backupPath, "follow"],
      ["journal", journalOf(target), "refuse"],
    ];
    for (const [what, file, links] of files) {
      try {
        requireRegularFile(file, links);
      } catch (problem) {
        throw stateIoError(problem, "write", file, what);
      }
    }
  }

  async unlock(id: string): Promise<LockInfo> {
    return this.explain("lock", async () => {
      const lockFile = lockFileOf(await resolveLinks(this.description));
      const holder = await lockFile.read();
      if (holder === undefined || holder.id !== id) return refuseUnlock(id, holder, this.description);
      const other = await lockFile.remove(id);
      return other === undefined ? holder : refuseUnlock(id, other, this.description);
    });
  }

  private async explain<T>(action: StateAction, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (problem) {
      throw stateIoError(problem, action, this.description);
    }
  }
}

/** `.NAME.lock.info` beside the file itself, so that two links to one state share one lock. */
function lockFileOf(target: string): LockFile {
  const name = path.basename(target).replace(/^\./, "");
  return new LockFile(path.join(path.dirname(target), `.${name}.lock.info`));
}
