import type { Diagnostic } from "../../diagnostics";
import type { ReplacedValues, StoredState } from "../../framework";
import type { ValueObject } from "../../schema";
import type { InstanceState, ResourceState } from "../../state";

/** An object of the state. */
export interface RecordedTarget {
  readonly address: string;
  readonly resource: Pick<ResourceState, "type" | "name">;
  readonly instance: Pick<InstanceState, "deposed">;
}

/**
 * What a saved plan recorded about the service. A run that plans it again uses these values in place of
 * requests; anything else is read.
 */
export interface RecordedReads {
  /**
   * The recorded live object; undefined if it must be read.
   *
   * @param origin its address in the state
   * @param before the object in the state, upgraded to the current schema
   */
  object(object: RecordedTarget, origin: string, before: StoredState): RecordedObject | undefined;
  /** The recorded object of an import; undefined if it must be read. */
  imported(address: string): StoredState | undefined;
  /** The recorded data source; undefined if it must be read. */
  data(address: string): RecordedData | undefined;
  /** The recorded live values that the create of an instance replaces, if there are any. */
  replaced(address: string): ReplacedValues | undefined;
  /** Whether the instance could not be planned. */
  isBlocked(resource: string, address: string): boolean;
}

export interface RecordedObject {
  readonly live: StoredState | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

export interface RecordedData {
  readonly attributes?: ValueObject;
  readonly diagnostics: readonly Diagnostic[];
}
