import type { Bindable, Database } from "./database";

/** One part of a WHERE clause with the values of its `?`. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly Bindable[];
}

export const where = (sql: string, ...values: readonly Bindable[]): Condition => ({ sql, values });

/** The condition, where the value was given. */
export const whereGiven = <Value>(
  value: Value | undefined,
  condition: (value: Value) => Condition,
): readonly Condition[] => (value === undefined ? [] : [condition(value)]);

/** Text for LIKE that finds the given text anywhere in a column. Used with `ESCAPE '\\'`. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, "\\$&")}%`;

/**
 * What a list endpoint lists: keys in an order, and how records are made of some of them. Skipping to a page walks
 * over keys alone, and only the page's own records are joined together.
 */
export interface Selection<Entry> {
  /** Column that names one entry. */
  readonly key: string;
  readonly from: string;
  readonly where: readonly Condition[];
  /** ORDER BY list; it must end in something unique, so that pages neither overlap nor leave out. */
  readonly order: string;
  /** The entries of these keys, in the order of the keys. */
  load(keys: readonly (number | string)[]): Entry[];
}

/** Makes a `load` of a query that takes the keys as one JSON array (`… IN (SELECT value FROM json_each(?))`). */
export function loadInOrder<Row extends object, Entry>(
  database: Database,
  sql: string,
  keyOf: (row: Row) => number | string,
  entryOf: (row: Row) => Entry,
): (keys: readonly (number | string)[]) => Entry[] {
  return (keys) => {
    const rows = new Map(database.all<Row>(sql, JSON.stringify(keys)).map((row) => [keyOf(row), row]));
    return keys.flatMap((key) => {
      const row = rows.get(key);
      return row === undefined ? [] : [entryOf(row)];
    });
  };
}

const conditions = (all: readonly Condition[]): string =>
  all.length === 0 ? "1" : all.map((one) => `(${one.sql})`).join(" AND ");
const valuesOf = (all: readonly Condition[]): Bindable[] => all.flatMap((one) => one.values);

/** How many entries there are, counted no further than `limit`. */
export function countUpTo(database: Database, selection: Selection<unknown>, limit: number): number {
  const sql =
    `SELECT count(*) AS count FROM (SELECT 1 FROM ${selection.from} ` +
    `WHERE ${conditions(selection.where)} LIMIT ?)`;
  return database.one<{ count: number }>(sql, ...valuesOf(selection.where), limit)!.count;
}

/** The entries from `offset` on, at most `limit`. */
export function entriesAt<Entry>(
  database: Database,
  selection: Selection<Entry>,
  limit: number,
  offset: number,
): Entry[] {
  const sql =
    `SELECT ${selection.key} AS key FROM ${selection.from} WHERE ${conditions(selection.where)} ` +
    `ORDER BY ${selection.order} LIMIT ? OFFSET ?`;
  const rows = database.all<{ key: number | string }>(sql, ...valuesOf(selection.where), limit, offset);
  return selection.load(rows.map((row) => row.key));
}

/** The first entries in another order, after what the conditions say, and the position of the last of them. */
export function entriesAfter<Entry>(
  database: Database,
  selection: Selection<Entry>,
  after: readonly Condition[],
  column: string,
  sort: "asc" | "desc",
  limit: number,
): { entries: Entry[]; last: [string | number, number] | undefined } {
  const all = [...selection.where, ...after];
  const sql =
    `SELECT ${column} AS place, ${selection.key} AS key FROM ${selection.from} WHERE ${conditions(all)} ` +
    `ORDER BY ${column} ${sort}, ${selection.key} ${sort} LIMIT ?`;
  const rows = database.all<{ place: string | number; key: number }>(sql, ...valuesOf(all), limit);
  const last = rows.at(-1);
  return {
    entries: selection.load(rows.map((row) => row.key)),
    last: last === undefined ? undefined : [last.place, last.key],
  };
}
