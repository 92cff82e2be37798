import { API_CODES } from "../../diagnostics";
import { continueWith, type Resolution } from "../../schema";
import type { Reach } from "../protocol/connection";
import { ServiceFailure } from "../protocol/failures";
import { type Collection, Listing, NOT_CACHED, ReadWriteLock, type TextOf } from "./listing";

/**
 * One collection of one container during one run. Reads share one request per page. The response to a successful write updates
 * the cached records and the reads in progress. A refused write, or a write with a lost response, drops the cache. Only
 * successful writes may be recorded here. A reader that runs during a write sees the records before or after the write, as on the
 * service itself.
 */
export class LiveCollection<K, T, Whole extends T = T> {
  #singles = new Map<K, Promise<T | undefined>>();
  /** Whether the collection uses only cached records and sends no requests. */
  #isOffline = false;
  /** The number of single records that this run has requested by key. */
  #singleReads = 0;
  /** The number of pages of the list; 0 before the first page was read. */
  #pageCount = 0;
  /** Whether a record can move to another page between two requests, without a sign of this in the responses. */
  #mayShift = false;
  #listing: Listing<K, T> | undefined;
  /** A read of the list with a maximum number of pages. If the list is longer, the read stops. */
  #boundedRead: Listing<K, T> | undefined;
  /** The first read of the list. The response to this read shows whether the container has this collection. */
  #proof: Promise<unknown> | undefined;
  /** The records of two complete reads of the list. Undefined until a reader has to confirm that a record is missing. */
  #twice: Promise<Map<K, T>> | undefined;
  readonly #lock = new ReadWriteLock();

  constructor(
    private readonly collection: Collection<K, T, Whole>,
    private readonly reach: Reach,
    private readonly container: number,
    /** Whether the collection caches whole records instead of their projections. */
    private isWhole = true,
  ) {}

  /**
   * Returns all records by key. `expected` is the number of records that the caller needs. @throws the client's errors; after an
   * error, the next reader sends the request again
   */
  async all(expected?: number): Promise<ReadonlyMap<K, T>> {
    const { records } = await this.#wholeListing(expected);
    return (await records)!;
  }

  /**
   * Returns the records whose `textOf` equals a text, from an index. @throws the client's errors; after an error, the next reader
   * sends the request again
   */
  async where(textOf: TextOf<T>, text: string): Promise<readonly T[]> {
    return (await (await this.#wholeListing()).where(textOf, text))!;
  }

  /**
   * Returns all records by key; undefined if the list has more than `maxPages` pages. For a list that is too long, at most the
   * first page is requested. If records can move between pages during a read, the list is read twice.
   *
   * @throws the client's errors; after an error, the next reader sends the request again
   */
  async allWithin(maxPages: number): Promise<ReadonlyMap<K, T> | undefined> {
    if (this.#listing === undefined && this.#boundedRead !== undefined) await this.#isLong(this.#boundedRead);
    if (this.#listing !== undefined) return this.complete().all();
    if (this.#pageCount > maxPages) return undefined;
    const bounded = this.#read(maxPages);
    this.#boundedRead = bounded;
    return (await this.#isLong(bounded)) ? undefined : this.complete().all();
  }

  /** Returns all whole records by key. If only projections were cached, the list is read again. */
  async readWhole(): Promise<ReadonlyMap<K, Whole>> {
    if (!this.isWhole && this.collection.projection !== undefined) {
      this.isWhole = true;
      this.drop();
    }
    return (await this.all()) as ReadonlyMap<K, Whole>;
  }

  /** The records by key if this run has read the whole list; otherwise undefined. No request is sent. */
  get cachedRecords(): Promise<ReadonlyMap<K, T> | undefined> | undefined {
    return this.#listing?.records;
  }

  /**
   * Returns a copy of the collection that uses only cached records. Where a request would be necessary, the copy throws
   * `NOT_CACHED`.
   */
  asKnown(): LiveCollection<K, T, Whole> {
    const known = new LiveCollection(this.collection, this.reach, this.container, this.isWhole);
    known.#isOffline = true;
    known.#listing = this.#listing;
    known.#boundedRead = this.#boundedRead;
    known.#singles = this.#singles;
    return known;
  }

  /**
   * Returns one record, with as few requests as possible; undefined if the record does not exist. `expected` is the number of
   * records that the run needs, if the host knows it. A single record is requested by its key. For more records, the first page
   * of the list shows the number of pages. A short list is then read as a whole. For a long list, each record takes one request,
   * until there are as many requests as pages in the list. In each run, one response of the list proves that the collection
   * exists.
   *
   * @throws the client's errors; `gone` if the list itself does not exist
   */
  get(key: K, expected: number | undefined): Resolution<T | undefined> {
    const known = this.#listing?.known;
    return known === undefined ? this.#get(key, expected) : known.get(key);
  }

  async #get(key: K, expected: number | undefined): Promise<T | undefined> {
    if (this.collection.single === undefined) return (await this.all(expected)).get(key);
    if (this.#listing === undefined) {
      const asked = this.#singles.get(key);
      if (asked !== undefined) return asked;
      if ((expected ?? 1) === 1 && this.#singleReads === 0) return this.#askAlone(key);
      if (!(await this.#isListCheaper(expected)) && this.#singleReads < this.#pageCount) {
        return this.#singles.get(key) ?? this.#askAlone(key);
      }
    }
    return (await this.all(expected)).get(key);
  }

  /**
   * Returns one record from a new request, for example after a write whose response lacks the record.
   * @throws the client's errors
   */
  async refetch(key: K): Promise<T | undefined> {
    const asked = this.#asked(key);
    const record = await (this.collection.isSingleFiltered === true
      ? asked
      : this.reach.failures.orNothing(asked));
    this.#patch(key, record === undefined ? null : this.#toRecord(record));
    if (record !== undefined) this.#singles.set(key, Promise.resolve(record));
    return record;
  }

  /** Sends a write that adds or removes records. The write waits until no read of the list is in progress. */
  send<R>(write: () => Promise<R>): Promise<R> {
    return this.#lock.write(write);
  }

  /**
   * Records the response to a write. `key` is the key of the changed record, if the caller knows it. @throws ServiceFailure if
   * the response contains a record with another key
   */
  written(record: Whole, key?: K): void {
    if (key !== undefined) this.#expectKey(key, record, true);
    this.#patch(this.collection.keyOf(record), this.#toRecord(record));
  }

  /** Records the deletion of a record after the service has confirmed it. */
  removed(key: K): void {
    this.#patch(key, null);
  }

  /**
   * Drops the cached records, but keeps a list if its first request came at or after `since`; reads in progress keep their
   * result. A list that was not requested yet is also kept, because its pages will contain every earlier write.
   */
  drop(since = performance.now()): void {
    if (this.#listing?.isOlderThan(since)) this.#listing = undefined;
    if (this.#boundedRead?.isOlderThan(since)) this.#boundedRead = undefined;
    this.#twice = undefined;
    this.#singles.clear();
    this.#singleReads = 0;
  }

  /**
   * Returns a view that ignores records from before a moment of `performance.now()`. Callers use this view to find the outcome of
   * a write whose response was lost. If the service can return a single record, the view requests it by key. If the service can't
   * return a single record, all callers share one read of the list.
   */
  asOf(since: number): Live<K, T, Whole> {
    const { single } = this.collection;
    const ofList = <R>(read: () => Promise<R>): Promise<R> => {
      if (this.#listing?.isOlderThan(since) || this.#boundedRead?.isOlderThan(since)) this.drop(since);
      return read();
    };
    const all = () => ofList(() => this.all());
    return {
      all,
      where: (textOf, text) => ofList(() => this.where(textOf, text)),
      readWhole: () => ofList(() => this.readWhole()),
      get: async (key) => (single === undefined ? (await all()).get(key) : this.refetch(key)),
      refetch: (key) => this.refetch(key),
      cachedRecords: this.cachedRecords,
      send: (write) => this.send(write),
      written: (record, key) => this.written(record, key),
      removed: (key) => this.removed(key),
      drop: () => this.drop(),
    };
  }

  /**
   * Returns a view that confirms that a record does not exist. If another client removes a record between two page requests, the
   * list skips a different record. The view therefore requests a single record if the API supports that. If the API has no
   * request for a single record, the record must be missing in two complete reads of the list.
   *
   * @param since the moment of `performance.now()` from which reads count
   */
  confirming(since?: number): Live<K, T, Whole> {
    const all = () => this.#readTwice(since);
    const alone = (key: K) =>
      since === undefined ? (this.#singles.get(key) ?? this.#askAlone(key)) : this.refetch(key);
    return {
      ...this.asOf(since ?? Number.NEGATIVE_INFINITY),
      ...throughAll(all),
      get: async (key) => {
        if (this.collection.single === undefined) return (await all()).get(key);
        const record = await alone(key);
        if (record !== undefined) this.#listing?.patch(key, record);
        return record;
      },
    };
  }

  /**
   * Returns a view of the complete list. If records can move between pages during a read, the view contains the records of two
   * reads.
   */
  complete(): Live<K, T, Whole> {
    const all = async () => {
      const records = await this.all();
      return this.#mayShift ? this.#readTwice(undefined) : records;
    };
    return {
      ...this.asOf(Number.NEGATIVE_INFINITY),
      all,
      // After `all()`, the index contains the records of the two reads.
      where: async (textOf, text) => {
        await all();
        return this.where(textOf, text);
      },
      // The value of `#mayShift` is known only after the first page was read, so it is checked after `get`.
      get: (key, expected) =>
        continueWith(this.get(key, expected), (record) =>
          record === undefined && this.#mayShift ? all().then((records) => records.get(key)) : record,
        ),
    };
  }

  async #readTwice(since: number | undefined): Promise<ReadonlyMap<K, T>> {
    if (since !== undefined && this.#listing?.isOlderThan(since)) this.drop(since);
    const first = await (await this.#wholeListing()).records;
    this.#twice ??= this.#readAgain(first!);
    this.#twice.catch(() => {
      this.#twice = undefined;
    });
    return this.#twice;
  }

  async #readAgain(first: ReadonlyMap<K, T>): Promise<Map<K, T>> {
    const again = this.#read(undefined);
    const second = await again.records;
    // The cache also gets records that only the first read contains, so that readers of the cache see the records of the two
    // reads.
    for (const [key, record] of first) if (!second!.has(key)) again.patch(key, record);
    this.#listing = again;
    return new Map([...first, ...second!]);
  }

  /** Returns a function that converts the record in a response to the form that the collection caches. */
  get #toRecord(): (record: Whole) => T {
    const { projection } = this.collection;
    return this.isWhole || projection === undefined ? (record) => record : projection;
  }

  #patch(key: K, record: T | null): void {
    this.#singles.delete(key);
    this.#listing?.patch(key, record);
    if (this.#boundedRead !== this.#listing) this.#boundedRead?.patch(key, record);
    if (this.#twice !== undefined) void this.#patchTwice(this.#twice, key, record);
  }

  async #patchTwice(twice: Promise<Map<K, T>>, key: K, record: T | null): Promise<void> {
    const records = await twice.catch(() => undefined);
    if (record === null) records?.delete(key);
    else records?.set(key, record);
  }

  /**
   * Returns true if the whole list takes at most as many requests as separate requests for the wanted records. The first page
   * shows the number of pages. @throws the client's errors
   */
  async #isListCheaper(expected: number | undefined): Promise<boolean> {
    // A list of two pages is always short enough, because the second page costs as much as one record.
    const most = Math.max(expected ?? 0, 2);
    if (this.#pageCount > most) return false;
    // If an earlier request showed that the list is missing, this line throws the error of that request again.
    if (this.#boundedRead === undefined && this.#proof !== undefined) await this.#proof;
    this.#boundedRead ??= this.#read(most, expected);
    return !(await this.#isLong(this.#boundedRead));
  }

  async #wholeListing(expected?: number): Promise<Listing<K, T>> {
    // A bounded read in progress can turn out to contain the whole list, so its end is awaited first.
    if (this.#listing === undefined && this.#boundedRead !== undefined) await this.#isLong(this.#boundedRead);
    this.#listing ??= this.#read(undefined, expected);
    return this.#listing;
  }

  /**
   * Returns whether the list has too many pages. If the list is short enough, the bounded read `glance` contains the whole list
   * and becomes the listing.
   */
  async #isLong(glance: Listing<K, T>): Promise<boolean> {
    const isLong = (await glance.records) === undefined;
    if (!isLong && this.#boundedRead === glance) this.#listing ??= glance;
    return isLong;
  }

  /** Reads the list if it has at most `most` pages. `expected` is the minimum number of its records. */
  #read(most: number | undefined, expected?: number): Listing<K, T> {
    if (this.#isOffline) throw NOT_CACHED;
    const { list, isMember, keyOf } = this.collection;
    const form = this.#toRecord;
    const countPages = (count: number, mayShift: boolean): void => {
      this.#pageCount = count;
      this.#mayShift = mayShift;
    };
    const listing = new Listing<K, T>(
      () => list(this.reach.api, this.container).map(form).pages(most, countPages, expected),
      (records, record) => {
        const key = keyOf(record);
        if (isMember?.(record, this.container, records.get(key)) !== false) records.set(key, record);
      },
      this.#lock,
    );
    this.#proof ??= listing.records;
    // After a failure, the collection drops this listing, so that the next reader requests the list again. Readers that already
    // wait for the listing receive the failure.
    listing.records.catch((problem: unknown) => {
      if (this.#listing === listing) this.#listing = undefined;
      if (this.#boundedRead === listing) this.#boundedRead = undefined;
      if (this.#proof === listing.records && !this.reach.failures.isGone(problem)) this.#proof = undefined;
    });
    return listing;
  }

  #askAlone(key: K): Promise<T | undefined> {
    if (this.#isOffline) throw NOT_CACHED;
    this.#singleReads++;
    const asked = this.#single(key);
    this.#singles.set(key, asked);
    asked.catch((problem: unknown) => {
      // If the whole collection is missing, the failed promise stays in the cache. After any other failure, the next reader sends
      // the request again.
      if (this.reach.failures.isGone(problem) || this.#singles.get(key) !== asked) return;
      this.#singles.delete(key);
      this.#singleReads--;
    });
    return asked;
  }

  /**
   * Returns one record by its key. A 404 for a filtered list is confirmed by a second request. @throws the client's errors,
   * ServiceFailure
   */
  async #asked(key: K): Promise<Whole | undefined> {
    const { single, isSingleFiltered } = this.collection;
    const ask = async () => single!(this.reach.api, this.container, key);
    const record = await ask().catch((problem: unknown) => {
      if (isSingleFiltered !== true || !this.reach.failures.isGone(problem)) throw problem;
      return ask();
    });
    if (record !== undefined) this.#expectKey(key, record, false);
    return record;
  }

  /**
   * Throws an error if the service returned a record with another key. Without this error, the collection would use this record
   * as the requested one.
   */
  #expectKey(key: K, record: Whole, isWritten: boolean): void {
    const shown = this.collection.keyOf(record);
    if (shown === key) return;
    const [, remedy, summary] = API_CODES.unexpected_answer;
    const done = isWritten ? ", and may have made the change" : "";
    throw new ServiceFailure({
      kind: isWritten ? "maybeDone" : "failed",
      code: "unexpected_answer",
      summary,
      detail: `The service returned the object ${JSON.stringify(shown)} instead of ${JSON.stringify(key)}${done}. ${remedy}`,
    });
  }

  /**
   * Returns one record by its key; undefined if the record does not exist. A 404 can mean that the whole collection is missing.
   * After a 404, the first page of the list is therefore requested, if this run has not requested this page.
   */
  async #single(key: K): Promise<T | undefined> {
    try {
      return await this.#asked(key);
    } catch (problem) {
      if (this.collection.isSingleFiltered === true || !this.reach.failures.isGone(problem)) throw problem;
      const isAskedNow = this.#proof === undefined;
      if (isAskedNow) {
        this.#boundedRead = this.#read(1);
        await this.#isLong(this.#boundedRead);
      }
      await this.#proof;
      // A list that was requested after the 404 is newer than the 404, and can contain the record.
      return isAskedNow ? (await this.#boundedRead?.records)?.get(key) : undefined;
    }
  }
}

/** Returns an `all` and a `where` method. The two methods take their records from the given function. */
const throughAll = <K, T>(all: () => Promise<ReadonlyMap<K, T>>) => ({
  all,
  where: async (textOf: TextOf<T>, text: string): Promise<readonly T[]> =>
    [...(await all()).values()].filter((record) => textOf(record) === text),
});

/** The methods of a collection that lifecycle functions can use. */
export type Live<K, T, Whole extends T = T> = Omit<
  LiveCollection<K, T, Whole>,
  "allWithin" | "asKnown" | "asOf" | "confirming" | "complete"
>;
