import { once } from "../../schema";

/**
 * Prevents writes that add or remove records while a list is read. The service splits a list into pages by offset. A
 * write between two page requests would shift records to a page that was already read.
 */
export class ReadWriteLock {
  readonly #reads = new Set<Promise<unknown>>();
  readonly #writes = new Set<Promise<unknown>>();

  /** Runs a read when the writes in progress have ended. Later writes wait for this read. */
  read<R>(read: () => Promise<R>): Promise<R> {
    return during(this.#reads, settled(this.#writes).then(read));
  }

  /** Runs a write when no read is in progress. The write must not call `read`, because it would wait for itself. */
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

/** A list of the service, as a series of pages. The client sends no request until the pages are read. */
export interface RecordPages<T> {
  /** Returns the same list with converted records. The original records are not cached. */
  map<U>(map: (record: T) => U): RecordPages<U>;
  /**
   * Returns the records page by page. Returns undefined if the first page shows that the list has more than `maxPages` pages. As
   * soon as they are known, `onCount` receives two facts: the number of pages, and whether records can move between pages
   * unnoticed. The client can request the pages of the first `expected` records at once.
   */
  pages(
    maxPages?: number,
    onCount?: (count: number, mayShift: boolean) => void,
    expected?: number,
  ): Promise<AsyncIterable<readonly T[]> | undefined>;
}

/** A list of the service that a run reads as a whole, and only once. */
export interface Collection<K, T, Whole extends T = T, Client = unknown> {
  /** The name of the collection, which is unique within the container. */
  readonly name: string;
  /** Returns the list of a container's records. The read of the list's pages throws the client's errors. */
  list(api: Client, container: number): RecordPages<Whole>;
  /**
   * Returns the part of a record that lifecycle functions use. The run caches only this part, unless a data source returns whole
   * records.
   */
  projection?(record: Whole): T;
  /**
   * Returns whether the record belongs to the collection. `before` is a record that comes earlier in the list and has the same
   * key.
   */
  isMember?(record: T, container: number, before: T | undefined): boolean;
  keyOf(record: T): K;
  /**
   * Returns the record with a key; undefined if the record does not exist. Throws the client's `gone` if the whole collection can
   * be missing; the caller then checks the collection. Omit this function if the service has no such request.
   */
  single?(api: Client, container: number, key: K): Promise<Whole | undefined>;
  /**
   * Whether `single` requests the list with a filter. If true, a 404 means that the whole collection is missing. Steward sends a
   * second request to confirm the 404.
   */
  readonly isSingleFiltered?: boolean;
}

/** A collection with any types of keys and records. */
export type AnyCollection = Pick<Collection<unknown, unknown>, "name">;

/**
 * The error that replaces a request when only cached records can be used. All callers throw this instance. A plan throws this
 * instance for each new object, and the stack trace of a new instance would be useless.
 */
export const NOT_CACHED = new Error("not read in this run");

/** Adds a record to a map under the record's key. */
type Keep<K, T> = (records: Map<K, T>, record: T) => void;

/** Returns the text of a record for a search, such as its name. A listing has one index for each such function. */
export type TextOf<T> = (record: T) => string;

/** Finds records by a text. The index replaces a search through all records for each object. */
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
 * A list whose read is in progress or complete. If this run completes a write after the first request of the list, the write
 * updates the list's records.
 */
export class Listing<K, T> {
  /** The records by key; undefined if the list has too many pages to read. */
  readonly records: Promise<ReadonlyMap<K, T> | undefined>;
  readonly #byKey = new Map<K, T>();
  /** The records that this run wrote while the list was being read, by key; null for a removed record. */
  readonly #written = new Map<K, T | null>();
  readonly #indexes = new Map<TextOf<T>, TextIndex<K, T>>();
  #isRead = false;
  /** The time of the first request, in milliseconds of `performance.now()`; infinite before this request. */
  #startedAt = Number.POSITIVE_INFINITY;

  constructor(
    read: () => Promise<AsyncIterable<readonly T[]> | undefined>,
    keep: Keep<K, T>,
    turns: ReadWriteLock,
  ) {
    this.records = turns.read(() => this.#read(read, keep));
  }

  /** The records by key; undefined until all pages are read. */
  get known(): ReadonlyMap<K, T> | undefined {
    return this.#isRead ? this.#byKey : undefined;
  }

  /** Returns whether the first request of the list came before a moment of `performance.now()`. */
  isOlderThan(since: number): boolean {
    return this.#startedAt < since;
  }

  patch(key: K, record: T | null): void {
    // Before the first request, nothing is recorded, because the pages will already contain this write.
    if (this.#startedAt === Number.POSITIVE_INFINITY) return;
    if (!this.#isRead) return void this.#written.set(key, record);
    const before = this.#byKey.get(key);
    for (const index of this.#indexes.values()) index.replace(key, before, record);
    if (record === null) this.#byKey.delete(key);
    else this.#byKey.set(key, record);
  }

  /** Returns the records whose `textOf` equals a text; undefined if the list has too many pages to read. */
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
 * Returns a list for a client whose pages contain no total number. Each call of `read` requests the pages from the start. To
 * check that the list has at most `maxPages` pages, the method `pages` requests one page more.
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
