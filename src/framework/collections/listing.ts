import type { ReadWriteLock } from "./read-write-lock";

/** A list as a client gives it: nothing is asked for before its pages are read. */
export interface RecordPages<T> {
  /** The same list, of what `form` makes of each record; the records themselves are not kept. */
  map<U>(map: (record: T) => U): RecordPages<U>;
  /**
   * Its records, page by page; nothing where it has more than `most` pages, which its first page tells. `told` is called with
   * the number of pages as soon as that is known.
   */
  pages(
    maxPages?: number,
    onCount?: (count: number) => void,
  ): Promise<AsyncIterable<readonly T[]> | undefined>;
}

/** A list of the service that lifecycles read as a whole, once in a run. */
export interface Collection<K, T, Whole extends T = T, Client = unknown> {
  /** Tells collections of one container apart. */
  readonly name: string;
  /** The list of a container; reading it throws the client's errors. */
  list(api: Client, container: number): RecordPages<Whole>;
  /** What lifecycles use of a record, where that is less: it is kept in the record's place, unless a data source shows the whole. */
  projection?(record: Whole): T;
  /** Whether a record of the list counts, where not all of them do; `before` is one of the same key that stood before it. */
  select?(record: T, container: number, before: T | undefined): boolean;
  keyOf(record: T): K;
  /**
   * One record by its key, where the service has such a request. Nothing where there is none; the client's own `gone` where that may be about the whole collection, which is looked at then.
   */
  single?(api: Client, container: number, key: K): Promise<Whole | undefined>;
}

/** Puts a record where it belongs. */
type Keep<K, T> = (records: Map<K, T>, record: T) => void;

/** A list that is being read or was read, kept up to date with the writes that were answered since it was asked for. */
export class Listing<K, T> {
  /** Nothing where the list turned out to be too long to be read. */
  readonly records: Promise<ReadonlyMap<K, T> | undefined>;
  readonly #byKey = new Map<K, T>();
  /** What was written while the list was read; null for what was removed. */
  readonly #written = new Map<K, T | null>();
  #isRead = false;
  #startedAt = Number.POSITIVE_INFINITY;

  constructor(
    read: () => Promise<AsyncIterable<readonly T[]> | undefined>,
    keep: Keep<K, T>,
    turns: ReadWriteLock,
  ) {
    this.records = turns.read(() => this.#read(read, keep));
  }

  /** When the first request for it was sent, on the clock of `performance.now()`; infinity before. */
  get startedAt(): number {
    return this.#startedAt;
  }

  patch(key: K, record: T | null): void {
    if (!this.#isRead) this.#written.set(key, record);
    else if (record === null) this.#byKey.delete(key);
    else this.#byKey.set(key, record);
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
 * A list of a client that gives pages one after the other and tells no total: `read` begins anew at each call. Up to
 * `most` pages, and one more, are read before it is known that there are no more than that.
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
    onCount?.(first.length);
    return first.length > maxPages ? undefined : eachOf(first);
  },
});

async function* mapPages<T, U>(pages: AsyncIterable<readonly T[]>, map: (record: T) => U) {
  for await (const page of pages) yield page.map(map);
}

async function* eachOf<T>(pages: readonly T[]) {
  yield* pages;
}
