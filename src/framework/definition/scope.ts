import type { Attributes, Observed, Value } from "../../schema";
import type { Collection } from "../collections/listing";
import type { Live, LiveCollection } from "../collections/live-collection";
import type { ReferencedObject } from "../references/lookups";

/**
 * A live object as a lifecycle returns it: all attributes except the id and the container (the attribute named `Kind`),
 * which the framework adds.
 */
export type Found<A extends Attributes, Kind extends string = never> = Omit<Observed<A>, Kind>;

/** The context of a lifecycle: the client, the container's id, and the collections that this run has read. */
export interface Scope<Client = unknown> {
  readonly api: Client;
  /** The numeric id of the container. */
  readonly container: number;
  /** A collection of this container, read once per run. */
  collection<K, T, Whole extends T = T>(collection: Collection<K, T, Whole, Client>): Live<K, T, Whole>;
  /** The number of objects of this type and container that the run will read, if the host knows it. */
  readonly expected: number | undefined;
}

/** The context of a data source: the client, its resolved arguments, and the collections that this run has read. */
export interface DataScope<Client = unknown, Kind extends string = string> {
  readonly api: Client;
  /**
   * The id of the object that an argument names; the argument has the name of its kind. Sends a request if it is a path.
   *
   * @throws ReferenceNotFound, and the client's errors
   */
  idOf(kind: Kind, name: Value): Promise<number>;
  /** Records the full path that an argument led to, which differs from the argument after a move. */
  followed(kind: Kind, name: Value, fullPath: string): void;
  /** Records an object that a response showed, so that the run looks it up no more. */
  noteFound(kind: Kind, object: ReferencedObject): void;
  /** A collection of one container, shared with resources. */
  collection<K, T, Whole extends T = T>(
    container: number,
    collection: Collection<K, T, Whole, Client>,
  ): LiveCollection<K, T, Whole>;
}
