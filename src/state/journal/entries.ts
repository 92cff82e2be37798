import type { ObservedBeforeCreate, StoredState } from "../../schema";
import type { InstanceState, Json, ResourceState } from "../model/model";
import type { Version } from "../model/state-version";

/** The resource that an instance belongs to, as a state names it. */
export type Named = Pick<ResourceState, "mode" | "type" | "name" | "provider">;

/** What becomes of one instance in the state. */
export type StateEdit =
  | { readonly put: InstanceState; readonly in: Named }
  /** `of` is the address of the instance. */
  | { readonly remove: string; readonly from: Named; readonly deposed?: string };

/** A change that is about to be sent: a create has no prior, a deletion has no plan. */
export interface Change {
  readonly address: string;
  readonly resource: Named;
  /** What the state keeps of the object beside what the provider says of it. */
  readonly instance: Omit<InstanceState, "attributes" | "private">;
  /** The live object that the change rests on; without one it rests on there being none. */
  readonly prior?: StoredState;
  /** What the object is to become; what is known after the write alone is left out. */
  readonly planned?: StoredState;
  /** Of a create: what was known of its place; nothing where nothing was. */
  readonly observed?: ObservedBeforeCreate;
}

/** The first line: what the journal belongs to. */
export interface Head {
  readonly kind: "head";
  readonly format: 1;
  /** Of the state; where there was none yet, of the one that is to be. */
  readonly lineage: string;
  readonly started: string;
  /** The states that these lines may come after; null where there was none yet. */
  readonly states: readonly (Version | null)[];
}

/** All other lines. `n` counts the lines, the head being 0; where others were taken out, a line keeps its number. */
export type Entry =
  | { readonly kind: "begun"; readonly n: number; readonly change: Change }
  /** A change was answered, whatever came of it. */
  | { readonly kind: "ended"; readonly n: number; readonly of: number; readonly edits: readonly StateEdit[] }
  /** The state is about to be saved as this, with the edits of all lines above. */
  | { readonly kind: "saving"; readonly n: number; readonly state: Version };

export type Begun = Extract<Entry, { kind: "begun" }>;
export type Ended = Extract<Entry, { kind: "ended" }>;

/** One of the two states between which objects move. */
export interface Side {
  readonly stack: string;
  /** Where the state is, as messages name it. */
  readonly state: string;
  /** The state before the move; null where there was none. */
  readonly version: Version | null;
}

/** What moves from the state of one stack to that of another, as the journals of both note it before either is written. */
export interface StateMove {
  readonly from: Side;
  readonly to: Side;
  /** As the command names them: a module's, a resource's or an instance's. */
  readonly addresses: readonly [from: string, to: string];
  readonly objects: readonly MovedObject[];
}

export interface MovedObject {
  /** The name of the object in the one state, and in the other. */
  readonly from: string;
  readonly to: string;
  readonly id: Json;
}

/** The only line of the journal of a move. Releases that read format 1 alone leave it as it is. */
export interface MoveLine {
  readonly kind: "head";
  readonly format: 2;
  readonly started: string;
  readonly move: StateMove;
}
