import * as fc from "fast-check";
import { Collections } from "../../src/framework/collections/collections";
import { LiveCollection } from "../../src/framework/collections/live-collection";
import { hundred, type Item, item, listOf, reach, shop, ten } from "../provider/support/shop";
import { runs, seed } from "../support/capabilities";

describe("an endless list", () => {
  const live = (pages: () => number, read: (page: number) => Promise<readonly Item[]>) =>
    new LiveCollection<number, Item>(
      { name: "items", keyOf: ({ key }) => key, list: () => listOf(pages, read) },
      reach,
      1,
    );

  const GROWS = "grows with each page";
  test.each<[string, () => number, (page: number) => Promise<readonly Item[]>]>([
    ["announces a billion pages", () => 1e9, async (page) => [item(page)]],
    ["returns the same page for every number", () => 10, async () => ten],
    [
      GROWS,
      (() => {
        let pages = 1;
        return () => ++pages;
      })(),
      async (page) => [item(page)],
    ],
    ["is empty from the second page on", () => 90_000, async (page) => (page === 1 ? ten : [])],
  ])(
    "readers of the whole list and of one object get an error if the list %s",
    async (title, pages, read) => {
      const code = title === GROWS ? "list_changing" : "unexpected_answer";
      const problem = { code, operation: "items.list" };
      await expect(live(pages, read).all()).rejects.toMatchObject(problem);
      await expect(live(pages, read).get(1, 2)).rejects.toMatchObject(problem);
    },
  );
});

describe("reading", () => {
  test("two concurrent reads of a list and two of its objects share one request", async () => {
    const { live, asked } = shop(ten);
    await Promise.all([live.all(), live.all(), live.get(1, 30), live.get(2, 30)]);
    expect(asked).toEqual({ lists: 1, pages: 1, singles: 0 });
  });

  test("if one object was requested singly, the read of a second object requests the whole list", async () => {
    const { live, asked } = shop(ten);
    for (const key of [0, 0]) expect(await live.get(key, undefined)).toEqual(item(key));
    expect(asked).toEqual({ lists: 0, pages: 0, singles: 1 });
    for (const key of [1, 2, 0]) expect(await live.get(key, undefined)).toEqual(item(key));
    expect(asked).toEqual({ lists: 1, pages: 1, singles: 1 });
  });

  test("if a caller does not say how many objects it will read, three concurrent reads send two requests", async () => {
    const { live, asked } = shop(ten);
    await Promise.all([0, 1, 2].map((key) => live.get(key, undefined)));
    expect(asked).toEqual({ lists: 1, pages: 1, singles: 1 });
  });

  test("after ten requests for single objects of a ten-page list, the next read requests all pages", async () => {
    const { live, asked } = shop(hundred);
    for (let key = 0; key < 10; key++) expect(await live.get(key, undefined)).toEqual(item(key));
    expect(asked).toEqual({ lists: 1, pages: 1, singles: 10 });
    for (let key = 10; key < 99; key++) expect(await live.get(key, undefined)).toEqual(item(key));
    expect(asked).toEqual({ lists: 2, pages: 11, singles: 10 });
  });

  test("if a caller says that it will read two objects, one request for the list returns both objects", async () => {
    const { live, asked } = shop(ten);
    await Promise.all([live.get(0, 2), live.get(1, 2)]);
    expect(asked).toEqual({ lists: 1, pages: 1, singles: 0 });
  });

  test("if a caller says that it will read four objects of a ten-page list, the client requests each singly", async () => {
    const { live, asked } = shop(hundred);
    await Promise.all([3, 30, 60, 90].map(async (key) => expect(await live.get(key, 4)).toEqual(item(key))));
    expect(asked).toEqual({ lists: 1, pages: 1, singles: 4 });
  });

  test("a read of the whole list uses a page that another read has already requested", async () => {
    const { live, asked } = shop(ten);
    const [one, all] = await Promise.all([live.get(0, 4), live.all()]);
    expect([one, all.size]).toEqual([item(0), 10]);
    expect(asked.pages).toBe(1);
  });

  test("if a write ends while a list's first page is requested, the cached list contains the written value", async () => {
    const { live, asked } = shop(ten);
    const reading = live.get(0, 4);
    while (asked.pages === 0) await Promise.resolve();
    live.written(item(5, "second"));
    live.removed(6);
    await reading;
    expect(await live.get(5, 4)).toEqual(item(5, "second"));
    expect(await live.get(6, 4)).toBeUndefined();
  });

  test("reads of n objects from a list of p pages send at most min(n, p) + 3 requests", async () => {
    const order = fc.shuffledSubarray(hundred.map(({ key }) => key));
    await fc.assert(
      fc.asyncProperty(order, fc.nat(100), fc.boolean(), async (keys, size, atOnce) => {
        const { live, asked } = shop(hundred.slice(0, size));
        const get = async (key: number) => live.get(key, keys.length);
        if (atOnce) await Promise.allSettled(keys.map(get));
        else for (const key of keys) await get(key).catch(() => undefined);
        const pages = Math.max(1, Math.ceil(size / 10));
        expect(asked.pages + asked.singles).toBeLessThanOrEqual(Math.min(keys.length, pages) + 3);
      }),
      { seed, numRuns: runs(100, 3000) },
    );
  });

  test("if several objects return 404, one read of the list's first page proves that they are absent", async () => {
    const { live, asked } = shop(hundred);
    expect(await Promise.all([777, 778].map((key) => live.get(key, 3)))).toEqual([undefined, undefined]);
    expect(await live.get(779, 3)).toBeUndefined();
    live.drop();
    expect(await live.get(777, 3)).toBeUndefined();
    expect(asked).toEqual({ lists: 1, pages: 1, singles: 4 });
    expect(await live.get(778, 30)).toBeUndefined();
  });

  test("if a list's only page proved that an object is absent, a later read of the list sends no request", async () => {
    const { live, asked } = shop(ten);
    expect(await live.get(77, 1)).toBeUndefined();
    expect((await live.all()).size).toBe(10);
    expect(asked).toEqual({ lists: 1, pages: 1, singles: 1 });
  });

  test("if the service returns a 404 for a whole list, the read of an object fails with this error", async () => {
    const { live, asked, failing } = shop(ten);
    failing.lists = Number.POSITIVE_INFINITY;
    failing.with = "not_found";
    for (const key of [77, 78, 77]) {
      await expect(live.get(key, 3)).rejects.toMatchObject({ code: "not_found" });
    }
    expect(asked).toEqual({ lists: 1, pages: 1, singles: 0 });
  });

  test("if the request for a list fails, the next read of an object requests the list again", async () => {
    const { live, asked, failing } = shop(ten);
    failing.lists = 1;
    await expect(live.get(77, 1)).rejects.toMatchObject({ code: "service_failed" });
    expect(await live.get(77, 1)).toBeUndefined();
    expect(asked.lists).toBe(2);
  });

  test("if the request for a list fails, every waiting reader gets the error", async () => {
    const { live, asked, failing } = shop(ten);
    failing.lists = 1;
    const waiting = await Promise.allSettled([live.all(), live.all()]);
    expect(waiting.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect((await live.all()).size).toBe(10);
    expect(asked.lists).toBe(2);
  });

  test("if a read of an object failed, the next read of the object sends a request again", async () => {
    const { live, asked, failing } = shop(ten);
    failing.singles = 1;
    await expect(live.get(0, 1)).rejects.toMatchObject({ code: "service_failed" });
    expect(await live.get(0, 1)).toEqual(item(0));
    const other = shop(ten);
    for (const key of [77, 77]) expect(await other.live.get(key, 1)).toBeUndefined();
    expect([asked.singles, other.asked.singles]).toEqual([2, 1]);
  });

  test("after a write whose response lacks the record, the client requests only this record again", async () => {
    const { live, truth, asked } = shop(ten);
    await live.all();
    truth.set(3, item(3, "written"));
    truth.delete(4);
    expect(await live.refetch(3)).toEqual(item(3, "written"));
    expect(await live.refetch(4)).toBeUndefined();
    expect((await live.all()).get(3)).toEqual(item(3, "written"));
    expect((await live.all()).has(4)).toBe(false);
    expect(asked).toEqual({ lists: 1, pages: 1, singles: 2 });
  });

  test("two lists have separate caches if they belong to different projects or groups, or if their names differ", async () => {
    const { collection } = shop(ten);
    const collections = new Collections(reach, []);
    const one = collections.of(1, collection);
    expect(collections.of(1, collection)).toBe(one);
    expect(collections.of(2, collection)).not.toBe(one);
    expect(collections.of(1, { ...collection, name: "others" })).not.toBe(one);
  });

  test("if the cache of one project or group is dropped, the caches of other projects and groups stay", async () => {
    const { collection, asked } = shop(ten);
    const collections = new Collections(reach, []);
    const [one, other] = [collections.of(1, collection), collections.of(11, collection)];
    await Promise.all([one.all(), other.all()]);
    collections.drop(1);
    await Promise.all([one.all(), other.all()]);
    expect(asked.lists).toBe(3);
  });
});
