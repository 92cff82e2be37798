import type { Diagnostic } from "../../diagnostics";
import type {
  ApplyResult,
  DriftReport,
  EngineEvent,
  ImportResult,
  Plan,
  PlanMode,
  Shard,
  SkippedObject,
  UnmanagedObject,
} from "../../engine";
import type { UsedWaiver } from "../../provider";
import type { Suppressed } from "../drift/finding-filter";
import type { Wait } from "../stacks/waits";

/** The live objects that are not declared. */
export interface Unmanaged {
  readonly objects: readonly UnmanagedObject[];
  /** The number of projects and groups that were searched. */
  readonly containers: number;
}

/** The part of an app's stacks that a run works on. */
export interface AppShard extends Shard {
  readonly stacks: readonly string[];
  /** The number of all stacks of the app. */
  readonly ofStacks: number;
  /** Those of which each shard has a part of the projects. */
  readonly divided: readonly string[];
}

/** What people see of a plan. */
export type ShownPlan = Omit<Plan, "basis">;

/** A file of changes that people approve by its digest. */
export interface ToApprove {
  readonly file: string;
  readonly digest: string;
  /** The number of changes. */
  readonly changes: number;
  /** The file of the plan, if Terraform or OpenTofu made it. */
  readonly planJson?: string;
}

type Counted = Pick<readonly unknown[], "length">;

/** What people see of the drift of a stack. */
export type ShownDrift = Omit<DriftReport, "objects" | "scans"> & {
  readonly objects: Counted;
  readonly scans: Counted;
};

/**
 * The output of a run over stacks. People and programs have a view each, fed by the same models and events.
 */
export interface RunView {
  /** The run works on a shard of the stacks. */
  shard(shard: AppShard): void;
  /** The following calls are about this stack, one of `count`. */
  stack(name: string | undefined, count: number): void;
  event(event: EngineEvent): void;
  /** A request was sent. */
  requested(): void;
  /** No requests are sent for a while. */
  waiting(wait: Wait): void;
  /** Removes the progress display before other output. */
  stopProgress(): Promise<void>;
  /** Diagnostics that this stack already reported are left out. */
  diagnostics(diagnostics: readonly Diagnostic[]): void;
  /** A transient message, for example about a held lock. */
  notice(text: string): void;
  plan(plan: Plan): void;
  /** All plans were saved to a file. */
  saved(file: string, options?: readonly string[]): void;
  /** All changes were written to a file, for approval. */
  toApprove(written: ToApprove): void;
  applied(mode: PlanMode, result: ApplyResult): void;
  drift(report: DriftReport, suppressed: Suppressed): void;
  /** A repair left a drifted object unchanged. */
  notRepaired(left: SkippedObject): void;
  /** The undeclared objects of the whole run. */
  unmanaged(found: Unmanaged, suppressed: Suppressed): void;
  imported(address: string, result: ImportResult): void;
  /** What the run's waivers accepted. */
  waivers(all: readonly UsedWaiver[]): void;
  /** The run is complete. */
  end(): Promise<void>;
}
