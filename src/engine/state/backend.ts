import type { LockInfo, LockRequest, StateLock } from "./lock-info";
import type { State } from "./model";

/**
 * Where a state is kept. One object serves one run: it remembers what it read, so that it can tell when somebody
 * else wrote meanwhile.
 */
export interface StateBackend {
  /** The place, as messages name it: a path or an address without credentials. */
  readonly description: string;
  /** Serial of the state as last read or written here; undefined while there is none. */
  readonly serial: number | undefined;
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
   * @throws DiagnosticError `state_moved_on`, `state_lineage_differs`, or why it is out of reach.
   */
  write(state: State): Promise<void>;
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

/** A copy that later changes to the state's lists don't reach. */
export function snapshotOf(state: State): State {
  return {
    ...state,
    outputs: { ...state.outputs },
    resources: state.resources.map((resource) => ({ ...resource, instances: [...resource.instances] })),
  };
}
