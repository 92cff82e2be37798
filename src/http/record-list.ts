import { mapRecords, type PageReader, pageCount, type Walk } from "./pages";

/**
 * A list of records that is read page by page while it is iterated; each iteration reads from the service
 * again.
 */
export class RecordList<Item> implements AsyncIterable<Item> {
  readonly #open: () => PageReader<Item>;
  readonly #walk: Walk;

  constructor(open: () => PageReader<Item>, walk: Walk) {
    this.#open = open;
    this.#walk = walk;
  }

  /** Maps each record. The originals are not retained beyond their page. */
  map<Mapped>(map: (record: Item) => Mapped): RecordList<Mapped> {
    return new RecordList(() => mapRecords(this.#open(), map), this.#walk);
  }

  /**
   * The records page by page, unless there are more than `maxPages` pages: then only the first is requested.
   * `onCount` receives the number of pages, or a lower bound.
   *
   * @throws HttpError like a single read; `unexpected_answer` when pages repeat, or the list keeps changing
   */
  async pages(
    maxPages = Number.POSITIVE_INFINITY,
    onCount?: (count: number) => void,
  ): Promise<AsyncIterable<readonly Item[]> | undefined> {
    const reader = this.#open();
    const first = await reader.first();
    const count = pageCount(first);
    onCount?.(count);
    return count > maxPages ? undefined : this.#walk(reader, first);
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
