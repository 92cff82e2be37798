import type { EngineEvent } from "../../engine";
import { counted, namesUpTo } from "../../text";

/** The maximum number of changes in the notice. */
const SHOWN = 3;

const AT_ONCE = "A second signal exits immediately.";

/** Follows the changes of a run, to describe the work that a stopped run finishes first. */
export class ChangesInProgress {
  /** Whether the run has sent a change. If it has, a stop saves the state. */
  #hasChanged = false;
  readonly #running = new Set<string>();

  on(event: EngineEvent): void {
    if (event.kind === "apply_start") {
      this.#hasChanged = true;
      this.#running.add(event.address);
    } else if (event.kind === "apply_complete" || event.kind === "apply_errored")
      this.#running.delete(event.address);
  }

  /** Describes the work that a stopping run finishes first. */
  describe(): string {
    const { size } = this.#running;
    if (size > 0)
      return `Stopping after ${counted(size, "change")} in progress: ${namesUpTo(SHOWN, [...this.#running])}. Then the state is saved. ${AT_ONCE}`;
    const end = this.#hasChanged ? "Then the state is saved." : "No change is in progress.";
    return `Stopping after the requests in progress. ${end} ${AT_ONCE}`;
  }
}
