import type { BigIntStats } from "node:fs";
import { lstat, mkdir, stat } from "node:fs/promises";
import path from "node:path";
import {
  isDead,
  openFile,
  PendingFile,
  readAll,
  readFile,
  removeTemporaryFiles,
  replaceFile,
  requireRegularFile,
  resolveLinks,
} from "../../files";
import { decodeStateText } from "../format/fields";
import { parseState } from "../format/file-format";
import { readableParts } from "../format/format-state";
import { isJournalStart, JOURNAL_START } from "../journal/entries";
import { FileJournal, journalOf } from "../journal/file-journal";
import { acquire, type LockInfo, type LockRequest, type StateLock, unlockError } from "../lock/lock";
import { LockFile } from "../lock/lock-file";
import { digestOf, type State, StateDigest, type Version } from "../model/model";
import { codeOf, type StateAction, type StateFile, stateIoError } from "../storage/io-errors";
import { stateIsJournal } from "../storage/occupied";
import { type Announce, type LocationUse, QueuedBackend, type Seen, type StorageLocation } from "./backend";

/** The state in the file at the last read or write. `stamp` changes with every write. */
interface SeenFile extends Seen {
  readonly stamp: string;
}

const ABSENT: SeenFile = { stamp: "absent" };

const fileStamp = (found: BigIntStats): string =>
  `${found.dev} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;

/** A state in a file. The lock is a file next to the state, with the same name and format as Terraform's lock. */
export class LocalBackend extends QueuedBackend<SeenFile> {
  readonly description: string;
  readonly journal: FileJournal;
  private isBackedUp = false;

  /** @param options whether to create the folder together with the state, as for a workspace */
  constructor(
    file: string,
    private readonly options: { readonly createsFolder?: boolean } = {},
  ) {
    super();
    this.description = path.resolve(file);
    this.journal = new FileJournal(this.description);
  }

  async locations(): Promise<readonly StorageLocation[]> {
    // A missing folder is ignored here. The code that reads or writes there reports it.
    const target = await resolveLinks(this.description).catch(() => this.description);
    const files: readonly (readonly [LocationUse, string])[] = [
      ["state", target],
      ["journal", journalOf(target)],
      ["backup", this.backupPath],
      ["lock", lockFileOf(target).path],
    ];
    return Promise.all(
      files.map(async ([use, file]) => ({
        use,
        description: use === "state" ? this.description : file,
        keys: await keysOfFile(file),
      })),
    );
  }

  override read(): Promise<State | undefined> {
    return this.explain("read", () => super.read());
  }

  protected override save(...args: Parameters<QueuedBackend<SeenFile>["save"]>): Promise<void> {
    return this.explain("write", () => super.save(...args));
  }

  protected async load(): Promise<SeenFile> {
    const file = await this.open();
    if (file === undefined) return ABSENT;
    const { stamp, text, bytes } = file;
    if (text === "") {
      await this.rejectEmptied();
      return { stamp };
    }
    if (isJournalStart(text.slice(0, JOURNAL_START))) return stateIsJournal(this.description);
    const state = parseState(text, this.description);
    const version: Version = { serial: state.serial, lineage: state.lineage, digest: digestOf(text, bytes) };
    return { stamp, version, state };
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

  /**
   * Rejects a link into a missing folder, such as the folder of an unmounted volume. A state can then exist although its file is
   * missing now.
   */
  private async requireFolder(): Promise<void> {
    const found = await lstat(this.description).catch(() => undefined);
    if (found?.isSymbolicLink()) await resolveLinks(this.description);
  }

  /**
   * Rejects an empty file if a backup exists, because a state was then lost. Without a backup, an empty file is allowed:
   * Terraform leaves an empty file if its first run ended early.
   */
  private async rejectEmptied(): Promise<void> {
    const backup = await stat(this.backupPath).catch(() => undefined);
    if (backup !== undefined && backup.size > 0) parseState("", this.description);
  }

  private get backupPath(): string {
    return `${this.description}.backup`;
  }

  protected async store(state: State, before: SeenFile, announce?: Announce): Promise<SeenFile | undefined> {
    const target = await resolveLinks(this.description);
    const pending = await PendingFile.create(target);
    try {
      const digest = new StateDigest();
      await pending.write(digest.through(readableParts(state)));
      await pending.requireReadBack("text");
      const version: Version = { serial: state.serial, lineage: state.lineage, digest: digest.value() };
      if (version.digest === before.version?.digest) {
        await pending.discard();
        return undefined;
      }
      await this.backUp(before);
      await announce?.(version);
      await pending.commit();
      return { stamp: await this.stamp(), version, state };
    } catch (problem) {
      await pending.discard();
      throw problem;
    }
  }

  protected async isCurrent({ stamp }: SeenFile): Promise<boolean> {
    return (await this.stamp()) === stamp;
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

  /** Copies the state file to the backup before the first change of this run. */
  private async backUp(before: SeenFile): Promise<void> {
    if (this.isBackedUp || before.version === undefined) return;
    const text = decodeStateText(await readFile(this.description), this.description);
    // This text was already parsed as a state. It is therefore enough to compare the bytes of the copy.
    await replaceFile(await resolveLinks(this.backupPath), { text, reader: "text" });
    this.isBackedUp = true;
  }

  async lock(request: LockRequest): Promise<StateLock> {
    return this.explain("lock", async () => {
      if (this.options.createsFolder) await mkdir(path.dirname(this.description), { recursive: true });
      const target = await resolveLinks(this.description);
      this.requireRegularFiles(target);
      const lockFile = lockFileOf(target);
      const lock = await acquire(request, this.description, {
        attempt: (info) => lockFile.attempt(info),
        release: ({ id }) => this.explain("lock", async () => void (await lockFile.remove(id))),
      });
      // Removes the temporary files of all processes, because the owner of a file from before a restart of the machine is
      // unknown. If another process is trying to lock now, its attempt fails and it tries again.
      await removeTemporaryFiles([target, this.backupPath, journalOf(target), lockFile.path], "any");
      return lock;
    });
  }

  /** Before the run changes anything, throws if a file that the run will write is not a regular file. */
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

  async holder(): Promise<LockInfo | "unknown" | undefined> {
    try {
      const holder = await lockFileOf(await resolveLinks(this.description)).read();
      const hasEnded = holder?.process !== undefined && isDead(holder.process);
      return hasEnded ? undefined : holder;
    } catch {
      // The lock can't be read. This is not an error, because a run without a lock needs no permission to read it.
      return "unknown";
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

/** Returns the keys of a file: its path without links, and its device with its inode, because a file can have several names. */
async function keysOfFile(file: string): Promise<string[]> {
  const resolved = await resolveLinks(file).catch(() => file);
  const found = await stat(file, { bigint: true }).catch(() => undefined);
  return found === undefined || found.ino === 0n ? [resolved] : [resolved, `${found.dev} ${found.ino}`];
}

/** Returns `.NAME.lock.info` in the folder of the file itself, so that two links to one state share one lock. */
function lockFileOf(target: string): LockFile {
  const name = path.basename(target).replace(/^\./, "");
  return new LockFile(path.join(path.dirname(target), `.${name}.lock.info`));
}
