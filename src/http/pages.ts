import type { RequestFacts } from "./errors";

/** What tells one record of a list from another, to notice a list that changes while it is read. */
export type Key = string | number;

/** One page of a list. */
export interface Page<Item> {
  readonly records: readonly Item[];
  /** Of each record. */
  readonly keys: readonly Key[];
  /** Path and query of the next page, where the service gives one. */
  readonly next: string | undefined;
  /** How many records and pages there are; above 10,000 records the service doesn't say (section "Limits"). */
  readonly total: number | undefined;
  readonly totalPages: number | undefined;
}

/** Reads pages of one list. */
export interface PageReader<Item> {
  readonly facts: RequestFacts;
  /** The first page. */
  first(): Promise<Page<Item>>;
  /** The page behind a link. */
  at(target: string, signal?: AbortSignal): Promise<Page<Item>>;
  /** A page by its number. */
  numbered(page: number, signal?: AbortSignal): Promise<Page<Item>>;
}

/** One way through a list, from its first page on: every record once, in batches. */
export type Walk = <Item>(
  reader: PageReader<Item>,
  first: Page<Item>,
) => AsyncGenerator<readonly Item[], void>;

/** The same pages with each record in another form, made as the page arrives: what the service sent is let go then. */
export function inForm<Item, Form>(reader: PageReader<Item>, form: (record: Item) => Form): PageReader<Form> {
  const change = async (page: Promise<Page<Item>>): Promise<Page<Form>> => {
    const { records, ...more } = await page;
    return { ...more, records: records.map(form) };
  };
  return {
    facts: reader.facts,
    first: () => change(reader.first()),
    at: (target, signal) => change(reader.at(target, signal)),
    numbered: (page, signal) => change(reader.numbered(page, signal)),
  };
}

/** Above 10,000 records, which are 100 pages, the service doesn't say how many there are (section "Limits"). */
const MORE_THAN_COUNTED = 101;

/** How many pages a list has, as its first one tells; at least so many, where the service doesn't say. */
export const pageCount = ({ totalPages, next }: Page<unknown>): number =>
  totalPages ?? (next === undefined ? 1 : MORE_THAN_COUNTED);
