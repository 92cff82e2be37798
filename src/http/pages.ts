import type { RequestInfo } from "./errors";

/** Identifies a record within a list, to detect a list that changes while it is read. */
export type Key = string | number;

/** One page of a list. */
export interface Page<Item> {
  readonly records: readonly Item[];
  /** One for each record. */
  readonly keys: readonly Key[];
  /** Path and query of the next page, if the service returns one. */
  readonly next: string | undefined;
  /** Totals; the service omits them above 10,000 records (section "Limits"). */
  readonly total: number | undefined;
  readonly totalPages: number | undefined;
}

/** Reads pages of one list. */
export interface PageReader<Item> {
  readonly request: RequestInfo;
  first(): Promise<Page<Item>>;
  /** The page that a link points to. */
  at(target: string, signal?: AbortSignal): Promise<Page<Item>>;
  numbered(page: number, signal?: AbortSignal): Promise<Page<Item>>;
}

/** Iterates over a list from its first page: every record once, in batches. */
export type Walk = <Item>(
  reader: PageReader<Item>,
  first: Page<Item>,
) => AsyncGenerator<readonly Item[], void>;

/** Maps each record as its page arrives, so that the original is not retained. */
export function mapRecords<Item, Mapped>(
  reader: PageReader<Item>,
  map: (record: Item) => Mapped,
): PageReader<Mapped> {
  const mapPage = async (page: Promise<Page<Item>>): Promise<Page<Mapped>> => {
    const { records, ...rest } = await page;
    return { ...rest, records: records.map(map) };
  };
  return {
    request: reader.request,
    first: () => mapPage(reader.first()),
    at: (target, signal) => mapPage(reader.at(target, signal)),
    numbered: (page, signal) => mapPage(reader.numbered(page, signal)),
  };
}

/** The service omits the totals above 10,000 records, which are 100 pages (section "Limits"). */
const PAGES_WITHOUT_TOTAL = 101;

/** The number of pages according to the first one; a lower bound if the service omits the total. */
export const pageCount = ({ totalPages, next }: Page<unknown>): number =>
  totalPages ?? (next === undefined ? 1 : PAGES_WITHOUT_TOTAL);
