import { inForm, type PageReader, pageCount, type Walk } from "./pages";

/** A list of records that is read page by page while it is walked through; each walk asks the service anew. */
export class RecordList<Item> implements AsyncIterable<Item> {
  readonly #open: () => PageReader<Item>;
  readonly #walk: Walk;

  constructor(open: () => PageReader<Item>, walk: Walk) {
    this.#open = open;
    this.#walk = walk;
  }

  /** The same list with each record in another form. Nothing of the service's own form is kept longer than its page. */
  map<Form>(form: (record: Item) => Form): RecordList<Form> {
    return new RecordList(() => inForm(this.#open(), form), this.#walk);
  }

  /**
   * The records as their pages come, unless there are more than `most` pages: the first one tells, and no other is
   * asked for then. `told` is called with how many there are, or at least so many.
   *
   * @throws HttpError as single reads do; `unexpected_answer` when pages repeat, or the list never holds still
   */
  async pages(
    most = Number.POSITIVE_INFINITY,
    told?: (count: number) => void,
  ): Promise<AsyncIterable<readonly Item[]> | undefined> {
    const reader = this.#open();
    const first = await reader.first();
    const count = pageCount(first);
    told?.(count);
    return count > most ? undefined : this.#walk(reader, first);
  }

  /** @throws HttpError as `pages` does */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const page of (await this.pages())!) yield* page;
  }

  /** Reads the whole list. */
  async toArray(): Promise<Item[]> {
    const pages: (readonly Item[])[] = [];
    for await (const page of (await this.pages())!) pages.push(page);
    return pages.flat() as Item[];
  }
}
