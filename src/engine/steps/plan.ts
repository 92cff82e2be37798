import type { State } from "../../state";
import type { PlanView } from "../model/plan";
import type { Refreshed } from "./refresh";
import type { Step } from "./steps";

/** A plan that can be applied: what is shown, and what applying needs. */
export interface Plan extends PlanView {
  readonly steps: readonly Step[];
  /** Nodes of the graph that could not be planned, or wait for one that could not. */
  readonly blocked: ReadonlySet<string>;
  /** Objects that are not on the service as the state has them. */
  readonly moved: readonly Refreshed[];
  /** The state that the plan rests on, as it was read; nothing where there was none. */
  readonly priorState: State | undefined;
  /** The same with its objects where they have moved to: what applying begins from. */
  readonly movedState: State | undefined;
}
