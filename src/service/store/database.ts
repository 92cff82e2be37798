import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
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
  exec(sql: string): unknown;
  /** Closes the connection. Callers can close a connection several times. */
  close(): unknown;
}

/**
 * Opens a database with the SQLite of the package `libsql`. The single executable can't load native modules, so it uses
 * the SQLite of Node.js. Both versions of SQLite read and write the same files.
 */
const openDriver = (file: string): Driver => (isSea() ? openOfNode(file) : openLibsql(file));

function openLibsql(file: string): Driver {
  const Libsql: typeof import("libsql") = require("libsql");
  return new Libsql(file) as unknown as Driver;
}

/** Opens the SQLite of Node. Node 20 and its types do not contain this SQLite. A statement takes its values one by one. */
function openOfNode(file: string): Driver {
  type Spread<Call extends keyof Statement> = (
    ...values: readonly NativeValue[]
  ) => ReturnType<Statement[Call]>;
  interface NodeDatabase extends Omit<Driver, "prepare"> {
    prepare(sql: string): { readonly [Call in keyof Statement]: Spread<Call> };
    readonly isOpen: boolean;
  }
  const {
    DatabaseSync,
  }: { readonly DatabaseSync: new (path: string) => NodeDatabase } = require("node:sqlite");
  const native = new DatabaseSync(file);
  return {
    prepare(sql) {
      const statement = native.prepare(sql);
      return {
        all: (values) => statement.all(...values),
        get: (values) => statement.get(...values),
        run: (values) => statement.run(...values),
        columns: () => statement.columns(),
      };
    },
    exec: (sql) => native.exec(sql),
    close: () => native.isOpen && native.close(),
  };
}

/**
 * The codes for the violation of a unique index or a primary key. libsql reports names, and Node reports the numbers of SQLite's
 * header.
 */
const UNIQUE: readonly unknown[] = ["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", 2067, 1555];

/** Returns whether an error of a statement is the violation of a unique index. */
export function isUniqueViolation(error: unknown): boolean {
  const { code, errcode } = Object(error) as { code?: unknown; errcode?: unknown };
  return UNIQUE.includes(code) || UNIQUE.includes(errcode);
}

const OWNER_ALONE = 0o600;
const OTHERS = 0o077;

/**
 * Creates a data file if it is missing. Makes this file, and SQLite's files next to it, readable only by the owner,
 * because the files contain digests of tokens. SQLite creates its files with the mode of the data file.
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

/** Removes the permissions of group and others from a file that belongs to the current user. */
function keepFromOthers(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  const isOwn =
    found !== undefined && (process.getuid === undefined || [0, found.uid].includes(process.getuid()));
  if (isOwn && (found.mode & OTHERS) !== 0) chmodSync(file, found.mode & OWNER_ALONE);
}

/** Values that can be bound to a `?` in a statement. */
export type Bindable = string | number | boolean | null | Buffer;

/** A connection to SQLite: statements stay prepared, and a change is one transaction. */
export interface Database {
  /** Returns all rows of a query. The caller declares the type of a row. */
  all<Row>(sql: string, ...values: readonly Bindable[]): Row[];
  /**
   * Returns all rows of a query as `all` does, but faster for many values: SQLite returns all rows as one JSON text.
   * Does not support BLOBs.
   */
  bulk<Row>(sql: string, ...values: readonly Bindable[]): Row[];
  /** Returns the first row of a query; undefined if there is none. */
  one<Row>(sql: string, ...values: readonly Bindable[]): Row | undefined;
  /** Runs a statement that changes data. Returns the row id of the last insert, and the number of changed rows. */
  run(sql: string, ...values: readonly Bindable[]): { readonly id: number; readonly changes: number };
  /** Runs several statements without values, such as a migration. */
  script(sql: string): void;
  /** Runs a function in a transaction. A nested call is a part of the outer transaction. */
  write<Result>(work: () => Result): Result;
  /**
   * A text that changes with each change of the data, by this or another process. Cached reads are valid while the text stays the
   * same.
   */
  readonly version: string;
  /** Returns a copy of the current data. Later changes do not affect the copy. */
  copy(): Database;
  close(): void;
}

/** Runs a change and returns its result. Throws the error of `refusal` if the change violates a unique index. */
export function refuseDuplicates<Result>(change: () => Result, refusal: () => Error): Result {
  try {
    return change();
  } catch (error) {
    throw isUniqueViolation(error) ? refusal() : error;
  }
}

// Converts a value to a type that SQLite stores. Throws for any other type, because libsql would abort the process.
function toNative(value: Bindable): NativeValue {
  if (typeof value === "boolean") return value ? 1 : 0;
  if (value === null || typeof value === "string" || Buffer.isBuffer(value)) return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  throw new TypeError(`A statement was given a value that SQLite does not know: ${typeof value}`);
}

function rowOf(columns: readonly string[], fields: readonly unknown[]): Record<string, unknown> {
  const row: Record<string, unknown> = {};
  // A plain loop is used for speed, because this code runs for every row.
  for (let index = 0; index < columns.length; index += 1) row[columns[index]!] = fields[index];
  return row;
}

/** Returns the value of a key in a map. If the map has no such value, creates the value and stores it. */
function remembered<Made>(known: Map<string, Made>, key: string, make: () => Made): Made {
  let found = known.get(key);
  if (found === undefined) {
    found = make();
    known.set(key, found);
  }
  return found;
}

/**
 * Opens a database file, or a database in memory if `file` is missing.
 *
 * A file uses WAL mode with `synchronous=NORMAL`. A committed change is not lost, even if the process is killed. A
 * power failure of the machine may lose the last changes, but never makes the file inconsistent.
 */
export function openDatabase(file = ":memory:"): Database {
  if (file !== ":memory:") prepareDataFile(file);
  const native = openDriver(file);
  // A database in memory has no WAL, and ignores this statement.
  native.exec("PRAGMA journal_mode = WAL");
  native.exec("PRAGMA synchronous = NORMAL");
  native.exec("PRAGMA busy_timeout = 5000");
  return accessTo(native);
}

/**
 * Copies the data of a connection to a temporary file, and opens this copy. Only this process can open the temporary
 * file.
 */
function openCopy(native: Driver): Database {
  const folder = mkdtempSync(path.join(tmpdir(), "steward-copy-"));
  const file = path.join(folder, "data.db");
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    native.prepare("VACUUM INTO ?").run([file]);
    const copy = accessTo(openDriver(file));
    return {
      ...copy,
      get version() {
        return copy.version;
      },
      close() {
        copy.close();
        remove();
      },
    };
  } catch (problem) {
    remove();
    throw problem;
  }
}

function accessTo(native: Driver): Database {
  native.exec("PRAGMA foreign_keys = ON");
  const statements = new Map<string, Statement>();
  let isInTransaction = false;
  let changeCount = 0;

  const prepared = (sql: string) => remembered(statements, sql, () => native.prepare(sql));
  const all = <Row>(sql: string, values: readonly Bindable[]): Row[] =>
    prepared(sql).all(values.map(toNative)) as Row[];
  /** The queries that return rows as one JSON text, with the names of the columns of these rows. */
  const inJson = new Map<string, { readonly columns: readonly string[]; readonly statement: Statement }>();
  const asJson = (sql: string) =>
    remembered(inJson, sql, () => {
      const columns = native
        .prepare(sql)
        .columns()
        .map(({ name }) => name);
      const fields = columns.map((name) => `"${name}"`).join(", ");
      // The text contains arrays, because objects would repeat the names of the columns in every row.
      const text = `SELECT json_group_array(json_array(${fields})) AS rows FROM (${sql})`;
      return { columns, statement: native.prepare(text) };
    });

  return {
    all: <Row>(sql: string, ...values: readonly Bindable[]) => all<Row>(sql, values),
    bulk<Row>(sql: string, ...values: readonly Bindable[]) {
      const { columns, statement } = asJson(sql);
      // `.get()` takes half the time of `.all()`. `.get()` adds a key to the row, and this code ignores the key.
      const { rows } = statement.get(values.map(toNative)) as { rows: string };
      return (JSON.parse(rows) as unknown[][]).map((fields) => rowOf(columns, fields) as Row);
    },
    one<Row>(sql: string, ...values: readonly Bindable[]) {
      const found = prepared(sql).get(values.map(toNative)) as (Row & { _metadata?: unknown }) | undefined;
      if (found === undefined) return undefined;
      // libsql adds `_metadata` to the row.
      const { _metadata, ...row } = found;
      return row as Row;
    },
    run(sql, ...values) {
      changeCount += 1;
      const result = prepared(sql).run(values.map(toNative));
      return { id: Number(result.lastInsertRowid), changes: result.changes };
    },
    script: (sql) => void native.exec(sql),
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
    copy: () => openCopy(native),
    close() {
      statements.clear();
      inJson.clear();
      native.close();
    },
  };
}

/**
 * Values of a row by the names of their columns. The names come from the code or from a schema, and never from a
 * request.
 */
export type Columns = Readonly<Record<string, Bindable | undefined>>;

/** A row to insert: the required columns, and any other columns. Omitted columns get the defaults of the schema. */
export type NewRow<Row, Given extends keyof Row = never> = Pick<Row, Given> & {
  readonly [Column in keyof Row]?: Row[Column] | (number extends Row[Column] ? boolean : never) | undefined;
};

const given = (columns: Columns) =>
  Object.entries(columns).filter((column): column is [string, Bindable] => column[1] !== undefined);

/**
 * Inserts a row. An undefined column gets the default of the schema.
 *
 * @param conflict the treatment of a row with the same unique columns; by default, such a row is an error
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

/** Changes columns of the row with this key. Undefined columns keep their values. */
export function update(database: Database, table: string, id: number, change: Columns, key = "id"): void {
  const columns = given(change);
  if (columns.length === 0) return;
  const assignments = columns.map(([name]) => `${name} = ?`).join(", ");
  database.run(
    `UPDATE ${table} SET ${assignments} WHERE ${key} = ?`,
    ...columns.map(([, value]) => value),
    id,
  );
}

export const removeRow = (database: Database, table: string, id: number): void =>
  void database.run(`DELETE FROM ${table} WHERE id = ?`, id);

/** Returns whether a query has a row. `from` is the query from the word `FROM` on. */
export const hasRow = (database: Database, from: string, ...values: readonly Bindable[]): boolean =>
  database.one(`SELECT 1 ${from}`, ...values) !== undefined;

/** Returns the current time as the timestamp that the database columns store. */
export const now = (): string => new Date().toISOString();

/** Reads a setting from the data file. */
export function readSetting(database: Database, key: string): unknown {
  const row = database.one<{ value: string }>("SELECT value FROM settings WHERE key = ?", key);
  return row === undefined ? undefined : (JSON.parse(row.value) as unknown);
}

export function writeSetting(database: Database, key: string, value: unknown): void {
  database.run("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)", key, JSON.stringify(value));
}
