import type { EngineEvent } from "../../engine";
import { counted, namesUpTo } from "../../text";

/** The maximum number of changes that the notice to an interrupting user names. */
const SHOWN = 3;

const AT_ONCE = "A second signal exits immediately.";

/**
 * Records which changes of a run are in progress. When users interrupt the run, a notice names the changes that Steward still
 * completes.
 */
export class ChangesInProgress {
  /** Whether the run has begun a change. A run that has begun a change saves the state before it ends. */
  #hasChanged = false;
  readonly #running = new Set<string>();

  on(event: EngineEvent): void {
    if (event.kind === "apply_start") {
      this.#hasChanged = true;
      this.#running.add(event.address);
    } else if (event.kind === "apply_complete" || event.kind === "apply_errored")
      this.#running.delete(event.address);
  }

  /** Returns the notice about the work that an interrupted run completes before it ends. */
  describe(): string {
    const { size } = this.#running;
    if (size > 0)
      return `Stopping after ${counted(size, "change")} in progress: ${namesUpTo(SHOWN, [...this.#running])}. Then the state is saved. ${AT_ONCE}`;
    const end = this.#hasChanged ? "Then the state is saved." : "No change is in progress.";
    return `Stopping after the requests in progress. ${end} ${AT_ONCE}`;
  }
}
