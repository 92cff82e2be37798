import type { ValueObject } from "./value";

/** A stored state with the provider's private bytes (base64), and the identity of its object. */
export interface StoredState {
  readonly attributes: ValueObject;
  readonly private?: string | undefined;
  /** The values of the resource's identity, if it has one and the object is known. It never changes. */
  readonly identity?: ValueObject | undefined;
}

/** What a run observed in place of a new object before its creation. */
export interface ObservedBeforeCreate {
  /** The ids of the objects there; empty if there were none. */
  readonly ids: readonly string[];
  /** The object there, in the provider's own form, if a partly created object may be recovered. */
  readonly found?: ValueObject;
}
