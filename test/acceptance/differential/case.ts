import type { ByHand, MoreFixture } from "./support/live-service";
import type { StateFile } from "./support/normal-state";

/** Blocks of Terraform's JSON syntax, such as `{ resource: { steward_job_token_scope: { … } } }`. */
export type Blocks = Readonly<Record<string, unknown>>;

/** One feature of the language or of planning, shown to both engines step by step. */
export interface DifferentialCase {
  /**
   * An identifier. The name of each declared object starts with this identifier. The case has the project
   * `acme/<name>`.
   */
  readonly name: string;
  readonly steps: readonly [CaseStep, ...CaseStep[]];
  /** Objects of the service in addition to the project of the case. */
  readonly fixture?: MoreFixture;
}

/** A configuration that is planned and applied, perhaps after manual changes. */
export interface CaseStep {
  /** The subject of this step. */
  readonly does: string;
  readonly declares: Blocks;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly byHand?: (http: ByHand) => Promise<unknown>;
  /** Changes the state before the engine continues with it. */
  readonly stateByHand?: (state: StateFile) => void;
  /** Addresses of instances that the plan replaces only because of this list. */
  readonly replace?: readonly string[];
  /** Plan modes that affect all objects. A case with such a mode is not joined with other cases. */
  readonly mode?: "destroy" | "refresh-only";
  readonly targets?: readonly string[];
  /** The operation that fails with both engines. After the failure, the test compares only live objects. */
  readonly fails?: "plan" | "apply";
}

export const isAlone = ({ steps }: DifferentialCase): boolean =>
  steps.some(({ mode, targets, fails }) => mode ?? targets ?? fails);
