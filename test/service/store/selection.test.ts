import fc from "fast-check";
import { type Database, openDatabase } from "../../../src/service/store/database";
import { migrate } from "../../../src/service/store/migrations";
import { Entries, type Selection, where } from "../../../src/service/store/selection";
import { runs, seed } from "../../support/capabilities";

let database: Database;
beforeEach(() => {
  database = openDatabase();
  migrate(database);
});
afterEach(() => database.close());

const put = (key: string, name: string) =>
  database.run("INSERT OR REPLACE INTO templates (key, name, content) VALUES (?, ?, '')", key, name);

/** Selects templates in the order of their names. Several templates have the same name. */
const named = (descending: boolean, condition = "1"): Selection<string> => ({
  key: "key",
  from: "templates",
  where: [where(condition)],
  order: ["name"],
  isDescending: descending,
  load: (keys) => keys.map(String),
});

const entry = fc.record({ key: fc.integer({ min: 0, max: 40 }), name: fc.constantFrom("a", "b", "c") });
const step = fc.oneof(
  fc.record({ put: entry }),
  fc.record({ remove: fc.integer({ min: 0, max: 40 }) }),
  fc.record({ page: fc.nat(15), size: fc.integer({ min: 1, max: 5 }) }),
);

test("after any inserts and deletes, each page contains the correct part of the sorted list", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), fc.boolean(), (steps, descending) => {
      database.run("DELETE FROM templates");
      const rows = new Map<string, string>();
      for (const each of steps) {
        if ("put" in each) {
          rows.set(String(each.put.key), each.put.name);
          put(String(each.put.key), each.put.name);
        } else if ("remove" in each) {
          rows.delete(String(each.remove));
          database.run("DELETE FROM templates WHERE key = ?", String(each.remove));
        } else {
          const { page, size } = each;
          const sorted = [...rows].sort(([k, n], [l, m]) => (n + k.padEnd(9) < m + l.padEnd(9) ? -1 : 1));
          const keys = sorted.map(([key]) => key);
          if (descending) keys.reverse();
          const entries = new Entries(database, named(descending));
          expect(entries.at(page * size, size + 1)).toEqual(keys.slice(page * size, page * size + size + 1));
          expect(entries.countUpTo(1_000)).toBe(rows.size);
        }
      }
    }),
    { seed, numRuns: runs(25, 2_000) },
  );
});

test("each of 5,000 entries is found at its position in the list", () => {
  database.write(() => {
    for (let key = 0; key < 5_000; key += 1) put(String(key).padStart(5, "0"), "a");
  });
  const selection = named(false);
  for (let offset = 1; offset < 5_000; offset += 1) {
    expect(new Entries(database, selection).at(offset, 2)[0]).toBe(String(offset).padStart(5, "0"));
  }
});
