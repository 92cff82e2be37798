import type { Client } from "../api";
import { isNotFound, orNothing } from "./problems";

/** A list of the API that lifecycles read as a whole, once in a run. */
export interface Collection<K, T> {
  /** Tells collections of one container apart. */
  readonly name: string;
  /** Asks for every record; throws the API's errors. */
  load(api: Client, container: number): AsyncIterable<T> | Promise<Iterable<T>>;
  keyOf(record: T): K;
  /** One record by its key, where the API has such a request; nothing, or the API's own `not_found`, where there is none. */
  single?(api: Client, container: number, key: K): Promise<T | undefined>;
}

/** Up to this many objects are asked for one by one; from the next on the whole collection is read. */
const SINGLE_READS = 3;

/** A list that is being read or was read, kept up to date with the writes that were answered since it was asked for. */
class Listing<K, T> {
  readonly records: Promise<ReadonlyMap<K, T>>;
  readonly #byKey = new Map<K, T>();
  /** What was written while the list was read; null for what was removed. */
  readonly #written = new Map<K, T | null>();
  #isRead = false;

  constructor(read: () => AsyncIterable<T> | Promise<Iterable<T>>, keyOf: (record: T) => K) {
    this.records = this.#read(read, keyOf);
  }

  patch(key: K, record: T | null): void {
    if (!this.#isRead) this.#written.set(key, record);
    else if (record === null) this.#byKey.delete(key);
    else this.#byKey.set(key, record);
  }

  async #read(read: () => AsyncIterable<T> | Promise<Iterable<T>>, keyOf: (record: T) => K) {
    for await (const record of await read()) this.#byKey.set(keyOf(record), record);
    this.#isRead = true;
    for (const [key, record] of this.#written) this.patch(key, record);
    return this.#byKey;
  }
}

/**
 * One collection of one container during one run. Reads share one request a page; a write patches what was read, or is
 * being read, with what the service answered; a write that was refused or whose answer was lost drops it. Only a write
 * that was answered may be told here: whoever reads before that sees either state, as with the service itself.
 */
export class LiveCollection<K, T> {
  readonly #collection: Collection<K, T>;
  readonly #api: Client;
  readonly #container: number;
  readonly #singles = new Map<K, Promise<T | undefined>>();
  #listing: Listing<K, T> | undefined;

  constructor(collection: Collection<K, T>, api: Client, container: number) {
    this.#collection = collection;
    this.#api = api;
    this.#container = container;
  }

  /** Every record by its key. @throws ApiError; the next reader asks again. */
  all(): Promise<ReadonlyMap<K, T>> {
    this.#listing ??= this.#list();
    return this.#listing.records;
  }

  /** Every record by its key, where they were read in this run already; asks for nothing. */
  get known(): Promise<ReadonlyMap<K, T>> | undefined {
    return this.#listing?.records;
  }

  /**
   * One record. Asked for alone while few are wanted (`expected` of them, where the host knows); else found in the
   * whole collection.
   *
   * @throws ApiError; its `not_found` where the record is asked for alone and isn't there
   */
  async get(key: K, expected: number | undefined): Promise<T | undefined> {
    const few = (expected ?? 0) <= SINGLE_READS && this.#singles.size < SINGLE_READS;
    const mayAskAlone = this.#collection.single !== undefined && (few || this.#singles.has(key));
    if (this.#listing !== undefined || !mayAskAlone) return (await this.all()).get(key);
    return this.#singles.get(key) ?? this.#askAlone(key);
  }

  /** One record as it is now: for after a write that was done, and answered without it. @throws ApiError */
  async again(key: K): Promise<T | undefined> {
    const record = await orNothing(this.#collection.single!(this.#api, this.#container, key));
    this.#patch(key, record ?? null);
    return record;
  }

  /** A write was answered with this record. */
  written(record: T): void {
    this.#patch(this.#collection.keyOf(record), record);
  }

  /** A deletion was answered. */
  removed(key: K): void {
    this.#patch(key, null);
  }

  /** Nothing that was read counts any more; who reads at the moment still gets what was asked for. */
  drop(): void {
    this.#listing = undefined;
    this.#singles.clear();
  }

  #patch(key: K, record: T | null): void {
    this.#singles.delete(key);
    this.#listing?.patch(key, record);
  }

  #list(): Listing<K, T> {
    const { load, keyOf } = this.#collection;
    const listing = new Listing(() => load(this.#api, this.#container), keyOf);
    // Whoever awaits the records is told of a failure; the next reader may have better luck.
    listing.records.catch(() => {
      if (this.#listing === listing) this.#listing = undefined;
    });
    return listing;
  }

  #askAlone(key: K): Promise<T | undefined> {
    const asked = this.#collection.single!(this.#api, this.#container, key);
    this.#singles.set(key, asked);
    asked.catch((problem: unknown) => {
      // That it isn't there is an answer; a request that failed is none.
      if (!isNotFound(problem) && this.#singles.get(key) === asked) this.#singles.delete(key);
    });
    return asked;
  }
}

/** The collections of one configured client in one run. */
export class Collections {
  readonly #byContainer = new Map<number, Map<string, LiveCollection<never, never>>>();

  of<K, T>(api: Client, container: number, collection: Collection<K, T>): LiveCollection<K, T> {
    const here = this.#byContainer.get(container) ?? new Map<string, LiveCollection<never, never>>();
    this.#byContainer.set(container, here);
    const known = here.get(collection.name) as LiveCollection<K, T> | undefined;
    if (known !== undefined) return known;
    const live = new LiveCollection(collection, api, container);
    here.set(collection.name, live as unknown as LiveCollection<never, never>);
    return live;
  }

  /** After a write that was refused or whose answer was lost. */
  drop(container: number): void {
    for (const live of this.#byContainer.get(container)?.values() ?? []) live.drop();
  }
}
