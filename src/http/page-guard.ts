import { createHash } from "node:crypto";
import { type RequestInfo, UnexpectedAnswerError } from "./errors";

/**
 * Maximum number of pages read of one list, repetitions included: ten million records of a hundred a page.
 */
const MAX_PAGES = 100_000;

/**
 * Maximum number of consecutive pages without a new record. A filter may leave some pages empty, since the
 * service applies it after paging; more of them indicate an endless list.
 */
const MAX_PAGES_WITHOUT_NEW_RECORDS = 100;

/** Guarantees that reading a list terminates, whatever the service returns. */
export class PageGuard {
  readonly #request: RequestInfo;
  /** Digests of the links that were followed since the start: a link may be as long as a header. */
  readonly #links = new Set<string>();
  #pages = 0;
  #pagesWithoutNewRecords = 0;

  constructor(request: RequestInfo) {
    this.#request = request;
  }

  /** Starts over from the first page, with the same links. */
  restart(): void {
    this.#links.clear();
    this.#pagesWithoutNewRecords = 0;
  }

  /** Counts a page. @throws UnexpectedAnswerError when the list seems endless */
  countPage(hasNewRecords: boolean): void {
    this.#pages += 1;
    if (this.#pages > MAX_PAGES) throw this.error(`the list has more than ${MAX_PAGES} pages`);
    this.#pagesWithoutNewRecords = hasNewRecords ? 0 : this.#pagesWithoutNewRecords + 1;
    if (this.#pagesWithoutNewRecords > MAX_PAGES_WITHOUT_NEW_RECORDS) {
      throw this.error(`more than ${MAX_PAGES_WITHOUT_NEW_RECORDS} consecutive pages hold no new record`);
    }
  }

  /** Records a link before it is followed. @throws UnexpectedAnswerError when it was followed before */
  recordLink(target: string): void {
    const digest = createHash("sha256").update(target).digest("base64");
    if (this.#links.has(digest)) throw this.error("the link to the next page leads back to an earlier one");
    this.#links.add(digest);
  }

  /** Checks the announced number of pages. @throws UnexpectedAnswerError when there are too many */
  checkTotal(totalPages: number): void {
    if (totalPages <= MAX_PAGES) return;
    throw this.error(`the service announces ${totalPages} pages, and at most ${MAX_PAGES} are read`);
  }

  error(what: string): UnexpectedAnswerError {
    return new UnexpectedAnswerError({ code: "unexpected_answer", request: this.#request, what });
  }
}
