import type { Json } from "../../state";

/** A part of a plan that decides what an apply does, other than the attributes of changes. */
export interface PlanPart {
  /** The name of the part, such as `provider steward.eu`. Each name is unique. */
  readonly name: string;
  readonly value: Json;
  /** The value for people. It must be complete and contain no sensitive attributes. */
  readonly shown?: string;
}
