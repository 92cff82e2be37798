import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { isSea } from "node:sea";
import { describeFileProblem, requireRegularFile } from "../../files";

/** Values that SQLite stores. */
type NativeValue = string | number | null | Buffer;

/** A prepared statement. */
interface Statement {
  all(values: readonly NativeValue[]): unknown[];
  get(values: readonly NativeValue[]): unknown;
  run(values: readonly NativeValue[]): { readonly changes: number; readonly lastInsertRowid: number };
  columns(): readonly { readonly name: string }[];
}

/** A connection to SQLite. */
export interface Driver {
  prepare(sql: string): Statement;
  /** Runs statements without values and without results. */
  exec(sql: string): void;
  /** May be called again. */
  close(): void;
}

/**
 * Opens SQLite: the one of the package `libsql`, or in the single executable, which can load no native module, the one
 * of its Node. Both read and write the same files.
 */
const openDriver = (file: string): Driver => (isSea() ? openOfNode(file) : openLibsql(file));

function openLibsql(file: string): Driver {
  const Libsql: typeof import("libsql") = require("libsql");
  const native = new Libsql(file);
  return {
    prepare: (sql) => native.prepare(sql) as unknown as Statement,
    exec: (sql) => void native.exec(sql),
    close: () => void native.close(),
  };
}

/** What is used of `node:sqlite`, whose types are not in those of Node 20. */
interface NodeSqlite {
  readonly DatabaseSync: new (
    file: string,
  ) => {
    prepare(sql: string): {
      all(...values: readonly NativeValue[]): unknown[];
      get(...values: readonly NativeValue[]): unknown;
      run(
        ...values: readonly NativeValue[]
      ): Readonly<Record<"changes" | "lastInsertRowid", number | bigint>>;
      columns(): readonly { readonly name: string }[];
    };
    exec(sql: string): void;
    close(): void;
    readonly isOpen: boolean;
  };
}

/** SQLite of Node, which Node 20 does not have. */
function openOfNode(file: string): Driver {
  const { DatabaseSync }: NodeSqlite = require("node:sqlite");
  const native = new DatabaseSync(file);
  return {
    prepare(sql) {
      const statement = native.prepare(sql);
      return {
        all: (values) => statement.all(...values),
        get: (values) => statement.get(...values),
        run(values) {
          const { changes, lastInsertRowid } = statement.run(...values);
          return { changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
        },
        columns: () => statement.columns(),
      };
    },
    exec: (sql) => native.exec(sql),
    close() {
      if (native.isOpen) native.close();
    },
  };
}

/** As libsql reports them. */
const UNIQUE_CODES: readonly unknown[] = ["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"];
/** As Node reports them: the numbers of the same in SQLite's header. */
const UNIQUE_NUMBERS: readonly unknown[] = [2067, 1555];

/** Whether a statement violated a unique index. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = Object(error) as { code?: unknown; errcode?: unknown };
  return UNIQUE_CODES.includes(code) || UNIQUE_NUMBERS.includes(errcode);
}

const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/**
 * Creates a data file if missing, and makes it and SQLite's files beside it readable by their owner only, as they hold
 * digests of tokens. SQLite creates its files with the mode of the data file.
 *
 * @throws Error if the path is not a regular file, or cannot be created.
 */
function prepareDataFile(file: string): void {
  try {
    requireRegularFile(file);
    closeSync(openSync(file, "a", OWNER_ALONE));
  } catch (problem) {
    throw new Error(
      `The data can't be kept in ${file} (${describeFileProblem(problem)}). Correct --data, or give the right to write there.`,
      { cause: problem },
    );
  }
  for (const each of [file, `${file}-wal`, `${file}-shm`]) keepFromOthers(each);
}

/** Removes permissions of group and others from a file of this user. */
function keepFromOthers(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  const isOwn =
    found !== undefined && (process.getuid === undefined || [0, found.uid].includes(process.getuid()));
  if (isOwn && (found.mode & OTHERS) !== 0) chmodSync(file, found.mode & OWNER_ALONE);
}

const IN_MEMORY = ":memory:";

/** Values that can be bound to a `?` in a statement. */
export type Bindable = string | number | boolean | null | Buffer;

/** Access to SQLite: statements stay prepared, and a change is one transaction. */
export interface Database {
  /** All rows of a query. The caller declares the type of a row. */
  all<Row>(sql: string, ...values: readonly Bindable[]): Row[];
  /** As `all`, but faster for many values, which SQLite returns as one JSON text. Does not support BLOBs. */
  bulk<Row>(sql: string, ...values: readonly Bindable[]): Row[];
  /** The first row of a query, if any. */
  one<Row>(sql: string, ...values: readonly Bindable[]): Row | undefined;
  /** Runs a change; returns the row id of the last insert and the number of changed rows. */
  run(sql: string, ...values: readonly Bindable[]): { readonly id: number; readonly changes: number };
  /** Runs several statements without values, such as a migration. */
  script(sql: string): void;
  /** Runs a function in a transaction; a nested call joins the outer one. */
  write<Result>(work: () => Result): Result;
  /** Changes with each change of the data, by this or another process; cached reads are valid while it is the same. */
  readonly version: string;
  close(): void;
}

/** Runs a change, and throws `refusal` if it violates a unique index. */
export function refuseDuplicates<Result>(change: () => Result, refusal: () => Error): Result {
  try {
    return change();
  } catch (error) {
    throw isUniqueViolation(error) ? refusal() : error;
  }
}

// The native binding aborts the process on a value of an unknown type.
function toNative(value: Bindable): NativeValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === null || typeof value === "string" || Buffer.isBuffer(value)) return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new TypeError(`A statement was given a value that SQLite does not know: ${typeof value}`);
}

/** A query that returns its rows as one JSON text, and the names of its columns. */
interface JsonQuery {
  readonly columns: readonly string[];
  readonly statement: Statement;
}

function rowOf(columns: readonly string[], fields: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  // A plain loop for speed: this runs for every row.
  for (let index = 0; index < columns.length; index += 1) row[columns[index]!] = fields[index];
  return row;
}

/**
 * Opens a database file, or one in memory where `file` is missing.
 *
 * A file is kept in WAL mode with `synchronous=NORMAL`: a committed change survives the end of the process at any
 * moment; a power failure of the machine may take the last ones, never the file's consistency.
 */
export function openDatabase(file?: string): Database {
  if (file !== undefined && file !== IN_MEMORY) prepareDataFile(file);
  const native = openDriver(file ?? IN_MEMORY);
  if (file !== undefined) native.exec("PRAGMA journal_mode = WAL");
  native.exec("PRAGMA synchronous = NORMAL");
  native.exec("PRAGMA foreign_keys = ON");
  native.exec("PRAGMA busy_timeout = 5000");
  const statements = new Map<string, Statement>();
  let isInTransaction = false;
  let changeCount = 0;

  const prepared = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = native.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const all = <Row>(sql: string, values: readonly Bindable[]): Row[] =>
    prepared(sql).all(values.map(toNative)) as Row[];
  const inJson = new Map<string, JsonQuery>();
  const asJson = (sql: string): JsonQuery => {
    const known = inJson.get(sql);
    if (known !== undefined) return known;
    const columns = prepared(sql)
      .columns()
      .map(({ name }) => name);
    const fields = columns.map((name) => `"${name}"`).join(", ");
    // Arrays, because objects repeat the names of the columns in every row.
    const statement = native.prepare(`SELECT json_group_array(json_array(${fields})) AS rows FROM (${sql})`);
    const query = { columns, statement };
    inJson.set(sql, query);
    return query;
  };

  return {
    all: <Row>(sql: string, ...values: readonly Bindable[]) => all<Row>(sql, values),
    bulk<Row>(sql: string, ...values: readonly Bindable[]) {
      const { columns, statement } = asJson(sql);
      // `.get()` takes half the time of `.all()`; it adds a key to the row, which is ignored here.
      const { rows } = statement.get(values.map(toNative)) as { rows: string };
      return (JSON.parse(rows) as unknown[][]).map((fields) => rowOf(columns, fields) as Row);
    },
    // `.get()` of the binding adds a key to the row.
    one: <Row>(sql: string, ...values: readonly Bindable[]) => all<Row>(sql, values)[0],
    run(sql, ...values) {
      changeCount += 1;
      const result = prepared(sql).run(values.map(toNative));
      return { id: Number(result.lastInsertRowid), changes: result.changes };
    },
    script: (sql) => {
      native.exec(sql);
    },
    write<Result>(work: () => Result): Result {
      if (isInTransaction) return work();
      native.exec("BEGIN IMMEDIATE");
      isInTransaction = true;
      try {
        const result = work();
        native.exec("COMMIT");
        return result;
      } catch (error) {
        native.exec("ROLLBACK");
        throw error;
      } finally {
        isInTransaction = false;
      }
    },
    get version() {
      const row = prepared("PRAGMA data_version").get([]) as { data_version: number };
      return `${changeCount} ${row.data_version}`;
    },
    close() {
      statements.clear();
      inJson.clear();
      native.close();
    },
  };
}

/** Values of a row by the names of their columns, which stand in the code or in a schema: a request must not name others. */
export type Columns = Readonly<Record<string, Bindable | undefined>>;

const given = (columns: Columns) =>
  Object.entries(columns).filter((column): column is [string, Bindable] => column[1] !== undefined);

/**
 * Inserts a row. A column that is undefined gets the default of the schema.
 *
 * @param conflict what becomes of a row that has the same unique columns; by default it is an error
 * @returns the id of the row
 */
export function insert(
  database: Database,
  table: string,
  row: Columns,
  conflict: "" | "OR REPLACE " | "OR IGNORE " = "",
): number {
  const columns = given(row);
  const names = columns.map(([name]) => name).join(", ");
  const sql = `INSERT ${conflict}INTO ${table} (${names}) VALUES (${columns.map(() => "?").join(", ")})`;
  return database.run(sql, ...columns.map(([, value]) => value)).id;
}

/** Changes columns of a row; those that are undefined stay. */
export function update(database: Database, table: string, id: number, change: Columns): void {
  const columns = given(change);
  if (columns.length === 0) return;
  const assignments = columns.map(([name]) => `${name} = ?`).join(", ");
  database.run(`UPDATE ${table} SET ${assignments} WHERE id = ?`, ...columns.map(([, value]) => value), id);
}

export const removeRow = (database: Database, table: string, id: number): void =>
  void database.run(`DELETE FROM ${table} WHERE id = ?`, id);

/** Whether a query, given from the word `FROM` on, has a row. */
export const hasRow = (database: Database, from: string, ...values: readonly Bindable[]): boolean =>
  database.one(`SELECT 1 ${from}`, ...values) !== undefined;

/** This moment as columns have it. */
export const now = (): string => new Date().toISOString();

/** Reads a setting from the data file. */
export function readSetting(database: Database, key: string): unknown {
  const row = database.one<{ value: string }>("SELECT value FROM settings WHERE key = ?", key);
  return row === undefined ? undefined : (JSON.parse(row.value) as unknown);
}

export function writeSetting(database: Database, key: string, value: unknown): void {
  database.run("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)", key, JSON.stringify(value));
}
