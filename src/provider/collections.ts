import type { Client } from "../api";

/** A list of the API that lifecycles read as a whole, once in a run. */
export interface Collection<K, T> {
  /** Tells collections of one container apart. */
  readonly name: string;
  load(api: Client, container: number): AsyncIterable<T> | Promise<Iterable<T>>;
  keyOf(record: T): K;
  /** One record by its key, where the API has such a request; throws the API's error where there is none. */
  single?(api: Client, container: number, key: K): Promise<T>;
}

/** Up to this many objects are asked for one by one; from the next on the whole collection is read. */
const SINGLE_READS = 3;

/**
 * One collection of one container during one run. Reads share one request a page; a write patches what was read with
 * what the service answered, and a write that was refused or whose answer was lost drops it.
 */
export class LiveCollection<K, T> {
  readonly #collection: Collection<K, T>;
  readonly #api: Client;
  readonly #container: number;
  #all: Promise<Map<K, T>> | undefined;
  readonly #singles = new Map<K, Promise<T>>();

  constructor(collection: Collection<K, T>, api: Client, container: number) {
    this.#collection = collection;
    this.#api = api;
    this.#container = container;
  }

  /** Every record by its key. */
  all(): Promise<ReadonlyMap<K, T>> {
    this.#all ??= this.#load();
    return this.#all;
  }

  /**
   * One record. Asked for alone while few are wanted (`expected` of them, where the host knows); else found in the
   * whole collection. Where it is asked for alone and isn't there, the API's own "not found" is thrown.
   */
  async get(key: K, expected: number | undefined): Promise<T | undefined> {
    const { single } = this.#collection;
    const few = (expected ?? 0) <= SINGLE_READS && this.#singles.size < SINGLE_READS;
    if (this.#all !== undefined || single === undefined || !(few || this.#singles.has(key))) {
      return (await this.all()).get(key);
    }
    const known = this.#singles.get(key);
    if (known !== undefined) return known;
    const asked = this.#collection.single!(this.#api, this.#container, key);
    this.#singles.set(key, asked);
    return asked;
  }

  /** A write was answered with this record. */
  async written(record: T): Promise<void> {
    const key = this.#collection.keyOf(record);
    this.#singles.delete(key);
    (await this.#all)?.set(key, record);
  }

  /** A deletion was answered. */
  async removed(key: K): Promise<void> {
    this.#singles.delete(key);
    (await this.#all)?.delete(key);
  }

  /** Nothing that was read counts any more. */
  drop(): void {
    this.#all = undefined;
    this.#singles.clear();
  }

  async #load(): Promise<Map<K, T>> {
    const records = new Map<K, T>();
    try {
      for await (const record of await this.#collection.load(this.#api, this.#container)) {
        records.set(this.#collection.keyOf(record), record);
      }
    } catch (problem) {
      // The next reader may have better luck: a failed list must not be remembered.
      this.#all = undefined;
      throw problem;
    }
    return records;
  }
}

/** The collections of one configured client in one run. */
export class Collections {
  readonly #live = new Map<string, LiveCollection<never, never>>();

  of<K, T>(api: Client, container: number, collection: Collection<K, T>): LiveCollection<K, T> {
    const name = `${collection.name}@${container}`;
    let live = this.#live.get(name) as LiveCollection<K, T> | undefined;
    if (live === undefined) {
      live = new LiveCollection(collection, api, container);
      this.#live.set(name, live as unknown as LiveCollection<never, never>);
    }
    return live;
  }

  /** After a write that was refused or whose answer was lost. */
  drop(container: number): void {
    for (const [name, live] of this.#live) if (name.endsWith(`@${container}`)) live.drop();
  }
}
