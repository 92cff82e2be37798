import type { Diagnostic } from "../diagnostics";
import type { Provider, RequestEvent } from "../provider/protocol";
import type { Configuration } from "./config";
import type { OnEvent } from "./events";
import type { PlanMode, PlanView, ResourceChange } from "./plan/model";
import type { State } from "./state";
import type { StateBackend } from "./state/backend";

export type { EngineEvent, OnEvent } from "./events";
export * from "./plan/model";

/** What the engine works on in one run over one stack. */
export interface RunContext {
  readonly configuration: Configuration;
  /** Values of root variables by name, as text (from --var, TF_VAR_) or as JSON (from files). */
  readonly variables: Readonly<Record<string, VariableInput>>;
  /** By source address. */
  readonly providers: Readonly<Record<string, Provider>>;
  /** How many requests may be under way at once; adaptive without it. */
  readonly parallelism?: number;
  readonly targets?: readonly string[];
  readonly failFast?: boolean;
  readonly signal?: AbortSignal;
  readonly onEvent?: OnEvent;
  readonly onRequest?: (event: RequestEvent) => void;
}

export type VariableInput =
  | { readonly from: "text"; readonly text: string; readonly origin: string }
  | { readonly from: "json"; readonly json: unknown; readonly origin: string };

/** A plan that can be applied: what is shown, and what applying needs. */
export interface Plan extends PlanView {
  /** The state that the plan rests on, as it was read. */
  readonly priorState: State;
  /** The state after refresh. */
  readonly refreshedState: State;
}

export interface ApplyResult {
  readonly state: State;
  readonly diagnostics: readonly Diagnostic[];
  readonly done: { readonly add: number; readonly change: number; readonly remove: number };
}

/** One difference between the state and the live service in what the configuration declares. */
export interface DriftedObject {
  readonly kind: "changed" | "vanished";
  /** before is the state, after is live (null where it vanished). */
  readonly change: ResourceChange;
  /** The names of the declared attributes that differ; empty for what vanished. */
  readonly attributes: readonly string[];
}

export interface DriftReport {
  readonly drifted: readonly DriftedObject[];
  readonly checked: number;
  readonly diagnostics: readonly Diagnostic[];
}

// createPlan(context: RunContext, state: State | undefined, mode: PlanMode): Promise<Plan>
// applyPlan(context: RunContext, plan: Plan, backend: StateBackend): Promise<ApplyResult>
// detectDrift(context: RunContext, state: State | undefined): Promise<DriftReport>
// validateConfiguration(context: Omit<RunContext, "variables"> …): Promise<Diagnostic[]>
export type Signatures = [PlanMode, StateBackend];
