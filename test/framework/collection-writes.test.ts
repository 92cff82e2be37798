import * as fc from "fast-check";
import { ReadWriteLock } from "../../src/framework/collections/listing";
import { LiveCollection } from "../../src/framework/collections/live-collection";
import { failure, type Item, item, listOf, reach, shop, ten } from "../provider/support/shop";
import { runs, seed } from "../support/capabilities";

describe("writing", () => {
  test("after a write, the cached list contains the written record, without a new request for the list", async () => {
    const { live, asked } = shop(ten);
    await live.all();
    live.written(item(3, "second"));
    live.written(item(50));
    live.removed(4);
    expect(await live.get(3, 30)).toEqual(item(3, "second"));
    expect(await live.get(50, 30)).toEqual(item(50));
    expect(await live.get(4, 30)).toBeUndefined();
    expect(asked.lists).toBe(1);
  });

  test("after a write to a singly requested record, the next read returns the written value", async () => {
    const { live, truth } = shop(ten);
    await live.get(3, 1);
    truth.set(3, item(3, "second"));
    live.written(item(3, "second"));
    expect(await live.get(3, 1)).toEqual(item(3, "second"));
  });

  test("if a list request fails during a write, the next read still returns the written record", async () => {
    const { live, failing } = shop(ten);
    failing.lists = 1;
    const reading = live.all();
    live.written(item(3, "second"));
    await expect(reading).rejects.toMatchObject({ code: "service_failed" });
    expect((await live.all()).get(3)).toBeDefined();
  });

  test("if a list request fails after the cache was dropped, the list of a later request stays in the cache", async () => {
    const { live, failing, asked } = shop(ten);
    failing.lists = 1;
    const first = live.all();
    while (asked.lists === 0) await Promise.resolve();
    live.drop();
    const second = live.all();
    await expect(first).rejects.toThrow();
    await second;
    await live.all();
    expect(asked.lists).toBe(2);
  });

  test("if the cache is dropped before the first page of a list is requested, all readers share one request", async () => {
    const { live, asked } = shop(ten);
    const first = live.all();
    live.drop();
    expect(await live.all()).toBe(await first);
    expect(asked.lists).toBe(1);
  });

  test("for any order of pages and responses to writes, a later read returns the values of the service", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.uniqueArray(fc.record({ key: fc.nat(7), remove: fc.boolean(), drops: fc.boolean() }), {
          selector: ({ key }) => key,
        }),
        async (scheduler, writes) => {
          const truth = new Map([0, 2, 4, 6].map((key) => [key, item(key)]));
          const list = listOf(
            () => 4,
            async (page) => {
              await scheduler.schedule(Promise.resolve(), `page ${page}`);
              return [2 * page - 2, 2 * page - 1].flatMap((key) => truth.get(key) ?? []);
            },
          );
          const live = new LiveCollection<number, Item>(
            {
              name: "items",
              keyOf: ({ key }) => key,
              list: () => list,
              async single(_api, _container, key) {
                await scheduler.schedule(Promise.resolve(), `single ${key}`);
                const found = truth.get(key);
                if (found === undefined) throw failure("not_found");
                return found;
              },
            },
            reach,
            1,
          );
          const write = async ({ key, remove, drops }: (typeof writes)[number]) => {
            await scheduler.schedule(Promise.resolve(), `do ${key}`);
            if (remove) truth.delete(key);
            else truth.set(key, item(key, "second"));
            await scheduler.schedule(Promise.resolve(), `answer ${key}`);
            if (drops) live.drop();
            else if (remove) live.removed(key);
            else live.written(item(key, "second"));
          };
          const readers = [
            live.all(),
            live.get(0, 4),
            ...writes.map(() => scheduler.schedule(Promise.resolve()).then(() => live.all())),
          ];
          await scheduler.waitFor(Promise.all([...readers, ...writes.map(write)]));
          const end = scheduler.waitFor(live.all());
          expect(new Map([...(await end)].sort())).toEqual(new Map([...truth].sort()));
        },
      ),
      { seed, numRuns: runs(150, 3000) },
    );
  });
});

describe("the order of reads and writes", () => {
  test("after the cache is dropped, a read of the list returns the values of the newly requested pages", async () => {
    const change = fc.record({ key: fc.nat(9), by: fc.constantFrom("run", "refused", "others") });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(change, { maxLength: 8 }), async (scheduler, changes) => {
        const truth = new Map([0, 1, 3, 5, 7, 8].map((key) => [key, item(key)]));
        const readings: Map<number, Item>[] = [];
        const list = () => {
          const shown = new Map<number, Item>();
          readings.push(shown);
          return listOf(
            () => Math.max(1, Math.ceil(truth.size / 2)),
            async (page) => {
              await scheduler.schedule(Promise.resolve(), `page ${page}`);
              const records = [...truth.values()].slice(2 * page - 2, 2 * page);
              for (const record of records) shown.set(record.key, record);
              return records;
            },
          );
        };
        const live = new LiveCollection<number, Item>(
          { name: "items", keyOf: ({ key }) => key, list },
          reach,
          1,
        );
        const write = async ({ key, by }: (typeof changes)[number]) => {
          const removes = key % 2 === 0 && truth.has(key);
          await live.send(async () => {
            await scheduler.schedule(Promise.resolve(), `do ${key}`);
            if (by === "run" && removes) truth.delete(key);
            else if (by === "run") truth.set(key, item(key, "second"));
            await scheduler.schedule(Promise.resolve(), `answer ${key}`);
          });
          if (by === "refused") live.drop();
          else if (removes) live.removed(key);
          else live.written(item(key, "second"));
        };
        const change = async (one: (typeof changes)[number]) => {
          if (one.by !== "others") return write(one);
          await scheduler.schedule(Promise.resolve(), `others change ${one.key}`);
          if (truth.has(one.key)) truth.set(one.key, item(one.key, "theirs"));
        };
        const read = async () => {
          await scheduler.schedule(Promise.resolve(), "read");
          live.drop();
          const found = new Map(await live.all());
          expect([...found.keys()].sort()).toEqual([...truth.keys()].sort());
          expect(readings).toContainEqual(found);
        };
        await scheduler.waitFor(Promise.all([read(), read(), ...changes.map(change), read()]));
      }),
      { seed, numRuns: runs(200, 5000) },
    );
  });

  test("a failed read or write does not block later reads and writes", async () => {
    const lock = new ReadWriteLock();
    const failing = () => Promise.reject(new Error("failed"));
    const results = await Promise.allSettled([
      lock.write(failing),
      lock.read(failing),
      lock.write(async () => "written"),
      lock.read(async () => "read"),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled", "fulfilled"]);
  });

  test("a write does not wait for another write, and a read does not wait for another read", async () => {
    const lock = new ReadWriteLock();
    for (const together of [lock.write.bind(lock), lock.read.bind(lock)]) {
      let isOther = (): void => undefined;
      const other = new Promise<void>((resolve) => {
        isOther = resolve;
      });
      await Promise.all([together(() => other), together(async () => isOther())]);
    }
  });
});
