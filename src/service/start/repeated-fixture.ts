import type { FixtureInput } from "../fixture/schema";
import type { Database } from "../store/database";

/** The maximum number of cached fixtures, and the maximum length of a cached script in characters. */
const KEPT = 8;
const LONGEST = 1_000_000;

/**
 * The rows of each fixture as a script of INSERT statements; undefined for a fixture that was loaded once.
 * Test suites start a service with the same fixture for each test, and a script is much quicker than loading
 * the fixture again.
 */
const scripts = new Map<string, string | undefined>();

/**
 * Loads a fixture into a database in memory that has the schema and no rows. From the third load of a fixture in
 * this process on, the function copies the rows of the second load, with the original timestamps.
 *
 * @param load loads the fixture, and throws for an invalid fixture
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

/**
 * Returns the cache key of a fixture: fixtures with equal keys have equal rows. Undefined for the path of a file,
 * because the file may change.
 */
function keyOf(fixture: FixtureInput | string): string | undefined {
  if (typeof fixture !== "string") return JSON.stringify(fixture);
  return fixture.includes("\n") ? fixture : undefined;
}

/** Inserts the rows without checks of foreign keys, because rows refer to each other in any order. */
function insertRows(database: Database, script: string): void {
  database.script("PRAGMA foreign_keys = OFF");
  try {
    database.write(() => database.script(script));
  } finally {
    database.script("PRAGMA foreign_keys = ON");
  }
}

/** Returns all rows as INSERT statements, with the highest id of each table. */
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
