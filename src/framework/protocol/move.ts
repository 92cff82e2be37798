import type { Diagnostic } from "../../diagnostics";
import type { ValueObject } from "../../schema";

/**
 * Converts the state of another provider's resource. There is no client yet: values that follow from the
 * state are filled in, and the next read completes the others, such as the numeric id of a container that is
 * named by path.
 */
export interface Move {
  /** The resource type of the other provider. */
  readonly from: string;
  /** The newest supported version of its schema. */
  readonly version: number;
  /** The possible target types, without the provider's prefix. */
  readonly to: Readonly<Record<string, (source: ValueObject) => Moved>>;
}

export interface Moved {
  /** With the `id`; omitted attributes are null. */
  readonly attributes: ValueObject;
  /** Features of the old resource that the new one lacks. */
  readonly warnings?: readonly Diagnostic[];
}
