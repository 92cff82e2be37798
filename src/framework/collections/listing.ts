import { once } from "../../schema";

/**
 * Separates reads of a list from writes that add or remove records. The service counts pages by offset, so a write
 * between two page requests would shift records onto a page that was already read.
 */
export class ReadWriteLock {
  readonly #reads = new Set<Promise<unknown>>();
  readonly #writes = new Set<Promise<unknown>>();

  /** Runs a read after the writes in progress. Later writes wait for this read. */
  read<R>(read: () => Promise<R>): Promise<R> {
    return during(this.#reads, settled(this.#writes).then(read));
  }

  /** Runs a write when no read is in progress. The write itself must not read. */
  async write<R>(write: () => Promise<R>): Promise<R> {
    while (this.#reads.size > 0) await settled(this.#reads);
    return during(this.#writes, write());
  }
}

const NOTHING = Promise.resolve();

const settled = (work: ReadonlySet<Promise<unknown>>): Promise<unknown> =>
  work.size === 0 ? NOTHING : Promise.allSettled([...work]);

function during<R>(pending: Set<Promise<unknown>>, work: Promise<R>): Promise<R> {
  const allSettled = work.finally(() => pending.delete(allSettled));
  pending.add(allSettled);
  return allSettled;
}

/** A list of the service. The client sends no request before the pages of the list are read. */
export interface RecordPages<T> {
  /** Returns the same list with each record mapped. The original records are not kept. */
  map<U>(map: (record: T) => U): RecordPages<U>;
  /**
   * Returns the records page by page. Returns undefined if the first page shows that the list has more than
   * `maxPages` pages. `onCount` receives the number of pages as soon as the number is known. It also receives
   * whether records may move between pages unnoticed. The client may request the pages of `expected` records at
   * once.
   */
  pages(
    maxPages?: number,
    onCount?: (count: number, mayShift: boolean) => void,
    expected?: number,
  ): Promise<AsyncIterable<readonly T[]> | undefined>;
}

/** A list of the service that is read as a whole, once per run. */
export interface Collection<K, T, Whole extends T = T, Client = unknown> {
  /** Identifies the collection within its container. */
  readonly name: string;
  /** Lists the records of a container; reading throws the client's errors. */
  list(api: Client, container: number): RecordPages<Whole>;
  /**
   * Returns the part of a record that lifecycle functions use. The run keeps only this part, unless a data source
   * shows whole records.
   */
  projection?(record: Whole): T;
  /**
   * Returns whether the record belongs to the collection. `before` is an earlier record of the list with the same
   * key.
   */
  isMember?(record: T, container: number, before: T | undefined): boolean;
  keyOf(record: T): K;
  /**
   * Reads one record by key, if the service has such a request. Returns undefined if the record does not
   * exist. Throws the client's `gone` if the whole collection may be missing; the caller then checks the
   * collection.
   */
  single?(api: Client, container: number, key: K): Promise<Whole | undefined>;
  /**
   * Whether `single` requests the list with a filter. A 404 then concerns the whole collection, never one record.
   * A second request confirms a 404 before the whole collection counts as missing.
   */
  readonly isSingleFiltered?: boolean;
}

/** A collection of any kind. */
export type AnyCollection = Pick<Collection<unknown, unknown>, "name">;

/**
 * Thrown instead of a request when only cached records may be used. All callers throw the same instance. A plan
 * throws it for each new object, and a new instance would only add a useless stack trace.
 */
export const NOT_CACHED = new Error("not read in this run");

/** Adds a record to a map under its key. */
type Keep<K, T> = (records: Map<K, T>, record: T) => void;

/** Returns a text of a record by which records are searched. Each such function has its own index. */
export type TextOf<T> = (record: T) => string;

/** Finds records by a text. The index avoids a search for each of many objects. */
class TextIndex<K, T> {
  readonly #byText = new Map<string, Map<K, T>>();

  constructor(private readonly textOf: TextOf<T>) {}

  replace(key: K, before: T | undefined, after: T | null): void {
    if (before !== undefined) this.#byText.get(this.textOf(before))?.delete(key);
    if (after === null) return;
    once(this.#byText, this.textOf(after), () => new Map<K, T>()).set(key, after);
  }

  of(text: string): readonly T[] {
    return [...(this.#byText.get(text)?.values() ?? [])];
  }
}

/**
 * A list that is being read or was read. It is updated with the writes that this run completed after the request
 * of the list.
 */
export class Listing<K, T> {
  /** The records by key; undefined if the list is too long to be read. */
  readonly records: Promise<ReadonlyMap<K, T> | undefined>;
  readonly #byKey = new Map<K, T>();
  /** The records that were written during the read; null for removed records. */
  readonly #written = new Map<K, T | null>();
  readonly #indexes = new Map<TextOf<T>, TextIndex<K, T>>();
  #isRead = false;
  /** The time of the first request, as returned by `performance.now()`. */
  #startedAt = Number.POSITIVE_INFINITY;

  constructor(
    read: () => Promise<AsyncIterable<readonly T[]> | undefined>,
    keep: Keep<K, T>,
    turns: ReadWriteLock,
  ) {
    this.records = turns.read(() => this.#read(read, keep));
  }

  /** Returns the records by key, once all pages are read; undefined before. */
  get known(): ReadonlyMap<K, T> | undefined {
    return this.#isRead ? this.#byKey : undefined;
  }

  /** Returns whether the list was requested before a moment of `performance.now()`. */
  isOlderThan(since: number): boolean {
    return this.#startedAt < since;
  }

  patch(key: K, record: T | null): void {
    // If no page was requested yet, nothing is recorded: the pages will already show this write.
    if (this.#startedAt === Number.POSITIVE_INFINITY) return;
    if (!this.#isRead) return void this.#written.set(key, record);
    const before = this.#byKey.get(key);
    for (const index of this.#indexes.values()) index.replace(key, before, record);
    if (record === null) this.#byKey.delete(key);
    else this.#byKey.set(key, record);
  }

  /** Returns the records whose `textOf` equals this text; undefined if the list is too long to be read. */
  async where(textOf: TextOf<T>, text: string): Promise<readonly T[] | undefined> {
    const records = await this.records;
    if (records === undefined) return undefined;
    const index = once(this.#indexes, textOf, () => {
      const made = new TextIndex<K, T>(textOf);
      for (const [key, record] of records) made.replace(key, undefined, record);
      return made;
    });
    return index.of(text);
  }

  async #read(read: () => Promise<AsyncIterable<readonly T[]> | undefined>, keep: Keep<K, T>) {
    this.#startedAt = performance.now();
    const pages = await read();
    if (pages === undefined) return undefined;
    for await (const page of pages) for (const record of page) keep(this.#byKey, record);
    this.#isRead = true;
    for (const [key, record] of this.#written) this.patch(key, record);
    return this.#byKey;
  }
}

/**
 * Returns the list of a client whose pages contain no total. `read` returns the pages, and starts over with each
 * iteration. The method `pages` reads up to `maxPages` pages, and one more to see whether the list is short enough.
 */
export const recordPages = <T>(read: () => AsyncIterable<readonly T[]>): RecordPages<T> => ({
  map: (map) => recordPages(() => mapPages(read(), map)),
  async pages(maxPages = Number.POSITIVE_INFINITY, onCount) {
    if (maxPages === Number.POSITIVE_INFINITY) return read();
    const first: (readonly T[])[] = [];
    for await (const page of read()) {
      first.push(page);
      if (first.length > maxPages) break;
    }
    onCount?.(first.length, false);
    return first.length > maxPages ? undefined : eachOf(first);
  },
});

async function* mapPages<T, U>(pages: AsyncIterable<readonly T[]>, map: (record: T) => U) {
  for await (const page of pages) yield page.map(map);
}

async function* eachOf<T>(pages: readonly T[]) {
  yield* pages;
}
