import { createHash } from "node:crypto";
import type { Bindable, Database } from "./database";

/** The position of an entry in a list: its values in the columns of the order, and its key. */
export type Position = readonly (string | number)[];

/** The maximum number of cursors that are kept for one database. An additional cursor replaces the oldest cursor. */
const MOST_CURSORS = 4_096;

const CACHES = new WeakMap<Database, { version: string; readonly cursors: Map<string, Position> }>();

/** A part of a WHERE clause and the values of its `?`. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly Bindable[];
}

export const where = (sql: string, ...values: readonly Bindable[]): Condition => ({ sql, values });

/** Returns a list with the condition if the value is given, otherwise an empty list. */
export const whereGiven = <Value>(
  value: Value | undefined,
  condition: (value: Value) => Condition,
): readonly Condition[] => (value === undefined ? [] : [condition(value)]);

/** Returns a condition that finds a text anywhere in one of the columns. */
export function containing(text: string, ...columns: readonly string[]): Condition {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const sql = columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(" OR ");
  return where(sql, ...columns.map(() => pattern));
}

/**
 * The entries of a list endpoint: ordered keys, and a function that loads the records of some keys. Only the
 * records of the page are loaded.
 */
export interface Selection<Entry> {
  /** The column that identifies an entry. */
  readonly key: string;
  readonly from: string;
  readonly where: readonly Condition[];
  /**
   * The columns by which entries are sorted. The values of these columns must not be null. The key is always added
   * as the last column of the order, so that every entry has a unique position.
   */
  readonly order?: readonly string[];
  /** Whether every column is sorted in descending order. */
  readonly isDescending?: boolean;
  /** Loads the entries of these keys, in the order of the keys. */
  load(keys: readonly (number | string)[]): Entry[];
}

/** Creates a `load` function from a query without a condition, and from the column with the keys. */
export function loadInOrder<Row extends object, Entry = Row>(
  database: Database,
  select: string,
  column: string,
  entryOf: (row: Row) => Entry = (row) => row as unknown as Entry,
): (keys: readonly (number | string)[]) => Entry[] {
  const sql = `${select} WHERE ${column} IN (SELECT value FROM json_each(?))`;
  const key = column.split(".").at(-1) as keyof Row;
  return (keys) => {
    const found = database.bulk<Row>(sql, JSON.stringify(keys));
    const rows = new Map(found.map((row) => [row[key] as number | string, row]));
    return keys.flatMap((one) => {
      const row = rows.get(one);
      return row === undefined ? [] : [entryOf(row)];
    });
  };
}

const conditions = (all: readonly Condition[]): string =>
  all.length === 0 ? "1" : all.map((one) => `(${one.sql})`).join(" AND ");

const valuesOf = (all: readonly Condition[]): Bindable[] => all.flatMap((one) => one.values);

/** The entries of a selection. */
export class Entries<Entry> {
  constructor(
    private readonly database: Database,
    private readonly selection: Selection<Entry>,
  ) {}

  /** Counts the entries of the selection, at most up to `limit`. */
  countUpTo(limit: number): number {
    const { from, where: all } = this.selection;
    const known = this.#cursors();
    const counted = known.get("count");
    if (counted !== undefined) return Number(counted[0]);
    const sql = `SELECT count(*) AS count FROM (SELECT 1 FROM ${from} WHERE ${conditions(all)} LIMIT ?)`;
    const { count } = this.database.one<{ count: number }>(sql, ...valuesOf(all), limit)!;
    known.set("count", [count]);
    return count;
  }

  /**
   * Returns at most `limit` entries from `offset` on. If the previous page was read, SQLite continues from the
   * cached last position of that page. Without a cached position, SQLite must skip `offset` entries.
   */
  at(offset: number, limit: number): Entry[] {
    const known = this.#cursors();
    let positions: Position[];
    const before = known.get(offset);
    if (before !== undefined || offset === 0) {
      positions = this.#positionsAfter(before, limit);
    } else {
      // The query begins one entry early, at the last entry of the page before.
      const [front, ...rest] = this.#positionsAfter(undefined, limit + 1, offset - 1);
      known.set(offset, front);
      positions = rest;
    }
    // Callers ask for one entry more than the page has, to find out whether there is another page.
    known.set(offset + limit - 1, positions[limit - 2]);
    return this.#load(positions);
  }

  /** Returns the entries after a position, and the position of the last entry. */
  after(position: Position | undefined, limit: number) {
    const positions = this.#positionsAfter(position, limit);
    return { entries: this.#load(positions), last: positions.at(-1) };
  }

  #load(positions: readonly Position[]): Entry[] {
    return positions.length === 0 ? [] : this.selection.load(positions.map((one) => one.at(-1)!));
  }

  /** Returns the positions of at most `limit` entries: of the first entries, or of the entries after a position. */
  #positionsAfter(after: Position | undefined, limit: number, skip = 0): Position[] {
    const { key, from, order = [], isDescending = false } = this.selection;
    const columns = [...order, key];
    const direction = isDescending ? "DESC" : "ASC";
    const beyond = isDescending ? "<" : ">";
    const seek =
      after === undefined
        ? []
        : [where(`(${columns.join(", ")}) ${beyond} (${columns.map(() => "?").join(", ")})`, ...after)];
    const all = [...this.selection.where, ...seek];
    const sql =
      `SELECT ${columns.map((column, index) => `${column} AS p${index}`).join(", ")} FROM ${from} ` +
      `WHERE ${conditions(all)} ORDER BY ${columns.map((column) => `${column} ${direction}`).join(", ")} ` +
      "LIMIT ? OFFSET ?";
    return this.database
      .bulk<Record<string, string | number>>(sql, ...valuesOf(all), limit, skip)
      .map((row) => Object.values(row));
  }

  /**
   * Returns the cached positions after which pages begin, by offset, and the cached number of entries. The cache
   * stays valid until this or another process changes the data. Without the cache, SQLite would read past all
   * earlier entries and count all entries. This takes longer than reading the page.
   */
  #cursors() {
    const { key, from, where: all, order = [], isDescending = false } = this.selection;
    const { version } = this.database;
    let cache = CACHES.get(this.database);
    if (cache === undefined || cache.version !== version) {
      cache = { version, cursors: new Map() };
      CACHES.set(this.database, cache);
    }
    const { cursors } = cache;
    // If the query depends on the current time, as for expiring memberships, its entries change without a write. A
    // query with the current time has no cache.
    const isKept = !all.some(({ sql }) => sql.includes("'now'"));
    // The name is a digest, because callers choose the values of a selection and their length.
    const text = JSON.stringify([key, from, all, order, isDescending]);
    const name = createHash("sha256").update(text).digest("base64");
    return {
      get: (offset: number | "count") => (isKept ? cursors.get(`${name} ${offset}`) : undefined),
      set(offset: number | "count", position: Position | undefined): void {
        if (position === undefined || !isKept) return;
        if (cursors.size >= MOST_CURSORS) cursors.delete(cursors.keys().next().value!);
        cursors.set(`${name} ${offset}`, position);
      },
    };
  }
}
