import * as fc from "fast-check";
import { UnexpectedAnswerError } from "../../src/http/errors";
import { type Page, type PageReader, RecordList } from "../../src/http/pages";
import { readByKeyset, readByOffset } from "../../src/http/read-pages";
import { runs, seed } from "../support/capabilities";

interface Service extends PageReader<number> {
  /** The number of requested pages, and the highest number of concurrent requests. */
  readonly requests: { count: number; concurrent: number };
}

/** Returns a stand-in for a service, which generates pages by their numbers. The link to a page is its number. */
function service(make: (number: number, nth: number) => Partial<Page<number>>): Service {
  const requests = { count: 0, concurrent: 0 };
  let underWay = 0;
  const numbered = async (number: number): Promise<Page<number>> => {
    requests.count += 1;
    underWay += 1;
    requests.concurrent = Math.max(requests.concurrent, underWay);
    await Promise.resolve();
    underWay -= 1;
    const page = make(number, requests.count);
    const keys = page.keys ?? [];
    return {
      records: keys as number[],
      keys,
      next: undefined,
      total: undefined,
      totalPages: undefined,
      ...page,
    };
  };
  return {
    requests,
    request: { operation: "items.list", method: "GET", path: "/items" },
    first: () => numbered(1),
    at: (target) => numbered(Number(target)),
    numbered,
  };
}

type ReadPages = typeof readByOffset;
async function readAll(read: ReadPages, reader: Service): Promise<number[]> {
  const found: number[] = [];
  for await (const batch of read(reader, await reader.first())) found.push(...batch);
  return found;
}
async function failureOf(read: ReadPages, reader: Service): Promise<UnexpectedAnswerError> {
  const problem = await readAll(read, reader).catch((thrown: unknown) => thrown);
  if (problem instanceof UnexpectedAnswerError) return problem;
  throw new Error(`It ended with ${String(problem).slice(0, 100)}`);
}

const READERS: [string, ReadPages][] = [
  ["offset", readByOffset],
  ["keyset", readByKeyset],
];

describe.each(READERS)("a list read by %s", (_, read) => {
  test("reading ends with an error after 100,000 pages, even if each page has a new record", async () => {
    const reader = service((number) => ({ keys: [number], next: String(number + 1) }));
    const error = await failureOf(read, reader);
    expect(error.message).toContain("GET /items: the list has more than 100000 pages");
    expect(reader.requests.count).toBe(100_001);
  });

  test("reading ends with an error after more than 100 consecutive empty pages", async () => {
    const empty = service((number) => ({ keys: number === 1 ? [1] : [], next: String(number + 1) }));
    expect((await failureOf(read, empty)).message).toContain(
      "more than 100 consecutive pages hold no new record",
    );
    expect(empty.requests.count).toBe(102);
    const sparse = service((number) => ({
      keys: number % 101 === 0 ? [number] : [],
      next: number < 303 ? String(number + 1) : undefined,
    }));
    expect(await readAll(read, sparse)).toEqual([101, 202, 303]);
  });

  test("reading any list ends after a limited number of pages, with the records or with an error", async () => {
    const page = fc.record({
      keys: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
      next: fc.option(fc.integer({ min: 1, max: 6 }).map(String), { nil: undefined }),
      total: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
      totalPages: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 6 }), async (pages) => {
        const reader = service((_number, nth) => pages[nth % pages.length]!);
        const found = await readAll(read, reader).catch((thrown: unknown) => thrown);
        if (!(found instanceof UnexpectedAnswerError)) {
          expect(Array.isArray(found)).toBe(true);
          expect(new Set(found as number[]).size).toBe((found as number[]).length);
        }
        expect(reader.requests.count).toBeLessThan(4 * 120);
      }),
      { numRuns: runs(300, 5000), seed },
    );
  });
});

describe("a list with an expected number of records", () => {
  test("the client requests the expected pages of a list at the same time, but at most ten pages", async () => {
    const number = fc.integer({ min: 1, max: 14 });
    await fc.assert(
      fc.asyncProperty(
        number,
        fc.integer({ min: 0, max: 40 }),
        number,
        async (totalPages, expected, most) => {
          const at = (page: number) => (page <= totalPages ? [3 * page, 3 * page + 1, 3 * page + 2] : []);
          const reader = service((page) => ({ keys: at(page), totalPages }));
          const pages = await new RecordList(() => reader, readByOffset, 3).pages(most, undefined, expected);
          const atOnce = Math.max(1, Math.min(Math.ceil(expected / 3), most, 10));
          expect(reader.requests.concurrent).toBe(atOnce);
          if (totalPages > most) return expect([pages, reader.requests.count]).toEqual([undefined, atOnce]);
          const found: number[] = [];
          for await (const page of pages!) found.push(...page);
          expect(found).toEqual(Array.from({ length: 3 * totalPages }, (_, index) => index + 3));
          return expect(reader.requests.count).toBe(Math.max(atOnce, totalPages));
        },
      ),
      { numRuns: runs(100, 2000), seed },
    );
  });

  test("if a list grew since its first read, a second read also requests the new last page", async () => {
    let pass = 0;
    const reader = service((page) => {
      if (page === 1) pass += 1;
      const totalPages = pass === 1 ? 2 : 3;
      // In the first pass, both pages contain the same record. The client therefore reads the list again.
      return { keys: pass === 1 ? [1] : [page], total: totalPages, totalPages };
    });
    const found = await new RecordList(() => reader, readByOffset, 1).pages(undefined, undefined, 3);
    const all: number[] = [];
    for await (const page of found!) all.push(...page);
    expect(all).toEqual([1, 2, 3]);
  });
});

describe("a list read by offset", () => {
  test("the client requests at most 51 pages in advance, even if a list announces 100,000 pages", async () => {
    const reader = service((number) => ({ keys: [number], totalPages: 100_000 }));
    let read = 0;
    for await (const _ of readByOffset(reader, await reader.first())) if (++read === 500) break;
    expect(reader.requests.concurrent).toBeLessThanOrEqual(51);
    expect(reader.requests.count).toBeLessThanOrEqual(551);
  });

  test("if the first page announces more than 100,000 pages, the client refuses the list", async () => {
    const reader = service((number) => ({ keys: [number], totalPages: 100_001 }));
    expect((await failureOf(readByOffset, reader)).message).toContain("the service announces 100001 pages");
    expect(reader.requests.count).toBe(1);
  });

  test("if the service returns the first page for every page number, reading ends with an error", async () => {
    const reader = service(() => ({ keys: [1, 2, 3], total: 30, totalPages: 10 }));
    expect((await failureOf(readByOffset, reader)).message).toContain("a page repeats the records");
    expect(reader.requests.count).toBe(20);
  });

  test("if the last page repeats a record, the client returns the record once", async () => {
    const pages = [[1, 2, 3], [4, 5, 6], [2]];
    const reader = service((number) => ({ keys: pages[number - 1]!, total: 7, totalPages: 3 }));
    expect(await readAll(readByOffset, reader)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
