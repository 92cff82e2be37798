import * as fc from "fast-check";
import { UnexpectedAnswerError } from "../../src/http/errors";
import type { Page, PageReader } from "../../src/http/pages";
import { keysetPages, offsetPages } from "../../src/http/walks";
import { runs, seed } from "../support/capabilities";

interface Service extends PageReader<number> {
  /** How many pages were asked for, and how many of them at the same time at the most. */
  readonly asked: { count: number; atOnce: number };
}

/** A service whose pages are made by number; a link is the number of the page that it leads to. */
function service(make: (number: number, nth: number) => Partial<Page<number>>): Service {
  const asked = { count: 0, atOnce: 0 };
  let underWay = 0;
  const numbered = async (number: number): Promise<Page<number>> => {
    asked.count += 1;
    underWay += 1;
    asked.atOnce = Math.max(asked.atOnce, underWay);
    await Promise.resolve();
    underWay -= 1;
    const page = make(number, asked.count);
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
    asked,
    facts: { operation: "items.list", method: "GET", path: "/items" },
    first: () => numbered(1),
    at: (target) => numbered(Number(target)),
    numbered,
  };
}

type Walk = typeof offsetPages;
async function walk(way: Walk, reader: Service): Promise<number[]> {
  const found: number[] = [];
  for await (const batch of way(reader, await reader.first())) found.push(...batch);
  return found;
}
async function failureOf(way: Walk, reader: Service): Promise<UnexpectedAnswerError> {
  const problem = await walk(way, reader).catch((thrown: unknown) => thrown);
  if (problem instanceof UnexpectedAnswerError) return problem;
  throw new Error(`It ended with ${String(problem).slice(0, 100)}`);
}

const WAYS: [string, Walk][] = [
  ["offset", offsetPages],
  ["keyset", keysetPages],
];

describe.each(WAYS)("a walk by %s", (_, way) => {
  test("ends after 100,000 pages, even where each has a new record", async () => {
    const reader = service((number) => ({ keys: [number], next: String(number + 1) }));
    const error = await failureOf(way, reader);
    expect(error.message).toContain("items.list (GET /items): the list has more than 100000 pages");
    expect(reader.asked.count).toBe(100_001);
  });

  test("ends after 100 empty pages in a row, each of which leads on, and not before", async () => {
    const empty = service((number) => ({ keys: number === 1 ? [1] : [], next: String(number + 1) }));
    expect((await failureOf(way, empty)).message).toContain(
      "more than 100 pages in a row hold no new record",
    );
    expect(empty.asked.count).toBe(102);
    const sparse = service((number) => ({
      keys: number % 101 === 0 ? [number] : [],
      next: number < 303 ? String(number + 1) : undefined,
    }));
    expect(await walk(way, sparse)).toEqual([101, 202, 303]);
  });

  test("ends for any service: with all its records, or with an error after so many pages", async () => {
    const page = fc.record({
      keys: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
      next: fc.option(fc.integer({ min: 1, max: 6 }).map(String), { nil: undefined }),
      total: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined }),
      totalPages: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(page, { minLength: 1, maxLength: 6 }), async (pages) => {
        const reader = service((_number, nth) => pages[nth % pages.length]!);
        const found = await walk(way, reader).catch((thrown: unknown) => thrown);
        if (!(found instanceof UnexpectedAnswerError)) {
          expect(Array.isArray(found)).toBe(true);
          expect(new Set(found as number[]).size).toBe((found as number[]).length);
        }
        expect(reader.asked.count).toBeLessThan(4 * 120);
      }),
      { numRuns: runs(300, 5000), seed },
    );
  });
});

describe("a walk by offset", () => {
  test("takes no more memory for 100,000 pages told than for those that it reads ahead", async () => {
    const reader = service((number) => ({ keys: [number], totalPages: 100_000 }));
    let read = 0;
    for await (const _ of offsetPages(reader, await reader.first())) if (++read === 500) break;
    expect(reader.asked.atOnce).toBeLessThanOrEqual(51);
    expect(reader.asked.count).toBeLessThanOrEqual(551);
  });

  test("refuses more pages told than it would read, without a request for one of them", async () => {
    const reader = service((number) => ({ keys: [number], totalPages: 100_001 }));
    expect((await failureOf(offsetPages, reader)).message).toContain("the service tells of 100001 pages");
    expect(reader.asked.count).toBe(1);
  });

  test("took a first page that stands for every number for the whole list: a page that repeats is an error", async () => {
    const reader = service(() => ({ keys: [1, 2, 3], total: 30, totalPages: 10 }));
    expect((await failureOf(offsetPages, reader)).message).toContain("a page repeats the records");
    expect(reader.asked.count).toBe(20);
  });

  test("gives a record once that stands on the last page for a second time, alone", async () => {
    const pages = [[1, 2, 3], [4, 5, 6], [2]];
    const reader = service((number) => ({ keys: pages[number - 1]!, total: 7, totalPages: 3 }));
    expect(await walk(offsetPages, reader)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
