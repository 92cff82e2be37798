import type { ValueObject } from "./value";

/** A stored state with the provider's private bytes (base64). */
export interface StoredState {
  readonly attributes: ValueObject;
  readonly private?: string | undefined;
}

/** What a run observed in place of a new object before its creation. */
export interface ObservedBeforeCreate {
  /** The ids of the objects there; empty if there were none. */
  readonly ids: readonly string[];
  /** The object there, in the provider's own form, if a partly created object may be recovered. */
  readonly found?: ValueObject;
}
