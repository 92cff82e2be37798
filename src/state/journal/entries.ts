import type { ObservedBeforeCreate, StoredState } from "../../schema";
import type { InstanceState, Json, ResourceState } from "../model/model";
import type { Version } from "../model/state-version";

/** The resource of an instance in the state. */
export type ResourceIdentity = Pick<ResourceState, "mode" | "type" | "name" | "provider">;

/** A change of one instance in the state. */
export type StateEdit =
  | { readonly put: InstanceState; readonly in: ResourceIdentity }
  /** `remove` is the address of the instance. */
  | { readonly remove: string; readonly from: ResourceIdentity; readonly deposed?: string };

/** A change before it is sent: a create has no prior, a delete has no planned state. */
export interface Change {
  readonly address: string;
  readonly resource: ResourceIdentity;
  /** Fields of the instance that the provider doesn't return. */
  readonly instance: Omit<InstanceState, "attributes" | "private">;
  /** The live object before the change; absent for a create. */
  readonly prior?: StoredState;
  /** The planned object, without values that are known only after apply. */
  readonly planned?: StoredState;
  /** For a create: the objects observed in its place before, if any. */
  readonly observed?: ObservedBeforeCreate;
}

/** The first line: the state that the journal belongs to. */
export interface JournalHead {
  readonly kind: "head";
  readonly format: 1;
  /** The lineage of the state, or of the one to be created. */
  readonly lineage: string;
  readonly started: string;
  /** The versions of the state that may precede these lines; null for no state. */
  readonly states: readonly (Version | null)[];
}

/** What all other lines have. */
interface Numbered {
  /** The line number, the head being 0; a line keeps its number after others were removed. */
  readonly n: number;
  /**
   * The first line of those that were written and synced together with this one. Of these a power failure may leave any
   * part, and nothing that depends on them was sent. Absent if the line was written alone, or by an older release.
   */
  readonly batch?: number;
}

export type JournalEntry = Numbered &
  (
    | { readonly kind: "begun"; readonly change: Change }
    /** The commit of a change, whether it succeeded or failed. */
    | { readonly kind: "ended"; readonly of: number; readonly edits: readonly StateEdit[] }
    /** A state of this version, with the edits of all lines above, is about to be saved. */
    | { readonly kind: "saving"; readonly state: Version }
  );

export type IntentEntry = Extract<JournalEntry, { kind: "begun" }>;
export type CommitEntry = Extract<JournalEntry, { kind: "ended" }>;

/** One of the two states of a move. */
export interface MoveSide {
  readonly stack: string;
  /** The location of the state, for messages. */
  readonly state: string;
  /** The version of the state before the move; null if there was none. */
  readonly version: Version | null;
}

/** What a command between two stacks was asked to move. */
export type MoveSelection =
  /** A module, a resource or an instance. */
  | { readonly addresses: readonly [from: string, to: string] }
  /** Everything that the target's stack declares. */
  | { readonly declared: true }
  /** Everything whose address matches. */
  | { readonly patterns: readonly string[] };

/**
 * A move from the state of one stack to that of another, recorded in the journals of both before either is
 * written.
 */
export type StateMove = MoveSelection & {
  readonly from: MoveSide;
  readonly to: MoveSide;
  readonly objects: readonly MovedObject[];
};

export interface MovedObject {
  /** The address of the object in the source, and in the target. */
  readonly from: string;
  readonly to: string;
  readonly id: Json;
}

/** The only line in the journal of a move. Releases that know another format alone refuse it. */
export interface MoveLine {
  readonly kind: "head";
  /** 2 for a move of one address, 3 for one of several objects. */
  readonly format: 2 | 3;
  readonly started: string;
  readonly move: StateMove;
}
