import type { Json, JsonObject } from "../../state";
import type { PlanView } from "../model/plan";

/** Everything that is told of a plan, apart from what applying needs. */
export interface PlanRecord extends PlanView {
  /** When it was made, to the second: `2026-11-21T15:20:45Z`. */
  readonly timestamp: string;
  /** Whether everything that is declared was planned: nothing failed, and no targets left something out. */
  readonly complete: boolean;
  /** The root variables with their values. */
  readonly variables: Readonly<Record<string, Json>>;
  /** Names of those that are sensitive. */
  readonly sensitiveVariables: readonly string[];
  /** Nodes of the graph that could not be planned, or wait for one that could not. */
  readonly blocked: readonly string[];
  /** The state as the look at the service left it, with the data sources that were read, in the shape of `terraform show -json`. */
  readonly priorState: JsonObject | undefined;
  /** In the shape of `terraform show -json`. */
  readonly configuration: JsonObject;
}
