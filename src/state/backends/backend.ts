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

/** The last read or saved state, with copies of the lists, because the lists of a state in use change. */
export interface Seen {
  readonly version?: Version;
  readonly state?: State;
}

/** The purpose of a location of a backend. */
export type LocationUse = "state" | "journal" | "backup" | "lock";

/** A file or URL that a backend reads and writes. */
export interface StorageLocation {
  readonly use: LocationUse;
  /** For messages: a path or a URL without credentials. */
  readonly description: string;
  /** Two locations with a key in common are one. Keys may contain credentials. */
  readonly keys: readonly string[];
}

/** Storage of one state, see `QueuedBackend`. */
export type StateBackend = Pick<QueuedBackend<Seen>, keyof QueuedBackend<Seen>>;

/**
 * Storage of one state. An object serves one run: it remembers the version that it read, to detect writes by others. Writes
 * follow each other, each on what was read or written before.
 */
export abstract class QueuedBackend<S extends Seen> {
  /** The location for messages: a path or a URL without credentials. */
  abstract readonly description: string;
  /** The write-ahead journal of the state. */
  abstract readonly journal: JournalStore;
  /** Everything that is read and written for the state. */
  abstract locations(): Promise<readonly StorageLocation[]>;
  /** The origins that receive the credentials of the state; none for a file. */
  readonly origins: readonly string[] = [];
  protected seen: S | undefined;
  /** Versions whose writes failed since `seen`: the storage may hold one of them, such as after a lost response. */
  private unproven: readonly Version[] = [];
  private writing: Promise<void> = Promise.resolve();

  /** Reads the saved state. */
  protected abstract load(): Promise<S>;
  /** Whether no other process can have written since. */
  protected abstract isCurrent(seen: S): boolean | Promise<boolean>;
  /** Saves a state under its new serial; undefined if the text is the saved one. */
  protected abstract store(state: State, before: S, announce?: Announce): Promise<S | undefined>;
  /**
   * Acquires the lock, waiting if requested.
   *
   * @throws DiagnosticError `state_locked`
   */
  abstract lock(request: LockRequest): Promise<StateLock>;
  /**
   * The run that holds the lock now, without taking it: undefined if none does, "unknown" if the storage can't report it. A
   * process of this host that has ended holds none.
   */
  abstract holder(): Promise<LockInfo | "unknown" | undefined>;
  /**
   * Removes another holder's lock and returns it.
   *
   * @throws DiagnosticError `state_not_locked`, `state_lock_differs`
   */
  abstract unlock(id: string): Promise<LockInfo>;

  /** The version that was last read or written here; undefined if there is none. */
  get version(): Version | undefined {
    return this.seen?.version;
  }

  /**
   * Reads the state; undefined if there is none yet.
   *
   * @throws DiagnosticError if it is damaged or unreachable.
   */
  async read(): Promise<State | undefined> {
    const found = await this.load();
    this.seen = found.state === undefined ? found : { ...found, state: snapshotOf(found.state) };
    return found.state;
  }

  /**
   * Saves a state. A changed state gets the next serial (whatever serial the argument has); an equal one is
   * not written. The lists of the state are copied synchronously: an instance must be replaced, never
   * mutated, while a write is in progress.
   *
   * @param announce receives the new version, and is awaited before the state is changed.
   * @throws DiagnosticError `state_moved_on`, `state_lineage_differs`, or why it is unreachable.
   */
  write(state: State, announce?: Announce): Promise<void> {
    return this.enqueue(state, false, announce);
  }

  /**
   * Saves a state from elsewhere, also one of another lineage. A changed state keeps its serial if that is
   * higher than the current one, and gets the next serial otherwise. An equal state is not written.
   *
   * @throws DiagnosticError `state_moved_on`, or why it is unreachable.
   */
  replace(state: State): Promise<void> {
    return this.enqueue(state, true);
  }

  /** @param isReplacement whether the state comes from elsewhere */
  private enqueue(state: State, isReplacement: boolean, announce?: Announce): Promise<void> {
    const snapshot = snapshotOf(state);
    const write = this.writing.then(() => this.save(snapshot, isReplacement, announce));
    this.writing = write.catch(() => undefined);
    return write;
  }

  /** @throws DiagnosticError `state_lineage_differs`, unless the state comes from elsewhere */
  protected async save(state: State, isReplacement: boolean, announce?: Announce): Promise<void> {
    const before = await this.requireUnchanged();
    if (!isReplacement) requireLineage(state, before.version, this.description);
    const next = (before.version?.serial ?? state.serial) + 1;
    const serial = isReplacement ? pushedSerial(state, before.version) : next;
    if (before.state !== undefined && hasSameContent(before.state, state)) return;
    this.seen = (await this.storeOrNote({ ...state, serial }, before, announce)) ?? before;
  }

  /** Saves a state, and notes its version if the write fails. */
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
   * Returns the saved state. It must be the one that this object last read or wrote, or one whose write failed here. After such a
   * failure, the storage is read again.
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
