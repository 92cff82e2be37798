import { createHash } from "node:crypto";
import type { Bindable, Database } from "./database";

/** Position of an entry in a list: its values in the columns of the order, and its key. */
export type Position = readonly (string | number)[];

/** Cursors that are kept for one database; the oldest one is dropped for another. */
const MOST_CURSORS = 4_096;

const CACHES = new WeakMap<Database, { version: string; readonly cursors: Map<string, Position> }>();

/**
 * The cursors of a selection: the positions after which its pages begin, by offset, and how many entries it has. They stay
 * valid until this or another process changes the data. Without them SQLite skips all entries before a page and counts all
 * entries, which takes longer than reading the page.
 */
function cursorsOf(
  database: Database,
  { key, from, where: all, order, isDescending = false }: Selection<unknown>,
) {
  const { version } = database;
  let cache = CACHES.get(database);
  if (cache === undefined || cache.version !== version) {
    cache = { version, cursors: new Map() };
    CACHES.set(database, cache);
  }
  const { cursors } = cache;
  // The entries change without a write where memberships expire.
  const isKept = !all.some(({ sql }) => sql.includes("'now'"));
  // A digest, because callers choose the values of a selection and their length.
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

/** A part of a WHERE clause and the values of its `?`. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly Bindable[];
}

export const where = (sql: string, ...values: readonly Bindable[]): Condition => ({ sql, values });

/** The condition, if the value is given. */
export const whereGiven = <Value>(
  value: Value | undefined,
  condition: (value: Value) => Condition,
): readonly Condition[] => (value === undefined ? [] : [condition(value)]);

/** Finds a text anywhere in one of the columns. */
export function containing(text: string, ...columns: readonly string[]): Condition {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  const sql = columns.map((column) => `${column} LIKE ? ESCAPE '\\'`).join(" OR ");
  return where(sql, ...columns.map(() => pattern));
}

/**
 * What a list endpoint lists: ordered keys, and a function that loads the records of some keys. Only the records of the page
 * are loaded.
 */
export interface Selection<Entry> {
  /** Column that names one entry. */
  readonly key: string;
  readonly from: string;
  readonly where: readonly Condition[];
  /** Columns by which entries are sorted, none of them null. The key is the last sort column, so that positions are unique. */
  readonly order: readonly string[];
  /** Whether every column is sorted in descending order. */
  readonly isDescending?: boolean;
  /** Loads the entries of these keys, in the order of the keys. */
  load(keys: readonly (number | string)[]): Entry[];
}

/** Creates a `load` from a query without a condition, and the column that has the keys. */
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

/** Positions of entries, optionally those after a position. */
function positionsAfter(
  database: Database,
  selection: Selection<unknown>,
  after: Position | undefined,
  limit: number,
  skip: number,
): Position[] {
  const columns = [...selection.order, selection.key];
  const direction = selection.isDescending === true ? "DESC" : "ASC";
  const beyond = selection.isDescending === true ? "<" : ">";
  const seek =
    after === undefined
      ? []
      : [where(`(${columns.join(", ")}) ${beyond} (${columns.map(() => "?").join(", ")})`, ...after)];
  const all = [...selection.where, ...seek];
  const sql =
    `SELECT ${columns.map((column, index) => `${column} AS p${index}`).join(", ")} FROM ${selection.from} ` +
    `WHERE ${conditions(all)} ORDER BY ${columns.map((column) => `${column} ${direction}`).join(", ")} ` +
    "LIMIT ? OFFSET ?";
  return database
    .bulk<Record<string, string | number>>(sql, ...valuesOf(all), limit, skip)
    .map((row) => Object.values(row));
}

const load = <Entry>(selection: Selection<Entry>, positions: readonly Position[]): Entry[] =>
  positions.length === 0 ? [] : selection.load(positions.map((position) => position.at(-1)!));

/** Counts entries up to `limit`. */
export function countUpTo(database: Database, selection: Selection<unknown>, limit: number): number {
  const known = cursorsOf(database, selection);
  const counted = known.get("count");
  if (counted !== undefined) return Number(counted[0]);
  const sql =
    `SELECT count(*) AS count FROM (SELECT 1 FROM ${selection.from} ` +
    `WHERE ${conditions(selection.where)} LIMIT ?)`;
  const { count } = database.one<{ count: number }>(sql, ...valuesOf(selection.where), limit)!;
  known.set("count", [count]);
  return count;
}

/** The entries from `offset` on, at most `limit`. The page after one that was read costs no walk. */
export function entriesAt<Entry>(
  database: Database,
  selection: Selection<Entry>,
  limit: number,
  offset: number,
): Entry[] {
  const known = cursorsOf(database, selection);
  let positions: Position[];
  const before = known.get(offset);
  if (before !== undefined || offset === 0) {
    positions = positionsAfter(database, selection, before, limit, 0);
  } else {
    // One entry more at the front: the page begins after it.
    const [front, ...rest] = positionsAfter(database, selection, undefined, limit + 1, offset - 1);
    known.set(offset, front);
    positions = rest;
  }
  // Callers ask for one entry more than the page has, to know whether there is another page.
  known.set(offset + limit - 1, positions[limit - 2]);
  return load(selection, positions);
}

/** The entries after a position, and the position of the last one. */
export function entriesAfter<Entry>(
  database: Database,
  selection: Selection<Entry>,
  after: Position | undefined,
  limit: number,
): { entries: Entry[]; last: Position | undefined } {
  const positions = positionsAfter(database, selection, after, limit, 0);
  return { entries: load(selection, positions), last: positions.at(-1) };
}
