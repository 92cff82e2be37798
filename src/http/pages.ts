import { type RequestFacts, UnexpectedAnswerError } from "./errors";

/** What tells one record of a list from another, to notice a list that changes while it is read. */
type Key = string | number;

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
export type Walk = <Item>(reader: PageReader<Item>, first: Page<Item>) => Batches<Item>;

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

/** A list that changes is read again; one that changes each time is given up. */
const MAX_PASSES = 4;
/** Totals that ask for more pages than any service gives by number are not believed. */
const MAX_NUMBERED_PAGES = 1000;

type Pages<Item> = AsyncGenerator<Page<Item>, void>;
type Batches<Item> = AsyncGenerator<readonly Item[], void>;

/**
 * Reads a list by offset and gives each record once.
 *
 * Offsets count from the list's start: a record that comes or goes while the pages are read moves all others,
 * and one may be met twice or not at all. Both show, by a total that changed or a record that came again; then
 * the list is read once more for what is missing, until it holds still.
 */
export async function* offsetPages<Item>(reader: PageReader<Item>, start: Page<Item>): Batches<Item> {
  const given = new Set<Key>();
  let before: PassWatch | undefined;
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    const watch = new PassWatch();
    for await (const page of onePass(reader, pass === 1 ? start : await reader.first())) {
      watch.see(page);
      const news = newIn(page, given);
      if (news.length > 0) yield news;
    }
    if (watch.isStill || watch.isSameAs(before)) return;
    before = watch;
  }
  throw unexpected(reader, `the list changed each of the ${MAX_PASSES} times it was read`);
}

/** Reads a list by keyset: each page says where the next begins, so that changes move nothing. */
export async function* keysetPages<Item>(reader: PageReader<Item>, first: Page<Item>): Batches<Item> {
  const given = new Set<Key>();
  for await (const page of followLinks(reader, first)) {
    const news = newIn(page, given);
    if (news.length > 0) yield news;
  }
}

/** Looks for signs that a list changed while it was read. */
class PassWatch {
  readonly #keys: Key[] = [];
  #total: number | undefined;
  #isTotalStill = true;

  see({ keys, total }: Page<unknown>): void {
    this.#total ??= total;
    if (total !== this.#total) this.#isTotalStill = false;
    for (const key of keys) this.#keys.push(key);
  }

  get isStill(): boolean {
    return this.#isTotalStill && new Set(this.#keys).size === this.#keys.length;
  }

  /** Read twice with the same outcome, a list holds still: what comes twice in it is there twice. */
  isSameAs(other: PassWatch | undefined): boolean {
    return (
      other !== undefined &&
      this.#isTotalStill &&
      this.#keys.length === other.#keys.length &&
      this.#keys.every((key, index) => key === other.#keys[index])
    );
  }
}

async function* onePass<Item>(reader: PageReader<Item>, first: Page<Item>): Pages<Item> {
  const { totalPages } = first;
  if (totalPages === undefined || totalPages > MAX_NUMBERED_PAGES) {
    yield* followLinks(reader, first);
    return;
  }
  if (totalPages <= 1) {
    yield first;
    return;
  }
  const stop = new AbortController();
  const others = Array.from({ length: totalPages - 1 }, (_, index) =>
    readAhead(reader, first, index + 2, stop.signal),
  );
  try {
    yield first;
    // What was given on is held no longer here.
    for (let page = others.shift(); page !== undefined; page = others.shift()) yield await page;
  } finally {
    // Whoever stops reading, or meets an error, has no use for the pages still under way.
    stop.abort();
  }
}

/** Starts reading a page whose turn comes later; a failure waits for it as well. */
function readAhead<Item>(
  reader: PageReader<Item>,
  { next }: Page<Item>,
  number: number,
  signal: AbortSignal,
): Promise<Page<Item>> {
  const target = next?.replace(/([?&]page=)\d+/, `$1${number}`);
  const isFromLink = target !== undefined && /[?&]page=\d/.test(target);
  const page = isFromLink ? reader.at(target, signal) : reader.numbered(number, signal);
  page.catch(() => undefined);
  return page;
}

async function* followLinks<Item>(reader: PageReader<Item>, first: Page<Item>): Pages<Item> {
  const targets = new Set<string>();
  const seen = new Set<Key>();
  let page = first;
  for (;;) {
    const hasNews = newIn(page, seen).length > 0;
    // A service that doesn't move on would be asked forever.
    if (page.keys.length > 0 && !hasNews)
      throw unexpected(reader, "a page repeats the records of those before it");
    yield page;
    if (page.next === undefined) return;
    if (!isNew(targets, page.next)) throw unexpected(reader, "the link to the next page leads back");
    page = await reader.at(page.next);
  }
}

/** The records of a page that were not met before, which they are from here on. */
const newIn = <Item>({ records, keys }: Page<Item>, known: Set<Key>): readonly Item[] =>
  records.filter((_, index) => isNew(known, keys[index]!));

function isNew<T>(known: Set<T>, key: T): boolean {
  const before = known.size;
  return known.add(key).size > before;
}

const unexpected = <Item>({ facts }: PageReader<Item>, what: string): UnexpectedAnswerError =>
  new UnexpectedAnswerError({ code: "unexpected_answer", request: facts, what });
