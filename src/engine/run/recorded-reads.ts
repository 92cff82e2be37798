import type { StoredState } from "../../framework";
import type { Attributes, ValueObject } from "../../schema";
import type { InstanceState, ResourceState } from "../../state";

/** An object of the state. */
export interface RecordedTarget {
  readonly address: string;
  readonly resource: Pick<ResourceState, "type" | "name">;
  readonly instance: Pick<InstanceState, "deposed">;
}

/**
 * What a saved plan recorded about what it leaves unchanged. A run that plans it again uses these values in place of
 * requests; everything else is read.
 */
export interface RecordedReads {
  /**
   * The recorded live object; undefined if it must be read.
   *
   * @param origin its address in the state
   * @param before the object in the state, upgraded to the current schema
   */
  object(object: RecordedTarget, origin: string, before: StoredState): StoredState | undefined;
  /**
   * The recorded data source; undefined if it must be read.
   *
   * @param attributes its schema
   */
  data(address: string, attributes: Attributes): ValueObject | undefined;
}
