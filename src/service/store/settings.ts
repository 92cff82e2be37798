import type { Database } from "./database";

/** Reads a setting from the data file. */
export function readSetting(database: Database, key: string): unknown {
  const row = database.one<{ value: string }>("SELECT value FROM settings WHERE key = ?", key);
  return row === undefined ? undefined : (JSON.parse(row.value) as unknown);
}

export function writeSetting(database: Database, key: string, value: unknown): void {
  database.run("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)", key, JSON.stringify(value));
}
