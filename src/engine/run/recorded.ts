import type { Diagnostic } from "../../diagnostics";
import type { StoredState } from "../../framework";
import type { ValueObject } from "../../schema";
import type { InstanceState, ResourceState } from "../../state";

/** An object of the state. */
export interface LookedAt {
  readonly address: string;
  readonly resource: Pick<ResourceState, "type" | "name">;
  readonly instance: Pick<InstanceState, "deposed">;
}

/**
 * What a saved plan says of the service. A run that works the plan out again takes it in place of a look; what is not
 * in it is asked for.
 */
export interface Recorded {
  /**
   * What was live of an object of the state; nothing where it has to be read.
   *
   * @param origin its address in the state
   * @param before what the state holds, in the shape of the present schema
   */
  object(object: LookedAt, origin: string, before: StoredState): RecordedObject | undefined;
  /** What was live of an object that is imported; nothing where it has to be read. */
  imported(address: string): StoredState | undefined;
  /** What a data source gave; nothing where it has to be read. */
  data(address: string): RecordedData | undefined;
  /** Whether an instance could not be planned. */
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
