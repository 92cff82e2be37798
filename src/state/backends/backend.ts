import type { JournalStore } from "../journal/entries";
import type { LockInfo, LockRequest, StateLock } from "../lock/lock";
import {
  hasSameContent,
  isSameVersion,
  pushedSerial,
  requireLineage,
  type State,
  snapshotOf,
  stateChanged,
  type Version,
} from "../model/model";

export type Announce = (version: Version) => Promise<void>;

/**
 * The state that was last read or saved. The recorded lists are copies, because the lists of a state change while the
 * state is in use.
 */
export interface Seen {
  readonly version?: Version;
  readonly state?: State;
}

/** The kind of data that a backend stores at a location. */
export type LocationUse = "state" | "journal" | "backup" | "lock";

/** A file or URL that a backend reads and writes. */
export interface StorageLocation {
  readonly use: LocationUse;
  /** The location for messages: a path or a URL without credentials. */
  readonly description: string;
  /** The keys of the location. Two locations with a common key are the same location. Keys can contain credentials. */
  readonly keys: readonly string[];
}

/** The storage of one state. This is the public interface of `QueuedBackend`. */
export type StateBackend = Pick<QueuedBackend<Seen>, keyof QueuedBackend<Seen>>;

/**
 * The storage of one state, used by one run. The backend remembers the version that it read, to detect writes by other
 * processes. Writes are sequential, and each write is based on the last read or written state.
 */
export abstract class QueuedBackend<S extends Seen> {
  /** The location for messages: a path or a URL without credentials. */
  abstract readonly description: string;
  /** The write-ahead journal of the state. */
  abstract readonly journal: JournalStore;
  /** Returns all locations that are read and written for the state. */
  abstract locations(): Promise<readonly StorageLocation[]>;
  /** The origins that receive the credentials of the state; none for a file. */
  readonly origins: readonly string[] = [];
  protected seen: S | undefined;
  /**
   * Versions whose writes failed since `seen`. The storage can contain one of these versions, for example after a lost
   * response.
   */
  private unproven: readonly Version[] = [];
  private writing: Promise<void> = Promise.resolve();

  /** Reads the saved state. */
  protected abstract load(): Promise<S>;
  /** Returns true if no other process can have written since the last read. */
  protected abstract isCurrent(seen: S): boolean | Promise<boolean>;
  /** Saves a state under its new serial; returns undefined if the text equals the saved text. */
  protected abstract store(state: State, before: S, announce?: Announce): Promise<S | undefined>;
  /**
   * Acquires the lock. If the request has a timeout, waits until another holder releases the lock.
   *
   * @throws DiagnosticError `state_locked`
   */
  abstract lock(request: LockRequest): Promise<StateLock>;
  /**
   * Returns the run that holds the lock, without taking the lock. Undefined if no run holds the lock; "unknown" if the storage
   * can't report the holder. A dead process of this machine does not count as a holder.
   */
  abstract holder(): Promise<LockInfo | "unknown" | undefined>;
  /**
   * Removes the lock of another holder, and returns the removed lock.
   *
   * @throws DiagnosticError `state_not_locked`, `state_lock_differs`
   */
  abstract unlock(id: string): Promise<LockInfo>;

  /** The version that this backend last read or wrote; undefined if no state existed, or nothing was read yet. */
  get version(): Version | undefined {
    return this.seen?.version;
  }

  /**
   * Reads the state; undefined if no state exists yet.
   *
   * @throws DiagnosticError if the state is damaged or unreachable.
   */
  async read(): Promise<State | undefined> {
    const found = await this.load();
    this.seen = found.state === undefined ? found : { ...found, state: snapshotOf(found.state) };
    return found.state;
  }

  /**
   * Saves a state. A changed state gets the next serial, even if the argument has another serial. If nothing changed, the
   * backend does not write. The backend copies the lists of the state before this call returns. Until the write ends, callers
   * may replace an instance in these lists, but must not mutate an instance.
   *
   * @param announce receives the new version; the backend replaces the state only after the promise of `announce` resolves.
   * @throws DiagnosticError `state_moved_on`, `state_lineage_differs`, or the reason why the storage is unreachable.
   */
  write(state: State, announce?: Announce): Promise<void> {
    return this.enqueue(state, false, announce);
  }

  /**
   * Saves a state that does not come from this backend, for example the state of `steward state push`. Such a state can have
   * another lineage. A changed state keeps its serial if this serial is higher than the serial of the saved state. Otherwise, the
   * state gets the next serial. If nothing changed, the backend does not write.
   *
   * @throws DiagnosticError `state_moved_on`, or the reason why the storage is unreachable.
   */
  replace(state: State): Promise<void> {
    return this.enqueue(state, true);
  }

  /**
   * Queues the save of a state. @param isReplacement whether `replace` was called: the state does not come from this backend
   */
  private enqueue(state: State, isReplacement: boolean, announce?: Announce): Promise<void> {
    const snapshot = snapshotOf(state);
    const write = this.writing.then(() => this.save(snapshot, isReplacement, announce));
    this.writing = write.catch(() => undefined);
    return write;
  }

  /** Saves a state if its content changed. @throws DiagnosticError `state_lineage_differs`, unless `isReplacement` is true */
  protected async save(state: State, isReplacement: boolean, announce?: Announce): Promise<void> {
    const before = await this.requireUnchanged();
    if (!isReplacement) requireLineage(state, before.version, this.description);
    const next = (before.version?.serial ?? state.serial) + 1;
    const serial = isReplacement ? pushedSerial(state, before.version) : next;
    if (before.state !== undefined && hasSameContent(before.state, state)) return;
    this.seen = (await this.storeOrNote({ ...state, serial }, before, announce)) ?? before;
  }

  /**
   * Saves a state. If the write fails, remembers the version of the state, because the storage can contain this version anyway.
   */
  private async storeOrNote(state: State, before: S, announce?: Announce): Promise<S | undefined> {
    let version: Version | undefined;
    const note = async (next: Version): Promise<void> => {
      version = next;
      await announce?.(next);
    };
    try {
      return await this.store(state, before, note);
    } catch (problem) {
      if (version !== undefined) this.unproven = [...this.unproven, version];
      throw problem;
    }
  }

  /**
   * Returns the saved state. The saved state must be a state that this backend last read or wrote, or tried to write without
   * success. After a failed write, the storage is read again.
   */
  private async requireUnchanged(): Promise<S> {
    const { seen, unproven } = this;
    if (seen !== undefined && unproven.length === 0 && (await this.isCurrent(seen))) return seen;
    const found = await this.load();
    const isOwn = unproven.some((version) => isSameVersion(version, found.version));
    if (seen !== undefined && !isOwn && !isSameVersion(seen.version, found.version))
      stateChanged(seen.version, found.version, this.description);
    this.seen = found;
    this.unproven = [];
    return found;
  }
}
