import type { Client, RecordList } from "../api";
import { isNotFound, orNothing } from "./problems";

/** A list of the API that lifecycles read as a whole, once in a run. */
export interface Collection<K, T> {
  /** Tells collections of one container apart. */
  readonly name: string;
  /** The API's list of it; reading it throws the API's errors. */
  list(api: Client, container: number): Readable<T>;
  /** Which of the records count, where not all of them do. */
  select?(records: readonly T[], container: number): Iterable<T>;
  keyOf(record: T): K;
  /** One record by its key, where the API has such a request; nothing, or the API's own `not_found`, where there is none. */
  single?(api: Client, container: number, key: K): Promise<T | undefined>;
}

type Readable<T> = Pick<RecordList<T>, "toArray" | "upTo">;

/** Where nobody knows how many are wanted, so many are asked for one by one; from the next on the whole is read. */
const SINGLE_READS = 3;

/** Thrown in the place of a request where only what was read already may be told. */
export class NotKnown extends Error {}

/** A list that is being read or was read, kept up to date with the writes that were answered since it was asked for. */
class Listing<K, T> {
  /** Nothing where the list turned out to be too long to be read. */
  readonly records: Promise<ReadonlyMap<K, T> | undefined>;
  readonly #byKey = new Map<K, T>();
  /** What was written while the list was read; null for what was removed. */
  readonly #written = new Map<K, T | null>();
  #isRead = false;

  constructor(read: () => Promise<Iterable<T> | undefined>, keyOf: (record: T) => K) {
    this.records = this.#read(read, keyOf);
  }

  patch(key: K, record: T | null): void {
    if (!this.#isRead) this.#written.set(key, record);
    else if (record === null) this.#byKey.delete(key);
    else this.#byKey.set(key, record);
  }

  async #read(read: () => Promise<Iterable<T> | undefined>, keyOf: (record: T) => K) {
    const records = await read();
    if (records === undefined) return undefined;
    for (const record of records) this.#byKey.set(keyOf(record), record);
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
  #singles = new Map<K, Promise<T | undefined>>();
  /** Whether it asks for nothing. */
  #isSilent = false;
  /** How often one was asked for alone. */
  #askedAlone = 0;
  #listing: Listing<K, T> | undefined;
  /** The list as far as it is worth reading. */
  #glance: Listing<K, T> | undefined;

  constructor(collection: Collection<K, T>, api: Client, container: number) {
    this.#collection = collection;
    this.#api = api;
    this.#container = container;
  }

  /** Every record by its key. @throws ApiError; the next reader asks again. */
  async all(): Promise<ReadonlyMap<K, T>> {
    // What is being read may turn out to be all of it.
    if (this.#listing === undefined && this.#glance !== undefined) await this.#isLong(this.#glance);
    this.#listing ??= this.#read((list) => list.toArray());
    return (await this.#listing.records)!;
  }

  /** Every record by its key, where they were read in this run already; asks for nothing. */
  get known(): Promise<ReadonlyMap<K, T> | undefined> | undefined {
    return this.#listing?.records;
  }

  /** The same as far as it was read in this run: in the place of a request it throws `NotKnown`. */
  asKnown(): LiveCollection<K, T> {
    const known = new LiveCollection(this.#collection, this.#api, this.#container);
    known.#isSilent = true;
    known.#listing = this.#listing;
    known.#glance = this.#glance;
    known.#singles = this.#singles;
    return known;
  }

  /**
   * One record, by as few requests as can be: `expected` are wanted in all, where the host knows. Few are asked for
   * alone. More are found in the whole collection, unless that has more pages than so many objects are requests.
   *
   * @throws ApiError; its `not_found` where the record is asked for alone and isn't there
   */
  async get(key: K, expected: number | undefined): Promise<T | undefined> {
    if (this.#collection.single === undefined) return (await this.all()).get(key);
    const isFew = expected === undefined || expected <= SINGLE_READS;
    if (!isFew && this.#listing === undefined) {
      this.#glance ??= this.#read((list) => list.upTo(expected));
      await this.#isLong(this.#glance);
    }
    if (this.#listing !== undefined) return (await this.all()).get(key);
    const asked = this.#singles.get(key);
    if (asked !== undefined) return asked;
    const most = isFew ? SINGLE_READS : expected;
    return this.#askedAlone < most ? this.#askAlone(key) : (await this.all()).get(key);
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
    this.#glance = undefined;
    this.#singles.clear();
    this.#askedAlone = 0;
  }

  #patch(key: K, record: T | null): void {
    this.#singles.delete(key);
    this.#listing?.patch(key, record);
    if (this.#glance !== this.#listing) this.#glance?.patch(key, record);
  }

  /** Whether the list is too long to be read. What was read is the whole of it otherwise, and stands for it. */
  async #isLong(glance: Listing<K, T>): Promise<boolean> {
    const isLong = (await glance.records) === undefined;
    if (!isLong && this.#glance === glance) this.#listing ??= glance;
    return isLong;
  }

  #read(part: (list: Readable<T>) => Promise<readonly T[] | undefined>): Listing<K, T> {
    if (this.#isSilent) throw new NotKnown();
    const { list, select, keyOf } = this.#collection;
    const listing = new Listing(async () => {
      const records = await part(list(this.#api, this.#container));
      return records && select ? select(records, this.#container) : records;
    }, keyOf);
    // Whoever awaits the records is told of a failure; the next reader may have better luck.
    listing.records.catch(() => {
      if (this.#listing === listing) this.#listing = undefined;
      if (this.#glance === listing) this.#glance = undefined;
    });
    return listing;
  }

  #askAlone(key: K): Promise<T | undefined> {
    if (this.#isSilent) throw new NotKnown();
    this.#askedAlone++;
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
