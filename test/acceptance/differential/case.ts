import type { ByHand, MoreFixture } from "./support/live-service";
import type { StateFile } from "./support/normal-state";

/** Blocks of Terraform's JSON syntax, such as `{ resource: { steward_job_token_scope: { … } } }`. */
export type Blocks = Readonly<Record<string, unknown>>;

/** One feature of the language or of planning, shown to both engines step by step. */
export interface DifferentialCase {
  /** An identifier. It begins the name of each declared object, and is a separate project: `acme/<name>`. */
  readonly name: string;
  readonly steps: readonly [CaseStep, ...CaseStep[]];
  /** Further content of the service, next to the separate project. */
  readonly fixture?: MoreFixture;
}

/** A configuration that is planned and applied, perhaps after manual changes. */
export interface CaseStep {
  /** The subject of this step. */
  readonly does: string;
  readonly declares: Blocks;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly byHand?: (http: ByHand) => Promise<unknown>;
  /** Changes the state that each engine goes on from. */
  readonly stateByHand?: (state: StateFile) => void;
  /** Addresses of instances that are replaced though nothing else asks for it. */
  readonly replace?: readonly string[];
  /** The ways to plan that concern everything at once: a case with one of these is run by itself. */
  readonly mode?: "destroy" | "refresh-only";
  readonly targets?: readonly string[];
  /** Both engines refuse to plan it, or fail to apply it. After the failure, only live objects are compared. */
  readonly fails?: "plan" | "apply";
}

export const isAlone = ({ steps }: DifferentialCase): boolean =>
  steps.some(({ mode, targets, fails }) => mode ?? targets ?? fails);
