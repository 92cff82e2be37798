import type { Attributes, Observed, Value } from "../../schema";
import type { Collection } from "../collections/listing";
import type { Live, LiveCollection } from "../collections/live-collection";

/**
 * What a lifecycle finds on the service: every attribute but the container (whose attribute is called as its `Kind` is) and
 * the id, which are filled in for it.
 */
export type Found<A extends Attributes, Kind extends string = never> = Omit<Observed<A>, Kind>;

/** What a lifecycle works with: the client, the container's id, and the collections that were read in this run. */
export interface Scope<Client = unknown> {
  readonly api: Client;
  /** Numeric id of the container. */
  readonly container: number;
  /** A collection of this container, read once in a run. */
  collection<K, T, Whole extends T = T>(collection: Collection<K, T, Whole, Client>): Live<K, T, Whole>;
  /** How many objects of this type and container the run will read, where the host knows. */
  readonly expected: number | undefined;
}

/** What a data source works with: the client, what its arguments name, and the collections that were read in this run. */
export interface DataScope<Client = unknown, Kind extends string = string> {
  readonly api: Client;
  /**
   * The id of what an argument names, which is called as its kind is; asks where it is a path.
   *
   * @throws ReferenceNotFound, and what the client throws
   */
  idOf(kind: Kind, name: Value): Promise<number>;
  /** Says where an argument led, which is another path after a move. */
  followed(kind: Kind, name: Value, fullPath: string): void;
  /** A collection of one container, which resources share. */
  collection<K, T, Whole extends T = T>(
    container: number,
    collection: Collection<K, T, Whole, Client>,
  ): LiveCollection<K, T, Whole>;
}
