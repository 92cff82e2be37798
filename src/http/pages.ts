import type { IncomingHttpHeaders } from "node:http";
import { type RequestInfo, UnexpectedAnswerError } from "./errors";
import { INITIAL_LIMIT } from "./request-limits";

/** The key that identifies a record within a list. The client uses keys to detect a list that changes during a read. */
export type Key = string | number;

/** One page of a list. */
export interface Page<Item> {
  readonly records: readonly Item[];
  /** The keys of the records, one for each record. */
  readonly keys: readonly Key[];
  /** The path and query of the next page; undefined if the response contains no next page. */
  readonly next: string | undefined;
  /**
   * The total number of records. For more than 10,000 records, the service omits this total and the number of pages
   * (specification, "Limits").
   */
  readonly total: number | undefined;
  readonly totalPages: number | undefined;
}

/** Returns whether a page contains the whole list, and each record only once. Most lists have only one page. */
const isWholeList = ({ keys, totalPages = 1, next }: Page<unknown>): boolean =>
  totalPages <= 1 && next === undefined && (keys.length < 2 || new Set(keys).size === keys.length);

/** A reader for the pages of one list. */
export interface PageReader<Item> {
  readonly request: RequestInfo;
  first(): Promise<Page<Item>>;
  /** Reads the page that a link points to. */
  at(target: string, signal?: AbortSignal): Promise<Page<Item>>;
  numbered(page: number, signal?: AbortSignal): Promise<Page<Item>>;
  /** Pages that were requested at the same time as page 1, by page number. */
  readonly ahead?: Map<number, Promise<Page<Item>>>;
}

/**
 * A function that reads a list of several pages. The function gets the first page, and yields every record of the list
 * once, in batches.
 */
type Walk = <Item>(reader: PageReader<Item>, first: Page<Item>) => AsyncGenerator<readonly Item[], void>;

/**
 * Returns a reader that maps each record as soon as its page arrives. So the original records do not stay in memory.
 */
function mapRecords<Item, Mapped>(
  reader: PageReader<Item>,
  map: (record: Item) => Mapped,
): PageReader<Mapped> {
  const mapPage = async (page: Promise<Page<Item>>): Promise<Page<Mapped>> => {
    const { records, keys, next, total, totalPages } = await page;
    return { records: records.map(map), keys, next, total, totalPages };
  };
  return {
    request: reader.request,
    first: () => mapPage(reader.first()),
    at: (target, signal) => mapPage(reader.at(target, signal)),
    numbered: (page, signal) => mapPage(reader.numbered(page, signal)),
  };
}

/**
 * The lower bound of the number of pages if the service omits the totals. The service omits totals for more than 10,000
 * records, which are 100 pages (specification, "Limits").
 */
const PAGES_WITHOUT_TOTAL = 101;

/**
 * Returns the number of pages of a list according to its first page. If the service omits the total, the result is a
 * lower bound.
 */
const pageCount = ({ totalPages, next }: Page<unknown>): number =>
  totalPages ?? (next === undefined ? 1 : PAGES_WITHOUT_TOTAL);

/** A list of records that is read page by page during an iteration. Each iteration reads from the service again. */
export class RecordList<Item> implements AsyncIterable<Item> {
  readonly #open: () => PageReader<Item>;
  readonly #walk: Walk;
  readonly #pageSize: number;

  /** @param pageSize the number of records in a full page; infinite if the service does not number the pages */
  constructor(open: () => PageReader<Item>, walk: Walk, pageSize = Number.POSITIVE_INFINITY) {
    this.#open = open;
    this.#walk = walk;
    this.#pageSize = pageSize;
  }

  /** Returns a list with the results of `map` for all records. The original records are not kept in memory. */
  map<Mapped>(map: (record: Item) => Mapped): RecordList<Mapped> {
    return new RecordList(() => mapRecords(this.#open(), map), this.#walk, this.#pageSize);
  }

  /**
   * Returns the records page by page. If there are more than `maxPages` pages, the method requests only the first
   * page and returns undefined. `onCount` receives the number of pages, or a lower bound. `mayShift` is true if
   * records can move between pages unnoticed: the list has offset pages and no total. `expected` is a lower bound of
   * the number of records. If the expected records fill several pages, the method requests up to `INITIAL_LIMIT`
   * pages at the same time.
   *
   * @throws HttpError like a single read; `unexpected_answer` when pages repeat, `list_changing` when the list keeps
   * changing
   */
  async pages(
    maxPages = Number.POSITIVE_INFINITY,
    onCount?: (count: number, mayShift: boolean) => void,
    expected = 0,
  ): Promise<AsyncIterable<readonly Item[]> | undefined> {
    const reader = this.#open();
    const requested = reader.first();
    const last = Math.min(Math.ceil(expected / this.#pageSize), maxPages, INITIAL_LIMIT);
    const ahead = last > 1 ? new Map<number, Promise<Page<Item>>>() : undefined;
    for (let number = 2; number <= last; number += 1) {
      const page = reader.numbered(number);
      page.catch(() => undefined);
      ahead!.set(number, page);
    }
    const first = await requested;
    const count = pageCount(first);
    onCount?.(count, count > 1 && first.totalPages === undefined && Number.isFinite(this.#pageSize));
    if (count > maxPages) return undefined;
    if (!isWholeList(first)) return this.#walk(ahead ? { ...reader, ahead } : reader, first);
    const { records } = first;
    return {
      async *[Symbol.asyncIterator]() {
        if (records.length > 0) yield records;
      },
    };
  }

  /** @throws HttpError like `pages` */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const page of (await this.pages())!) yield* page;
  }

  async toArray(): Promise<Item[]> {
    const pages: (readonly Item[])[] = [];
    for await (const page of (await this.pages())!) pages.push(page);
    return pages.flat() as Item[];
  }
}

/** The origin and path of the API; links and redirects must stay within this path. */
export interface ApiRoot {
  readonly origin: string;
  /** The path prefix of all operations, without a trailing slash. */
  readonly prefix: string;
}

/**
 * Returns the path and query of the next page, from the `Link` header.
 *
 * @param fallback the next page if the header has no usable link, for example because a proxy changed the
 * service's address
 * @throws UnexpectedAnswerError `unexpected_answer` when the link points to another origin, to which the
 * token must not be sent
 */
export function nextPageTarget(
  headers: IncomingHttpHeaders,
  home: ApiRoot,
  request: RequestInfo,
  redact: (text: string) => string,
  fallback: string | undefined,
): string | undefined {
  const { link: links } = headers;
  const link = links?.includes("next") ? findLink(String(links), "next") : undefined;
  if (link === undefined) return fallback;
  const url = URL.canParse(link, home.origin) ? new URL(link, home.origin) : undefined;
  const why = url === undefined ? "is not a valid URL" : whyOutside(url, home, redact);
  if (why === undefined) return `${url!.pathname}${url!.search}`;
  if (fallback !== undefined) return fallback;
  throw new UnexpectedAnswerError({
    code: "unexpected_answer",
    request,
    what: `the link to the next page ${why}, and is not followed`,
  });
}

/**
 * Returns why the token must not be sent to a URL, as the end of a sentence that starts with the link. Returns
 * undefined for a URL of the API.
 */
export function whyOutside(
  url: URL,
  { origin, prefix }: ApiRoot,
  redact: (text: string) => string,
): string | undefined {
  if (url.origin !== origin) return `points to another origin, ${redact(url.origin)}`;
  const isInside = url.pathname.startsWith(`${prefix}/`);
  return isInside ? undefined : `points outside the API, to ${redact(url.pathname)}`;
}

function findLink(header: string, relation: string): string | undefined {
  for (const [, address, attributes] of header.matchAll(/<([^>]*)>([^<]*)/g)) {
    const [, relations = ""] = /;\s*rel="?([^";,]*)"?/i.exec(attributes ?? "") ?? [];
    if (relations.trim().split(/\s+/).includes(relation)) return address;
  }
  return undefined;
}
