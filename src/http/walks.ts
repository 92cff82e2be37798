import { ListEnd } from "./list-end";
import type { Key, Page, PageReader } from "./pages";
import { WIDEST } from "./width";

/** A list that changes is read again; one that changes each time is given up. */
const MAX_PASSES = 4;
/** Pages asked for before those in front of them were taken: as many as ever go at the same time. */
const READ_AHEAD = WIDEST;

const REPEATS = "a page repeats the records of those before it";

type Pages<Item> = AsyncGenerator<Page<Item>, void>;
type Batches<Item> = AsyncGenerator<readonly Item[], void>;

/**
 * Reads a list by offset and gives each record once.
 *
 * Offsets count from the list's start: a record that comes or goes while the pages are read moves all others,
 * and one may be met twice or not at all. Both show, by a total that changed or a record that came again; then
 * the list is read once more for what is missing, until it holds still.
 *
 * @throws UnexpectedAnswerError `unexpected_answer` for a list that never holds still, repeats its pages or has no end
 */
export async function* offsetPages<Item>(reader: PageReader<Item>, start: Page<Item>): Batches<Item> {
  const end = new ListEnd(reader.facts);
  const given = new Set<Key>();
  let before: PassWatch | undefined;
  for (let pass = 1; pass <= MAX_PASSES; pass += 1) {
    const watch = new PassWatch();
    end.pass();
    for await (const page of onePass(reader, pass === 1 ? start : await reader.first(), end)) {
      end.page(watch.see(page));
      const news = newIn(page, given);
      if (news.length > 0) yield news;
    }
    if (watch.isStill) return;
    if (watch.isSameAs(before)) {
      if (watch.hasRepeatedPage) throw end.error(REPEATS);
      return;
    }
    before = watch;
  }
  throw end.error(`the list changed each of the ${MAX_PASSES} times it was read`);
}

/**
 * Reads a list by keyset: each page says where the next begins, so that changes move nothing.
 *
 * @throws UnexpectedAnswerError `unexpected_answer` for a list that repeats its pages or links, or has no end
 */
export async function* keysetPages<Item>(reader: PageReader<Item>, first: Page<Item>): Batches<Item> {
  const end = new ListEnd(reader.facts);
  const given = new Set<Key>();
  for await (const page of withLinked(reader, first, end)) {
    const news = newIn(page, given);
    end.page(news.length > 0);
    if (news.length > 0) yield news;
    else if (page.keys.length > 0) throw end.error(REPEATS);
  }
}

/** Looks for signs that a list changed while it was read. */
class PassWatch {
  readonly #seen = new Set<Key>();
  readonly #keys: Key[] = [];
  #firstLength: number | undefined;
  #totals: Pick<Page<unknown>, "total" | "totalPages"> | undefined;
  #areTotalsStill = true;
  /** A page as long as the first, of which every record had come before. */
  hasRepeatedPage = false;

  /** Tells whether a page has a record that none before it had. */
  see({ keys, total, totalPages }: Page<unknown>): boolean {
    this.#firstLength ??= keys.length;
    this.#totals ??= { total, totalPages };
    if (total !== this.#totals.total || totalPages !== this.#totals.totalPages) this.#areTotalsStill = false;
    const before = this.#seen.size;
    for (const key of keys) {
      this.#keys.push(key);
      this.#seen.add(key);
    }
    const hasNews = this.#seen.size > before;
    // A shorter one may be the rest of a list in which a record stands twice.
    if (!hasNews && keys.length > 0 && keys.length >= this.#firstLength) this.hasRepeatedPage = true;
    return hasNews;
  }

  get isStill(): boolean {
    return this.#areTotalsStill && this.#seen.size === this.#keys.length;
  }

  /** Read twice with the same outcome, a list holds still: what comes twice in it is there twice. */
  isSameAs(other: PassWatch | undefined): boolean {
    return (
      other !== undefined &&
      this.#areTotalsStill &&
      this.#keys.length === other.#keys.length &&
      this.#keys.every((key, index) => key === other.#keys[index])
    );
  }
}

/** Reads by number as far as the totals tell, and by links where there are none, or they lead on. */
async function* onePass<Item>(reader: PageReader<Item>, first: Page<Item>, end: ListEnd): Pages<Item> {
  const { totalPages = 1 } = first;
  end.announced(totalPages);
  let last = first;
  for await (const page of numbered(reader, first, totalPages)) {
    last = page;
    yield page;
  }
  // Totals that changed meanwhile are a list that changed, which is read again.
  if (last.totalPages === first.totalPages) yield* linked(reader, last, end);
}

async function* numbered<Item>(reader: PageReader<Item>, first: Page<Item>, totalPages: number): Pages<Item> {
  const stop = new AbortController();
  const ahead: Promise<Page<Item>>[] = [];
  let asked = 1;
  const askAhead = () => {
    while (asked < totalPages && ahead.length < READ_AHEAD) {
      asked += 1;
      ahead.push(readAhead(reader, first, asked, stop.signal));
    }
  };
  askAhead();
  try {
    yield first;
    // What was given on is held no longer here.
    for (let page = ahead.shift(); page !== undefined; page = ahead.shift()) {
      askAhead();
      yield await page;
    }
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

async function* withLinked<Item>(reader: PageReader<Item>, first: Page<Item>, end: ListEnd): Pages<Item> {
  yield first;
  yield* linked(reader, first, end);
}

/** The pages behind one, from link to link. */
async function* linked<Item>(reader: PageReader<Item>, { next }: Page<Item>, end: ListEnd): Pages<Item> {
  for (let target = next; target !== undefined; ) {
    end.link(target);
    const page = await reader.at(target);
    yield page;
    target = page.next;
  }
}

/** The records of a page that were not met before, which they are from here on. */
function newIn<Item>({ records, keys }: Page<Item>, known: Set<Key>): readonly Item[] {
  return records.filter((_, index) => {
    const before = known.size;
    return known.add(keys[index]!).size > before;
  });
}
