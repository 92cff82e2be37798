import { type ListWalk, pageCount } from "./pages";

/** A list of records that is read page by page while it is walked through; each walk asks the service anew. */
export class RecordList<Item> implements AsyncIterable<Item> {
  readonly #walk: () => ListWalk<Item>;

  constructor(walk: () => ListWalk<Item>) {
    this.#walk = walk;
  }

  /** @throws ApiError as single reads do; `unexpected_answer` when pages repeat, or the list never holds still */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void> {
    const walk = this.#walk();
    for await (const batch of walk.batches(await walk.first())) yield* batch;
  }

  /** Reads the whole list. */
  async toArray(): Promise<Item[]> {
    return (await this.upTo(Number.POSITIVE_INFINITY))!;
  }

  /** Reads the whole list, unless it has more than so many pages: its first page tells, and no other is asked for then. */
  async upTo(pages: number): Promise<Item[] | undefined> {
    const walk = this.#walk();
    const first = await walk.first();
    if (pageCount(first) > pages) return undefined;
    const batches: (readonly Item[])[] = [];
    for await (const batch of walk.batches(first)) batches.push(batch);
    return batches.flat() as Item[];
  }
}
