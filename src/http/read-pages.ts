import { createHash } from "node:crypto";
import { type HttpErrorCode, UnexpectedAnswerError } from "./errors";
import type { Key, Page, PageReader } from "./pages";
import { MAX_LIMIT } from "./request-limits";

/** The maximum number of pages of one list, including repetitions: ten million records with 100 records per page. */
const MAX_PAGES = 100_000;

/**
 * The maximum number of consecutive pages without a new record. The service applies some filters only after it has
 * divided the list into pages, so some pages may be empty. More empty pages in a row indicate an endless list.
 */
const MAX_PAGES_WITHOUT_NEW_RECORDS = 100;

/** The number of pages to request in advance: the maximum number of requests in flight. */
const PREFETCH = MAX_LIMIT;

type Pages<Item> = AsyncGenerator<Page<Item>, void>;

/**
 * Reads the pages of a list. The class limits the number of pages and rejects repeated links, so that the read ends for
 * every possible sequence of responses.
 */
class PageWalk<Item> {
  /**
   * Digests of the links that were followed since the start of the read. The digests save memory, because a link may be
   * as long as a header.
   */
  readonly #links = new Set<string>();
  #pages = 0;
  #pagesWithoutNewRecords = 0;

  constructor(private readonly reader: PageReader<Item>) {}

  /**
   * Reads all pages once. If the first page contains the total, this method first requests the pages by number, up
   * to the total. After the numbered pages, or if there is no total, the method follows links. A later pass may
   * follow the links of an earlier pass again.
   */
  async *onePass(first: Page<Item>): Pages<Item> {
    this.#links.clear();
    this.#pagesWithoutNewRecords = 0;
    const { totalPages = 1 } = first;
    if (totalPages > MAX_PAGES)
      throw this.error(`the service announces ${totalPages} pages, and at most ${MAX_PAGES} are read`);
    let last = first;
    for await (const page of this.#readNumbered(first, totalPages)) {
      last = page;
      yield page;
    }
    // If the total has changed, the list has changed. After a change, no links are followed, because the caller reads
    // the list again.
    if (last.totalPages === first.totalPages) yield* this.#followLinks(last);
  }

  /** Yields a page, and then all pages to which its links lead. */
  async *linked(first: Page<Item>): Pages<Item> {
    yield first;
    yield* this.#followLinks(first);
  }

  /** Follows the links from a page. @throws UnexpectedAnswerError when a link was followed before */
  async *#followLinks({ next }: Page<Item>): Pages<Item> {
    for (let target = next; target !== undefined; ) {
      const digest = createHash("sha256").update(target).digest("base64");
      if (this.#links.has(digest)) throw this.error("the link to the next page leads back to an earlier one");
      this.#links.add(digest);
      const page = await this.reader.at(target);
      yield page;
      target = page.next;
    }
  }

  async *#readNumbered(first: Page<Item>, totalPages: number): Pages<Item> {
    const { reader } = this;
    const stop = new AbortController();
    const ahead: Promise<Page<Item>>[] = [];
    let requested = 1;
    const requestAhead = () => {
      while (requested < totalPages && ahead.length < PREFETCH) {
        requested += 1;
        ahead.push(reader.ahead?.get(requested) ?? this.#readAhead(first, requested, stop.signal));
      }
    };
    requestAhead();
    // A later pass must request its pages again, so it must not find the pages of this pass here.
    reader.ahead?.clear();
    try {
      yield first;
      // `shift` removes each page from the array before it is yielded, so that the memory of the page can be freed.
      for (let page = ahead.shift(); page !== undefined; page = ahead.shift()) {
        requestAhead();
        yield await page;
      }
    } finally {
      // After an early return or an error, the requests in flight are no longer needed. Without requests in flight, the
      // abort is skipped, because an abort creates an exception even if no request needs it.
      if (ahead.length > 0) stop.abort();
    }
  }

  /** Requests a page in advance. If the request fails, the error is thrown when the page is used. */
  #readAhead({ next }: Page<Item>, number: number, signal: AbortSignal): Promise<Page<Item>> {
    const target = next?.replace(/([?&]page=)\d+/, `$1${number}`);
    const isFromLink = target !== undefined && /[?&]page=\d/.test(target);
    const page = isFromLink ? this.reader.at(target, signal) : this.reader.numbered(number, signal);
    page.catch(() => undefined);
    return page;
  }

  /** Counts a page of any pass. @throws UnexpectedAnswerError when the list seems to be endless */
  countPage(hasNewRecords: boolean): void {
    this.#pages += 1;
    if (this.#pages > MAX_PAGES) throw this.error(`the list has more than ${MAX_PAGES} pages`);
    this.#pagesWithoutNewRecords = hasNewRecords ? 0 : this.#pagesWithoutNewRecords + 1;
    if (this.#pagesWithoutNewRecords > MAX_PAGES_WITHOUT_NEW_RECORDS) {
      throw this.error(`more than ${MAX_PAGES_WITHOUT_NEW_RECORDS} consecutive pages hold no new record`);
    }
  }

  error(what: string, code: HttpErrorCode = "unexpected_answer"): UnexpectedAnswerError {
    return new UnexpectedAnswerError({ code, request: this.reader.request, what });
  }
}

/** The maximum number of passes over one list. A list that changes during a pass is read again. */
const MAX_PASSES = 4;
const REPEATS = "a page repeats the records of earlier pages";

type Batches<Item> = AsyncGenerator<readonly Item[], void>;

/**
 * Reads a list by offset and yields each record once.
 *
 * Offsets count from the start of the list. If a record is added or removed between the requests of two pages, all
 * later records move by one position. The service can then return a record twice or not at all. A changed total or a
 * repeated record shows that records moved. The function reads a changed list again until two passes agree.
 *
 * @throws UnexpectedAnswerError `list_changing` for a list that changes in each pass, `unexpected_answer` for a list
 * that repeats its pages or is endless
 */
export async function* readByOffset<Item>(reader: PageReader<Item>, start: Page<Item>): Batches<Item> {
  const walk = new PageWalk(reader);
  let yielded: Set<Key> | undefined;
  let previous: ChangeDetector | undefined;
  for (let passNumber = 1; passNumber <= MAX_PASSES; passNumber += 1) {
    const pass = new ChangeDetector();
    for await (const page of walk.onePass(passNumber === 1 ? start : await reader.first())) {
      const ofPass = pass.record(page);
      walk.countPage(ofPass.length > 0);
      // Only records that no earlier pass has returned are yielded. Most lists need only one pass.
      const fresh = yielded === undefined ? ofPass : takeNew(page, yielded);
      if (fresh.length > 0) yield fresh;
    }
    if (pass.isStable) return;
    if (pass.isEqual(previous)) {
      if (pass.hasRepeatedPage) throw walk.error(REPEATS);
      return;
    }
    yielded ??= pass.seen;
    previous = pass;
  }
  throw walk.error(`the list changed each of the ${MAX_PASSES} times it was read`, "list_changing");
}

/**
 * Reads a list with keyset pagination. Each page links to the next page, so an added or removed record does not move
 * other records.
 *
 * @throws UnexpectedAnswerError `unexpected_answer` for a list that repeats its pages or links, or is endless
 */
export async function* readByKeyset<Item>(reader: PageReader<Item>, first: Page<Item>): Batches<Item> {
  const walk = new PageWalk(reader);
  const yielded = new Set<Key>();
  for await (const page of walk.linked(first)) {
    const fresh = takeNew(page, yielded);
    walk.countPage(fresh.length > 0);
    if (fresh.length > 0) yield fresh;
    else if (page.keys.length > 0) throw walk.error(REPEATS);
  }
}

/** Detects changes of a list during one pass. */
class ChangeDetector {
  readonly seen = new Set<Key>();
  readonly #keys: Key[] = [];
  #firstLength: number | undefined;
  #totals: Pick<Page<unknown>, "total" | "totalPages"> | undefined;
  #hasStableTotals = true;
  /** Whether a page as long as the first page contained only repeated records. */
  hasRepeatedPage = false;

  /** Returns the records of a page that are new in this pass. */
  record<Item>(page: Page<Item>): readonly Item[] {
    const { keys, total, totalPages } = page;
    this.#firstLength ??= keys.length;
    this.#totals ??= { total, totalPages };
    if (total !== this.#totals.total || totalPages !== this.#totals.totalPages) this.#hasStableTotals = false;
    for (const key of keys) this.#keys.push(key);
    const fresh = takeNew(page, this.seen);
    // A shorter page is not counted, because it may be the end of a list that really contains a record twice.
    if (fresh.length === 0 && keys.length > 0 && keys.length >= this.#firstLength)
      this.hasRepeatedPage = true;
    return fresh;
  }

  get isStable(): boolean {
    return this.#hasStableTotals && this.seen.size === this.#keys.length;
  }

  /**
   * Returns whether two passes are equal. If two passes are equal, the list did not change, and really contains the
   * repeated records twice.
   */
  isEqual(other: ChangeDetector | undefined): boolean {
    return (
      other !== undefined &&
      this.#hasStableTotals &&
      this.#keys.length === other.#keys.length &&
      this.#keys.every((key, index) => key === other.#keys[index])
    );
  }
}

/** Returns the records of a page whose keys are not in `known`, and adds their keys to `known`. */
function takeNew<Item>({ records, keys }: Page<Item>, known: Set<Key>): readonly Item[] {
  return records.filter((_, index) => {
    const previous = known.size;
    return known.add(keys[index]!).size > previous;
  });
}
