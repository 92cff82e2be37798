import { Collections } from "../../src/framework/collections/collections";
import type { Collection } from "../../src/framework/collections/listing";
import { LiveCollection } from "../../src/framework/collections/live-collection";
import { hundred, type Item, item, listOf, reach, shop } from "../provider/support/shop";
import { stillHeld } from "../support/garbage";

// The tests check that the cache keeps only the used parts of a list: some fields for resources, or whole records for a data
// source.

type Key = Pick<Item, "key">;

/**
 * Returns a collection of forty records whose last page waits until it is released, and weak references to all records that
 * were read.
 */
function forty() {
  const { asked, collection } = shop(hundred.slice(0, 40));
  const sent: WeakRef<Item>[] = [];
  let release = () => {};
  const last = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isReading = () => {};
  const isAtLast = new Promise<void>((resolve) => {
    isReading = resolve;
  });
  const list = listOf(
    () => 4,
    async (page) => {
      asked.pages++;
      if (page === 4) {
        isReading();
        await last;
      }
      // Each read makes a new object, as a real response does.
      const records = hundred.slice((page - 1) * 10, page * 10).map((record) => ({ ...record }));
      for (const record of records) sent.push(new WeakRef(record));
      return records;
    },
  );
  const briefs: Collection<number, Key, Item> = {
    ...collection,
    list: () => list,
    projection: ({ key }) => ({ key }),
  };
  return { asked, briefs, sent, isAtLast, release };
}

test("before a list's last page arrives, the cache has released all fields that resources do not use", async () => {
  const { briefs, sent, isAtLast, release } = forty();
  const live = new LiveCollection(briefs, reach, 1, false);
  const reading = live.all();
  await isAtLast;
  expect(await stillHeld(sent)).toBe(0);
  expect(sent).toHaveLength(30);
  release();
  expect([...(await reading).values()]).toEqual(hundred.slice(0, 40).map(({ key }) => ({ key })));
  live.written(item(3, "second"));
  expect(await live.get(3, 30)).toEqual({ key: 3 });
});

test("if a data source can read a list, the cache contains whole records", async () => {
  const { asked, briefs, release } = forty();
  release();
  const live = new Collections(reach, [briefs]).of(1, briefs);
  await live.all();
  live.written(item(3, "second"));
  expect((await live.readWhole()).get(3)).toEqual(item(3, "second"));
  expect((await live.readWhole()).get(4)).toEqual(item(4));
  expect(asked.pages).toBe(4);
});

test("if cached records lack fields that a data source returns, the data source requests the list again", async () => {
  const { asked, briefs, release } = forty();
  release();
  const collections = new Collections(reach, [briefs]);
  collections.willShow([]);
  const live = collections.of(1, briefs);
  await live.all();
  expect(asked.pages).toBe(4);
  const whole = live.readWhole();
  while (asked.pages === 4) await Promise.resolve();
  live.written(item(3, "second"));
  expect((await whole).get(3)).toEqual(item(3, "second"));
  expect((await live.readWhole()).get(4)).toEqual(item(4));
  expect(asked.pages).toBe(8);
});

test("if a list returns several records with one key, isMember decides which record the cache keeps", async () => {
  const { collection } = shop([]);
  const list = listOf(
    () => 1,
    async () => [item(1, "b"), item(2, "a"), item(1, "c"), item(1, "a"), item(9, "z")],
  );
  const live = new LiveCollection<number, Item>(
    {
      ...collection,
      list: () => list,
      isMember: ({ key, value }, container, before) =>
        key !== container && (before === undefined || before.value < value),
    },
    reach,
    9,
  );
  expect([...(await live.all()).values()]).toEqual([item(1, "c"), item(2, "a")]);
});
