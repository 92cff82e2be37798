import type { Json } from "../../state";

/**
 * A part of a plan that determines the result of an apply. The attributes of changes are not parts, because they are compared
 * one by one.
 */
export interface PlanPart {
  /** The name of the part, such as `provider steward.eu`. Each name is unique. */
  readonly name: string;
  readonly value: Json;
  /** The value as a text for people. The text must be complete, and contain no sensitive attributes. */
  readonly shown?: string;
}
