/** A list of records that is read page by page while it is walked through; each walk asks the service anew. */
export class RecordList<Item> implements AsyncIterable<Item> {
  readonly #pages: () => AsyncGenerator<readonly Item[], void>;

  constructor(pages: () => AsyncGenerator<readonly Item[], void>) {
    this.#pages = pages;
  }

  /** @throws ApiError as single reads do; `unexpected_answer` when pages repeat, or the list never holds still */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const page of this.#pages()) yield* page;
  }

  /** Reads the whole list. */
  async toArray(): Promise<Item[]> {
    const pages: (readonly Item[])[] = [];
    for await (const page of this.#pages()) pages.push(page);
    return pages.flat() as Item[];
  }
}
