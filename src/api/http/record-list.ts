/** A list of records that is read page by page while it is walked through; each walk asks the service anew. */
export class RecordList<Item> implements AsyncIterable<Item> {
  readonly #pages: () => AsyncGenerator<readonly Item[], void>;

  constructor(pages: () => AsyncGenerator<readonly Item[], void>) {
    this.#pages = pages;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    for await (const page of this.#pages()) yield* page;
  }

  /** Reads the whole list. */
  async toArray(): Promise<Item[]> {
    const all: Item[] = [];
    for await (const page of this.#pages()) all.push(...page);
    return all;
  }
}
