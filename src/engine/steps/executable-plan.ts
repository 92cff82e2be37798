import type { State } from "../../state";
import type { Plan } from "../model/plan";
import type { Refreshed } from "./refresh";
import type { Step } from "./steps";

/** A plan with everything that apply needs. */
export interface ExecutablePlan extends Plan {
  readonly steps: readonly Step[];
  /** Objects that differ between the state and the service. */
  readonly drifted: readonly Refreshed[];
  /** The state as it was read; undefined if there was none. */
  readonly priorState: State | undefined;
  /** Names of the objects that are no longer declared, and that the plan leaves as they are. */
  readonly leftBehind: ReadonlySet<string>;
  /** The prior state after moves, from which apply starts. */
  readonly movedState: State | undefined;
}
