import type { Diagnostic } from "../../diagnostics";
import type { ValueObject } from "../../schema";

/**
 * How the state of another provider's resource becomes one of ours. The client is not there yet: what follows from the
 * state alone is filled in, and the next read finds the rest, and the numeric id of a container that is named by path.
 */
export interface Move {
  /** The resource's type in that provider. */
  readonly from: string;
  /** The newest version of its schema that is known here. */
  readonly version: number;
  /** What it may become, by our types without the provider's prefix. */
  readonly to: Readonly<Record<string, (source: ValueObject) => Moved>>;
}

export interface Moved {
  /** With the `id`; what is left out is null. */
  readonly attributes: ValueObject;
  /** What the old resource did and the new one does not. */
  readonly warnings?: readonly Diagnostic[];
}
