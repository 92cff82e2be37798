import type { PlanMode } from "../plan/model";
import type { Json } from "../state/model";
import type { StateMark } from "./fingerprints";
import type { Guard } from "./guarded-values";

/** One stack's plan as it stands in a file. */
export interface SavedPlan {
  readonly mode: PlanMode;
  readonly targets: readonly string[];
  /** What the plan rests on: it is applied only where all of this is as it was. */
  readonly basis: {
    readonly state: StateMark | null;
    readonly configuration: string;
    /** Address of the service by the key of the provider configuration. */
    readonly services: Readonly<Record<string, string>>;
  };
  /** Values of the variables; those that are sensitive are guarded, and have to be given again. */
  readonly variables: { readonly [name: string]: Json };
  readonly guarded: Readonly<Record<string, Guard>>;
  /** What is told of the plan, and what applying it needs. Written as one graph; the record alone can be read by itself. */
  readonly record: Json;
  readonly work: Json;
}
