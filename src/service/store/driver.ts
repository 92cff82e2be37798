import { isSea } from "node:sea";

/** Values that SQLite stores. */
export type NativeValue = string | number | null | Buffer;

/** A prepared statement. */
export interface Statement {
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
export const openDriver = (file: string): Driver => (isSea() ? openOfNode(file) : openLibsql(file));

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
