import type { Database } from "./database";
import { FIRST_SCHEMA } from "./schema-1";
import { SECOND_SCHEMA } from "./schema-2";
import { THIRD_SCHEMA } from "./schema-3";

/** Each entry migrates the schema to the next version. Released entries never change. */
const MIGRATIONS: readonly string[] = [FIRST_SCHEMA, SECOND_SCHEMA, THIRD_SCHEMA];

/**
 * Migrates a database to the schema of this release, one transaction per step. The version is SQLite's `user_version`.
 *
 * @throws Error if a newer release wrote the file.
 */
export function migrate(database: Database): void {
  const row = database.one<{ user_version: number }>("PRAGMA user_version");
  const version = row?.user_version ?? 0;
  if (version > MIGRATIONS.length) {
    throw new Error(
      `The data file has schema version ${version}, this release knows up to ${MIGRATIONS.length}. ` +
        "It was written by a newer release: use that one, or start with another file.",
    );
  }
  MIGRATIONS.slice(version).forEach((script, index) => {
    database.write(() => {
      database.script(script);
      database.script(`PRAGMA user_version = ${version + index + 1}`);
    });
  });
}
