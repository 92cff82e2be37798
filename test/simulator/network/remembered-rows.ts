import type { Bindable, Database } from "../../../src/service/store/database";

type Rows = readonly unknown[];

const WRITE = /^\s*(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|UPDATE(?: OR \w+)?|DELETE FROM)\s+"?(\w+)/i;

/** A database that knows which of its tables were written. */
export interface WatchedDatabase extends Database {
  /** Returns the tables that were written since the last call, and the tables whose rows refer to them. */
  takeWritten(): ReadonlySet<string>;
}

/**
 * Wraps a database. The result keeps the rows of each query in memory until a table in the query is written. Keeping
 * the rows saves time, because a story's requests repeat the same queries for tokens, projects and roles.
 */
export function rememberRows(database: Database): WatchedDatabase {
  const known = new Map<string, Map<string, Rows>>();
  const queriesOf = new Map<string, Set<string>>();
  const affectedBy = tablesByOrigin(database);
  let changes = 0;
  let written = new Set<string>();

  const forget = (table: string | undefined): void => {
    changes += 1;
    const tables = table === undefined ? [...affectedBy.keys()] : (affectedBy.get(table) ?? [table]);
    for (const one of tables) written.add(one);
    for (const one of tables) for (const query of queriesOf.get(one) ?? []) known.get(query)!.clear();
  };
  const rowsOf = (query: string): Map<string, Rows> => {
    const found = known.get(query) ?? new Map<string, Rows>();
    if (known.has(query)) return found;
    known.set(query, found);
    for (const table of affectedBy.keys()) {
      if (!new RegExp(`\\b${table}\\b`).test(query)) continue;
      queriesOf.set(table, (queriesOf.get(table) ?? new Set()).add(query));
    }
    return found;
  };
  const remembered = (read: () => Rows, query: string, values: readonly Bindable[]): unknown[] => {
    const rows = rowsOf(query);
    const key = JSON.stringify(values);
    const found = rows.get(key) ?? read().map((row) => Object.freeze(row));
    rows.set(key, found);
    return [...found];
  };

  const all = <Row>(query: string, ...values: readonly Bindable[]): Row[] =>
    remembered(() => database.all<Row>(query, ...values), query, values) as Row[];
  return {
    all,
    bulk: <Row>(query: string, ...values: readonly Bindable[]) => all<Row>(query, ...values),
    one: <Row>(query: string, ...values: readonly Bindable[]) => all<Row>(query, ...values)[0],
    run(query, ...values) {
      forget(WRITE.exec(query)?.[1]);
      return database.run(query, ...values);
    },
    script(text) {
      forget(undefined);
      database.script(text);
    },
    write(work) {
      try {
        return database.write(work);
      } catch (problem) {
        forget(undefined);
        throw problem;
      }
    },
    get version() {
      return String(changes);
    },
    takeWritten() {
      const taken = written;
      written = new Set();
      return taken;
    },
    copy: () => database.copy(),
    close: () => database.close(),
  };
}

/**
 * Returns, for each table, the tables whose rows may change with a write to it. These are the table itself and all
 * tables with references to it, because the delete of a row also deletes rows that refer to it.
 */
function tablesByOrigin(database: Database): Map<string, readonly string[]> {
  const tables = database.all<{ name: string; sql: string }>(
    "SELECT name, sql FROM sqlite_master WHERE type = 'table'",
  );
  const found = new Map<string, readonly string[]>();
  for (const { name } of tables) {
    const affected = new Set([name]);
    for (const one of affected)
      for (const other of tables)
        if (new RegExp(`REFERENCES "?${one}\\b`).test(other.sql)) affected.add(other.name);
    found.set(name, [...affected]);
  }
  return found;
}
