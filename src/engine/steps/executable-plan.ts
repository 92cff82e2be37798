import type { State } from "../../state";
import type { Plan } from "../model/plan";
import type { Refreshed } from "./refresh";
import type { Step } from "./steps";

/** A plan with what applying it needs. */
export interface ExecutablePlan extends Plan {
  readonly steps: readonly Step[];
  /** Objects that are not on the service as the state has them. */
  readonly drifted: readonly Refreshed[];
  /** The state that the plan rests on, as it was read; nothing where there was none. */
  readonly priorState: State | undefined;
  /** The same with its objects where they have moved to: what applying begins from. */
  readonly movedState: State | undefined;
}
