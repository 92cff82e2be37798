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
import { FileJournal, journalOf } from "../journal/file-journal";
import { acquire, heldLock, unlockError } from "../lock/lock";
import { LockFile } from "../lock/lock-file";
import { type LockInfo, type LockRequest, newLockInfo, type StateLock } from "../lock/lock-info";
import { digestOf, hasSameContent, StateDigest } from "../model/content";
import type { State } from "../model/model";
import { isSameVersion, stateChanged, type Version } from "../model/state-version";
import { codeOf, type StateAction, type StateFile, stateIoError } from "../storage/io-errors";
import { QueuedBackend, type SaveOptions, type StateBackend, serialToSave, snapshotOf } from "./backend";

/** The file's content when it was last read; `stamp` changes with every write. */
interface KnownContent {
  readonly stamp: string;
  readonly version?: Version;
  /** Its own lists: those of a state in use change. */
  readonly state?: State;
}

const ABSENT: KnownContent = { stamp: "absent" };

const fileStamp = (found: BigIntStats): string =>
  `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;

/** A state in a file, locked by a file beside it like Terraform's. */
export class LocalBackend extends QueuedBackend implements StateBackend {
  readonly description: string;
  readonly journal: FileJournal;
  private known: KnownContent | undefined;
  private isBackedUp = false;

  constructor(file: string) {
    super();
    this.description = path.resolve(file);
    this.journal = new FileJournal(this.description);
  }

  get version(): Version | undefined {
    return this.known?.version;
  }

  async read(): Promise<State | undefined> {
    const found = await this.explain("read", () => this.readCurrent());
    this.known = found.known;
    return found.state;
  }

  private async readCurrent(): Promise<{ known: KnownContent; state?: State }> {
    const file = await this.open();
    if (file === undefined) return { known: ABSENT };
    const { stamp, text, bytes } = file;
    if (text === "") {
      await this.rejectEmptied();
      return { known: { stamp } };
    }
    const state = parseState(text, this.description);
    const version: Version = { serial: state.serial, lineage: state.lineage, digest: digestOf(text, bytes) };
    return { known: { stamp, version, state: snapshotOf(state) }, state };
  }

  private async open(): Promise<{ stamp: string; text: string; bytes: Buffer } | undefined> {
    if ((await this.stat()) === undefined) {
      await this.requireFolder();
      return undefined;
    }
    const handle = await openFile(this.description);
    try {
      const stamp = fileStamp(await handle.stat({ bigint: true }));
      const bytes = await readAll(handle);
      return { stamp, text: decodeStateText(bytes, this.description), bytes };
    } finally {
      await handle.close();
    }
  }

  /** A link into a missing folder, such as that of an unmounted volume, does not mean a new state. */
  private async requireFolder(): Promise<void> {
    const found = await lstat(this.description).catch(() => undefined);
    if (found?.isSymbolicLink()) await resolveLinks(this.description);
  }

  /** Terraform leaves an empty file if its first run ended early. If a backup exists, a state was lost. */
  private async rejectEmptied(): Promise<void> {
    const backup = await stat(this.backupPath).catch(() => undefined);
    if (backup !== undefined && backup.size > 0) parseState("", this.description);
  }

  private get backupPath(): string {
    return `${this.description}.backup`;
  }

  protected save(state: State, options: SaveOptions): Promise<void> {
    return this.explain("write", () => this.saveChanged(state, options));
  }

  private async saveChanged(state: State, options: SaveOptions): Promise<void> {
    const before = await this.requireUnchanged();
    const serial = serialToSave(state, before.version, this.description, options);
    if (before.state !== undefined && hasSameContent(before.state, state)) return;
    const target = await resolveLinks(this.description);
    const pending = await PendingFile.create(target);
    try {
      const digest = new StateDigest();
      await pending.write(digest.through(formatStateInParts({ ...state, serial })));
      const version: Version = { serial, lineage: state.lineage, digest: digest.value() };
      if (version.digest === before.version?.digest) return await pending.discard();
      await this.backUp(before);
      await options.announce?.(version);
      await pending.commit();
      this.known = { stamp: await this.stamp(), version, state };
    } catch (problem) {
      await pending.discard();
      throw problem;
    }
  }

  /** The file's content, which must be the one last read or written here. */
  private async requireUnchanged(): Promise<KnownContent> {
    const last = this.known;
    if (last !== undefined && (await this.stamp()) === last.stamp) return last;
    const { known } = await this.readCurrent();
    const isMoved = last !== undefined && !isSameVersion(last.version, known.version);
    if (isMoved) stateChanged(last.version, known.version, this.description);
    this.known = known;
    return known;
  }

  private async stamp(): Promise<string> {
    const found = await this.stat();
    return found === undefined ? ABSENT.stamp : fileStamp(found);
  }

  private async stat(): Promise<BigIntStats | undefined> {
    try {
      return await stat(this.description, { bigint: true });
    } catch (problem) {
      if (codeOf(problem) === "ENOENT") return undefined;
      throw problem;
    }
  }

  /** Backs up the state as the run found it, before the first change. */
  private async backUp(before: KnownContent): Promise<void> {
    if (this.isBackedUp || before.version === undefined) return;
    const text = decodeStateText(await readFile(this.description), this.description);
    await replaceFile(await resolveLinks(this.backupPath), [text]);
    this.isBackedUp = true;
  }

  async lock(request: LockRequest): Promise<StateLock> {
    return this.explain("lock", async () => {
      const target = await resolveLinks(this.description);
      this.requireRegularFiles(target);
      const lockFile = lockFileOf(target);
      const info = newLockInfo(request, this.description);
      const stale = await acquire(() => lockFile.attempt(info), request, this.description);
      // Who is locking at this moment makes another attempt: of a file from before a restart nobody knows whose it is.
      await removeTemporaryFiles([target, this.backupPath, journalOf(target), lockFile.path], "any");
      return heldLock(
        info,
        () => this.explain("lock", async () => void (await lockFile.remove(info.id))),
        stale,
      );
    });
  }

  /** The holder of the lock will write these files: report unwritable ones before anything is done. */
  private requireRegularFiles(target: string): void {
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
      if (holder === undefined || holder.id !== id) return unlockError(id, holder, this.description);
      const other = await lockFile.remove(id);
      return other === undefined ? holder : unlockError(id, other, this.description);
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
