import type { JournalStore } from "../journal/entries";
import type { LockInfo, LockRequest, StateLock } from "../lock/lock-info";
import type { State } from "../model/model";
import { pushedSerial, requireLineage, type Version } from "../model/state-version";

/**
 * Storage of one state. An object serves one run: it remembers the version that it read, to detect writes by
 * others.
 */
export interface StateBackend {
  /** The location for messages: a path or a URL without credentials. */
  readonly description: string;
  /** The version that was last read or written here; undefined if there is none. */
  readonly version: Version | undefined;
  /** The write-ahead journal of the state. */
  readonly journal: JournalStore;
  /**
   * Reads the state; undefined if there is none yet.
   *
   * @throws DiagnosticError if it is damaged or unreachable.
   */
  read(): Promise<State | undefined>;
  /**
   * Saves a state. A changed state gets the next serial (whatever serial the argument has); an equal one is
   * not written. The lists of the state are copied synchronously: an instance must be replaced, never
   * mutated, while a write is in progress.
   *
   * @param announce receives the new version, and is awaited before the state is changed.
   * @throws DiagnosticError `state_moved_on`, `state_lineage_differs`, or why it is unreachable.
   */
  write(state: State, announce?: Announce): Promise<void>;
  /**
   * Saves a state from elsewhere, also one of another lineage. A changed state keeps its serial if that is
   * higher than the current one, and gets the next serial otherwise; an equal one is not written.
   *
   * @throws DiagnosticError `state_moved_on`, or why it is unreachable.
   */
  replace(state: State): Promise<void>;
  /**
   * Acquires the lock, waiting if requested.
   *
   * @throws DiagnosticError `state_locked`
   */
  lock(request: LockRequest): Promise<StateLock>;
  /**
   * Removes another holder's lock and returns it.
   *
   * @throws DiagnosticError `state_not_locked`, `state_lock_differs`
   */
  unlock(id: string): Promise<LockInfo>;
}

export type Announce = (version: Version) => Promise<void>;

/** How a backend saves a state. */
export interface SaveOptions {
  readonly announce?: Announce | undefined;
  /** Whether the state comes from elsewhere. */
  readonly isReplacement?: boolean;
}

/**
 * The serial of a state to save.
 *
 * @throws DiagnosticError `state_lineage_differs`, unless the state comes from elsewhere
 */
export function serialToSave(
  state: State,
  saved: Version | undefined,
  where: string,
  { isReplacement = false }: SaveOptions,
): number {
  if (isReplacement) return pushedSerial(state, saved);
  requireLineage(state, saved, where);
  return (saved?.serial ?? state.serial) + 1;
}

/** A backend whose writes follow each other. */
export abstract class QueuedBackend {
  private writing: Promise<void> = Promise.resolve();

  protected abstract save(state: State, options: SaveOptions): Promise<void>;

  write(state: State, announce?: Announce): Promise<void> {
    return this.enqueue(state, { announce });
  }

  replace(state: State): Promise<void> {
    return this.enqueue(state, { isReplacement: true });
  }

  private enqueue(state: State, options: SaveOptions): Promise<void> {
    const snapshot = snapshotOf(state);
    const write = this.writing.then(() => this.save(snapshot, options));
    this.writing = write.catch(() => undefined);
    return write;
  }
}

/** A copy that is independent of later changes to the state's lists. */
export function snapshotOf(state: State): State {
  return {
    ...state,
    outputs: { ...state.outputs },
    resources: state.resources.map((resource) => ({ ...resource, instances: [...resource.instances] })),
  };
}
