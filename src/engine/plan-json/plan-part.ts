import type { Json } from "../../state";

/** A part of a plan that decides what an apply does, other than the attributes of changes. */
export interface PlanPart {
  /** The name of the part, such as `provider steward.eu`. Each name is unique. */
  readonly name: string;
  readonly value: Json;
  /** The value for people. It must be complete, and no attribute of it may be sensitive. */
  readonly shown?: string;
}
