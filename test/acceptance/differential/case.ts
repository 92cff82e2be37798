import type { ByHand, MoreFixture } from "./support/live-service";
import type { StateFile } from "./support/normal-state";

/** Blocks of Terraform's JSON syntax, such as `{ resource: { steward_job_token_scope: { … } } }`. */
export type Blocks = Readonly<Record<string, unknown>>;

/** A test of one feature of the language or of planning. Both engines run the steps of the case. */
export interface DifferentialCase {
  /**
   * An identifier. The name of each declared object starts with this identifier. The case has the project
   * `acme/<name>`.
   */
  readonly name: string;
  readonly steps: readonly [CaseStep, ...CaseStep[]];
  /** Objects that the service has in addition to the project of the case. */
  readonly fixture?: MoreFixture;
}

/** A configuration that both engines plan and apply, in some steps after manual changes. */
export interface CaseStep {
  /** The title of the test of this step: the fact that the step shows. */
  readonly does: string;
  readonly declares: Blocks;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly byHand?: (http: ByHand) => Promise<unknown>;
  /** Changes the state file before the engine plans with this state. */
  readonly stateByHand?: (state: StateFile) => void;
  /** The addresses that the plan must replace (`-replace`). */
  readonly replace?: readonly string[];
  /** A plan mode. A mode affects all objects of a run, so a case with a mode does not share its run with other cases. */
  readonly mode?: "destroy" | "refresh-only";
  readonly targets?: readonly string[];
  /**
   * The operation of this step that must fail with both engines. After the failure, the test compares only live objects.
   */
  readonly fails?: "plan" | "apply";
}

export const isAlone = ({ steps }: DifferentialCase): boolean =>
  steps.some(({ mode, targets, fails }) => mode ?? targets ?? fails);
