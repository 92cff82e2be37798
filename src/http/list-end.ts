import { createHash } from "node:crypto";
import { type RequestFacts, UnexpectedAnswerError } from "./errors";

/** Pages of one list that are read at the most, repetitions included: ten million records, a hundred a page. */
const MAX_PAGES = 100_000;

/**
 * Pages in a row that may hold no new record. A filter may leave some empty, as the service applies it after it has cut
 * the list into pages; what gives more of them than that has no end.
 */
const MAX_PAGES_WITHOUT_NEWS = 100;

/** Sees to it that the reading of a list comes to an end, whatever the service answers. */
export class ListEnd {
  readonly #facts: RequestFacts;
  /** Digests of the links that were followed since the start: a link may be as long as a header. */
  readonly #links = new Set<string>();
  #pages = 0;
  #withoutNews = 0;

  constructor(facts: RequestFacts) {
    this.#facts = facts;
  }

  /** Begins to read the list from its start: by the same links, where it has some. */
  pass(): void {
    this.#links.clear();
    this.#withoutNews = 0;
  }

  /** Counts a page that was read. @throws UnexpectedAnswerError when there is no end in sight */
  page(hasNews: boolean): void {
    this.#pages += 1;
    if (this.#pages > MAX_PAGES) throw this.error(`the list has more than ${MAX_PAGES} pages`);
    this.#withoutNews = hasNews ? 0 : this.#withoutNews + 1;
    if (this.#withoutNews > MAX_PAGES_WITHOUT_NEWS) {
      throw this.error(`more than ${MAX_PAGES_WITHOUT_NEWS} pages in a row hold no new record`);
    }
  }

  /** Takes note of a link that is about to be followed. @throws UnexpectedAnswerError when it was before */
  link(target: string): void {
    const digest = createHash("sha256").update(target).digest("base64");
    if (this.#links.has(digest)) throw this.error("the link to the next page leads back");
    this.#links.add(digest);
  }

  /** Checks how many pages the service tells of. @throws UnexpectedAnswerError when these are too many */
  announced(totalPages: number): void {
    if (totalPages <= MAX_PAGES) return;
    throw this.error(`the service tells of ${totalPages} pages, and at most ${MAX_PAGES} are read`);
  }

  error(what: string): UnexpectedAnswerError {
    return new UnexpectedAnswerError({ code: "unexpected_answer", request: this.#facts, what });
  }
}
