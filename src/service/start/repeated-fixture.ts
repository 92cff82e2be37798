import type { FixtureInput } from "../fixture/schema";
import type { Database } from "../store/database";

/** How many fixtures are kept, and how long a script may be, in characters. */
const KEPT = 8;
const LONGEST = 1_000_000;

/**
 * The rows of fixtures as scripts of INSERT statements, by fixture; undefined for a fixture that was loaded once. Test suites start
 * a service with the same fixture for each test. A script takes a small part of the time of loading the fixture.
 */
const scripts = new Map<string, string | undefined>();

/**
 * Loads a fixture into a database in memory, which has the schema and no rows. A fixture that was loaded twice in this process is
 * copied row by row from then on, with the moments at which it was loaded.
 *
 * @param load loads the fixture; an exception, for an invalid fixture, passes through
 */
export function loadRepeated(database: Database, fixture: FixtureInput | string, load: () => void): void {
  const key = keyOf(fixture);
  const script = key === undefined ? undefined : scripts.get(key);
  if (script !== undefined) {
    insertRows(database, script);
    return;
  }
  load();
  if (key === undefined) return;
  const isRepeated = scripts.has(key);
  scripts.delete(key);
  const rows = isRepeated ? scriptOf(database) : undefined;
  if (rows !== undefined && rows.length > LONGEST) return;
  scripts.set(key, rows);
  if (scripts.size > KEPT) scripts.delete(scripts.keys().next().value!);
}

/** A text that determines the rows; undefined for the path of a file, which may change. */
function keyOf(fixture: FixtureInput | string): string | undefined {
  if (typeof fixture !== "string") return JSON.stringify(fixture);
  return fixture.includes("\n") ? fixture : undefined;
}

/** Rows refer to each other in any order. */
function insertRows(database: Database, script: string): void {
  database.script("PRAGMA foreign_keys = OFF");
  try {
    database.write(() => database.script(script));
  } finally {
    database.script("PRAGMA foreign_keys = ON");
  }
}

/** All rows as INSERT statements, and the ids that each table used. */
function scriptOf(database: Database): string {
  const tables = database
    .all<{ name: string }>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .map(({ name }) => name);
  return [
    "DELETE FROM sqlite_sequence;",
    ...[...tables, "sqlite_sequence"].map((one) => rowsOf(database, one)),
  ].join("\n");
}

function rowsOf(database: Database, table: string): string {
  const columns = database
    .all<{ name: string }>("SELECT name FROM pragma_table_info(?)", table)
    .map(({ name }) => `"${name}"`);
  const quoted = columns.map((column) => `quote(${column})`).join(" || ',' || ");
  const rows = database.all<{ row: string }>(`SELECT ${quoted} AS row FROM "${table}"`);
  if (rows.length === 0) return "";
  return `INSERT INTO "${table}" (${columns.join(", ")}) VALUES\n(${rows.map(({ row }) => row).join("),\n(")});`;
}
