import { API_CODES } from "../../diagnostics";
import type { Reach } from "../protocol/connection";
import { ServiceFailure } from "../protocol/failures";
import { continueWith, type Resolution } from "../protocol/resolution";
import { type Collection, Listing, NOT_CACHED, ReadWriteLock, type TextOf } from "./listing";

/**
 * One collection of one container during one run. Reads share one request a page; a write patches what was read, or is
 * being read, with what the service answered; a write that was refused or whose answer was lost drops it. Only a write
 * that was answered may be used here: an earlier reader sees either state, as with the service itself.
 */
export class LiveCollection<K, T, Whole extends T = T> {
  #singles = new Map<K, Promise<T | undefined>>();
  /** Whether it asks for nothing. */
  #isOffline = false;
  /** How often one was asked for alone. */
  #singleReads = 0;
  /** How many pages the list has, once one of them was read. */
  #pageCount = 0;
  /** Whether the list may shift unnoticed between two pages. */
  #mayShift = false;
  #listing: Listing<K, T> | undefined;
  /** The list as far as it is worth reading. */
  #boundedRead: Listing<K, T> | undefined;
  /** What was read of the list first: its answer tells whether the service has this collection here at all. */
  #proof: Promise<unknown> | undefined;
  /** The records of two complete reads of the list, once an absence had to be confirmed. */
  #twice: Promise<Map<K, T>> | undefined;
  readonly #lock = new ReadWriteLock();

  constructor(
    private readonly collection: Collection<K, T, Whole>,
    private readonly reach: Reach,
    private readonly container: number,
    /** Whether records are kept as the service gives them. */
    private isWhole = true,
  ) {}

  /** Every record by its key; `expected` are wanted. @throws the client's errors; the next reader asks again. */
  async all(expected?: number): Promise<ReadonlyMap<K, T>> {
    const { records } = await this.#wholeListing(expected);
    return (await records)!;
  }

  /** The records of which `textOf` returns this text, by an index. @throws the client's errors; the next reader asks again. */
  async where(textOf: TextOf<T>, text: string): Promise<readonly T[]> {
    return (await (await this.#wholeListing()).where(textOf, text))!;
  }

  /**
   * Every record by its key, unless the list has more pages than `maxPages`: then at most its first page is requested. A list that
   * may shift between two pages is read twice.
   *
   * @throws the client's errors; the next reader asks again
   */
  async allWithin(maxPages: number): Promise<ReadonlyMap<K, T> | undefined> {
    if (this.#listing === undefined && this.#boundedRead !== undefined) await this.#isLong(this.#boundedRead);
    if (this.#listing !== undefined) return this.complete().all();
    if (this.#pageCount > maxPages) return undefined;
    const bounded = this.#read(maxPages);
    this.#boundedRead = bounded;
    return (await this.#isLong(bounded)) ? undefined : this.complete().all();
  }

  /** Every record by its key, as the service gives it; reads them again where only what lifecycles use was kept. */
  async readWhole(): Promise<ReadonlyMap<K, Whole>> {
    if (!this.isWhole && this.collection.projection !== undefined) {
      this.isWhole = true;
      this.drop();
    }
    return (await this.all()) as ReadonlyMap<K, Whole>;
  }

  /** Every record by its key, where they were read in this run already; asks for nothing. */
  get cachedRecords(): Promise<ReadonlyMap<K, T> | undefined> | undefined {
    return this.#listing?.records;
  }

  /** The same as far as it was read in this run: in the place of a request it throws `NOT_CACHED`. */
  asKnown(): LiveCollection<K, T, Whole> {
    const known = new LiveCollection(this.collection, this.reach, this.container, this.isWhole);
    known.#isOffline = true;
    known.#listing = this.#listing;
    known.#boundedRead = this.#boundedRead;
    known.#singles = this.#singles;
    return known;
  }

  /**
   * One record, by as few requests as can be: `expected` are wanted in all, where the host knows. A single one is asked
   * for alone. From the second on the list's first page tells how many pages there are: few are read at once, of many
   * each record is asked for alone until that was as many requests as there are pages. Nothing where there is no such record, which the list proves by answering at all, once in a run.
   *
   * @throws the client's errors; `gone` where the list itself isn't there
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

  /** One record as it is now: for after a write that was not answered with it. @throws the client's errors */
  async refetch(key: K): Promise<T | undefined> {
    const asked = this.#asked(key);
    const record = await (this.collection.isSingleFiltered === true
      ? asked
      : this.reach.failures.orNothing(asked));
    this.#patch(key, record === undefined ? null : this.#toRecord(record));
    if (record !== undefined) this.#singles.set(key, Promise.resolve(record));
    return record;
  }

  /** Sends a write that adds records or takes some away: not while their list is read. */
  send<R>(write: () => Promise<R>): Promise<R> {
    return this.#lock.write(write);
  }

  /** A write was answered with this record; `key` is what it was about, where that was known. @throws ServiceFailure */
  written(record: Whole, key?: K): void {
    if (key !== undefined) this.#expectKey(key, record, true);
    this.#patch(this.collection.keyOf(record), this.#toRecord(record));
  }

  /** A deletion was answered. */
  removed(key: K): void {
    this.#patch(key, null);
  }

  /**
   * Invalidates the cache; reads in progress keep their result. A list of which no page was requested yet is kept,
   * because its pages show whatever was written before.
   */
  drop(since = performance.now()): void {
    if (this.#listing?.isOlderThan(since)) this.#listing = undefined;
    if (this.#boundedRead?.isOlderThan(since)) this.#boundedRead = undefined;
    this.#twice = undefined;
    this.#singles.clear();
    this.#singleReads = 0;
  }

  /**
   * The same as it is from a moment on, by the clock of `performance.now()`: for looking what became of a write whose
   * answer was lost. One record is asked for alone where it can be; one reading of the list is for all who look.
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
   * Returns a view that confirms absences. Pages are offsets: when others remove a record between two pages, the list skips
   * another one. The view requests a single record if the API can. Otherwise a record is absent only if two complete reads of the
   * list lack it.
   *
   * @param since reads from before that moment of `performance.now()` don't count
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

  /** Returns a view for a complete list: one that may shift between two pages is read twice. Records of both reads are in it. */
  complete(): Live<K, T, Whole> {
    const all = async () => {
      const records = await this.all();
      return this.#mayShift ? this.#readTwice(undefined) : records;
    };
    return {
      ...this.asOf(Number.NEGATIVE_INFINITY),
      all,
      // Once the list was read, its index has the records of both reads.
      where: async (textOf, text) => {
        await all();
        return this.where(textOf, text);
      },
      // Whether the list may shift is known once its first page was read.
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
    // Readers of the cache see what either reading has.
    for (const [key, record] of first) if (!second!.has(key)) again.patch(key, record);
    this.#listing = again;
    return new Map([...first, ...second!]);
  }

  /** What is kept of a record. */
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

  /** Whether the list has no more pages than records are wanted; its first page tells. @throws the client's errors */
  async #isListCheaper(expected: number | undefined): Promise<boolean> {
    // With two pages, the second is worth as much as one record.
    const most = Math.max(expected ?? 0, 2);
    if (this.#pageCount > most) return false;
    // That the list isn't there is known for good.
    if (this.#boundedRead === undefined && this.#proof !== undefined) await this.#proof;
    this.#boundedRead ??= this.#read(most, expected);
    return !(await this.#isLong(this.#boundedRead));
  }

  async #wholeListing(expected?: number): Promise<Listing<K, T>> {
    // What is being read may turn out to be all of it.
    if (this.#listing === undefined && this.#boundedRead !== undefined) await this.#isLong(this.#boundedRead);
    this.#listing ??= this.#read(undefined, expected);
    return this.#listing;
  }

  /** Whether the list is too long to be read. What was read is the whole of it otherwise, and stands for it. */
  async #isLong(glance: Listing<K, T>): Promise<boolean> {
    const isLong = (await glance.records) === undefined;
    if (!isLong && this.#boundedRead === glance) this.#listing ??= glance;
    return isLong;
  }

  /** Reads the list, unless it has more pages than `most`; at least as many records as are expected may be in it. */
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
    // Those who await the records get the failure; the next reader tries again.
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
      // That it isn't there is an answer; a request that failed is none.
      if (this.reach.failures.isGone(problem) || this.#singles.get(key) !== asked) return;
      this.#singles.delete(key);
      this.#singleReads--;
    });
    return asked;
  }

  /** One record by its own address. A filtered list that answers 404 is asked once more. @throws the client's errors, ServiceFailure */
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

  /** Another object's record would be taken for a change of the one that was asked for. */
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
   * One record by its own address, where a 404 may be about the whole collection: then the list's first page is asked for, unless some
   * of it was read in this run.
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
      // What a list shows that was asked for after the 404 is there.
      return isAskedNow ? (await this.#boundedRead?.records)?.get(key) : undefined;
    }
  }
}

/** Reads of a collection that go through its complete list. */
const throughAll = <K, T>(all: () => Promise<ReadonlyMap<K, T>>) => ({
  all,
  where: async (textOf: TextOf<T>, text: string): Promise<readonly T[]> =>
    [...(await all()).values()].filter((record) => textOf(record) === text),
});

/** What lifecycles do with a collection. */
export type Live<K, T, Whole extends T = T> = Omit<
  LiveCollection<K, T, Whole>,
  "allWithin" | "asKnown" | "asOf" | "confirming" | "complete"
>;
