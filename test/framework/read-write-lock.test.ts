import * as fc from "fast-check";
import { ReadWriteLock } from "../../src/framework/collections/listing";
import { LiveCollection } from "../../src/framework/collections/live-collection";
import { type Item, item, listOf, reach } from "../provider/support/shop";
import { runs, seed } from "../support/capabilities";

const PER_PAGE = 2;

test("who reads a list finds all that stays in it, whatever comes and goes meanwhile", async () => {
  const staying = [1, 3, 5, 7];
  const change = fc.record({ key: fc.nat(9), drops: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.uniqueArray(change, { selector: ({ key }) => key }),
      async (scheduler, changes) => {
        const keys = [0, ...staying, 8];
        const list = listOf(
          () => Math.ceil(keys.length / PER_PAGE),
          async (page) => {
            await scheduler.schedule(Promise.resolve(), `page ${page}`);
            return keys.slice((page - 1) * PER_PAGE, page * PER_PAGE).map((key) => item(key));
          },
        );
        const live = new LiveCollection<number, Item>(
          { name: "items", keyOf: ({ key }) => key, list: () => list },
          reach,
          1,
        );
        const write = async ({ key, drops }: (typeof changes)[number]) => {
          if (staying.includes(key)) return;
          const place = keys.indexOf(key);
          await live.send(async () => {
            await scheduler.schedule(Promise.resolve(), `do ${key}`);
            if (place < 0) keys.push(key);
            else keys.splice(keys.indexOf(key), 1);
            await scheduler.schedule(Promise.resolve(), `answer ${key}`);
          });
          if (drops) live.drop();
          else if (place < 0) live.written(item(key));
          else live.removed(key);
        };
        const read = async () => {
          await scheduler.schedule(Promise.resolve(), "read");
          const found = await live.all();
          expect(staying.filter((key) => !found.has(key))).toEqual([]);
        };
        await scheduler.waitFor(Promise.all([read(), read(), ...changes.map(write), read()]));
        expect([...(await scheduler.waitFor(live.all())).keys()].sort()).toEqual([...keys].sort());
      },
    ),
    { seed, numRuns: runs(200, 5000) },
  );
});

test("what fails is in nobody's way", async () => {
  const turns = new ReadWriteLock();
  const failing = () => Promise.reject(new Error("failed"));
  const results = await Promise.allSettled([
    turns.write(failing),
    turns.read(failing),
    turns.write(async () => "written"),
    turns.read(async () => "read"),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled", "fulfilled"]);
});

test("writes go together, and so do readings", async () => {
  const turns = new ReadWriteLock();
  for (const together of [turns.write.bind(turns), turns.read.bind(turns)]) {
    let isOther = (): void => undefined;
    const other = new Promise<void>((resolve) => {
      isOther = resolve;
    });
    await Promise.all([together(() => other), together(async () => isOther())]);
  }
});
