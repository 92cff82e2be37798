import type { ValueObject } from "./value";

/** A stored state, with the bytes (base64) that only the provider understands. */
export interface StoredState {
  readonly attributes: ValueObject;
  readonly private?: string | undefined;
}

/** What a run had read of the place of a new object before it was made. */
export interface ObservedPlace {
  /** The ids of what stood in its place; none where there was nothing. */
  readonly ids: readonly string[];
  /** What stood there, as only the provider reads it, where the object may be found half made. */
  readonly found?: ValueObject;
}
