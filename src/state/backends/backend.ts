import type { JournalStore } from "../journal/store";
import type { LockInfo, LockRequest, StateLock } from "../lock/lock-info";
import type { State } from "../model/model";
import type { Version } from "../model/state-version";

/**
 * Where a state is kept. One object serves one run: it remembers what it read, so that it can tell when somebody
 * else wrote meanwhile.
 */
export interface StateBackend {
  /** The place, as messages name it: a path or an address without credentials. */
  readonly description: string;
  /** Which state was last read or written here; undefined while there is none. */
  readonly version: Version | undefined;
  /** Where runs note what they are about to do. */
  readonly journal: JournalStore;
  /**
   * The state as it is now; undefined when there is none yet.
   *
   * @throws DiagnosticError when it is damaged, or out of reach.
   */
  read(): Promise<State | undefined>;
  /**
   * Saves a state. What differs from the saved one gets the next serial (whatever serial the given state has); what is
   * equal is not written at all. The state is copied before anything is waited for, down to the instances: an
   * instance has to be replaced, never changed in place, while a write is under way.
   *
   * @param announce is told which version it will be, and waited for, before the state is changed.
   * @throws DiagnosticError `state_moved_on`, `state_lineage_differs`, or why it is out of reach.
   */
  write(state: State, announce?: Announce): Promise<void>;
  /**
   * Takes the lock, or waits for it.
   *
   * @throws DiagnosticError `state_locked`
   */
  lock(request: LockRequest): Promise<StateLock>;
  /**
   * Removes somebody else's lock and returns what it was.
   *
   * @throws DiagnosticError `state_not_locked`, `state_lock_differs`
   */
  unlock(id: string): Promise<LockInfo>;
}

export type Announce = (version: Version) => Promise<void>;

/** A copy that later changes to the state's lists don't reach. */
export function snapshotOf(state: State): State {
  return {
    ...state,
    outputs: { ...state.outputs },
    resources: state.resources.map((resource) => ({ ...resource, instances: [...resource.instances] })),
  };
}
