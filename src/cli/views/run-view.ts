import type { Diagnostic } from "../../diagnostics";
import type {
  ApplyResult,
  DriftReport,
  EngineEvent,
  ImportResult,
  Plan,
  PlanMode,
  SkippedObject,
  UnmanagedObject,
} from "../../engine";
import type { Suppressed } from "../drift/finding-filter";
import type { Wait } from "../stacks/waits";

/** What is live and declared by nobody. */
export interface Unmanaged {
  readonly objects: readonly UnmanagedObject[];
  /** How many projects and groups were looked through. */
  readonly containers: number;
}

/** What a run over stacks shows. One view serves people, the other programs, from the same models and events. */
export interface RunView {
  /** What follows is about this stack, one of so many. */
  stack(name: string | undefined, count: number): void;
  event(event: EngineEvent): void;
  /** A request was sent. */
  requested(): void;
  /** Nothing is sent for a while. */
  waiting(wait: Wait): void;
  /** Ends whatever moves on the screen, before something is written that stays. */
  settle(): Promise<void>;
  /** What was shown once for a stack is not shown again. */
  diagnostics(diagnostics: readonly Diagnostic[]): void;
  /** Something of the moment, such as what is waited for. */
  notice(text: string): void;
  plan(plan: Plan): void;
  /** All plans were written to a file. */
  saved(file: string, options?: readonly string[]): void;
  applied(mode: PlanMode, result: ApplyResult): void;
  drift(report: DriftReport, suppressed: Suppressed): void;
  /** A repair leaves a drifted object to an apply. */
  notRepaired(left: SkippedObject): void;
  /** What nobody declares, of the whole run. */
  unmanaged(found: Unmanaged, suppressed: Suppressed): void;
  imported(address: string, result: ImportResult): void;
  /** Everything is done. */
  end(): Promise<void>;
}
