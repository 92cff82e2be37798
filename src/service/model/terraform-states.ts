import { badRequest } from "../http/errors";
import type { Database } from "../store/database";

/** Bytes of a state above which it counts as large: its reading is queued, and it is not parsed to objects. */
export const LARGE_STATE = 1_048_576;

/** A state as it was sent, and the lock of its holder. */
interface StoredState {
  readonly content: string | null;
  readonly lock: string | null;
}

export const findState = (database: Database, projectId: number, name: string): StoredState | undefined =>
  database.one<StoredState>(
    "SELECT content, lock FROM terraform_states WHERE project_id = ? AND name = ?",
    projectId,
    name,
  );

/** Writes a column of a state if a condition on the text (`?3`) holds; returns whether it did. */
const write =
  (column: keyof StoredState, condition = "1") =>
  (database: Database, projectId: number, name: string, text: string | null): boolean =>
    database.run(
      `INSERT INTO terraform_states (project_id, name, ${column}) SELECT ?1, ?2, ?3 WHERE ${condition} ` +
        `ON CONFLICT (project_id, name) DO UPDATE SET ${column} = excluded.${column}`,
      projectId,
      name,
      text,
    ).changes > 0;

const writeContent = write("content");
// SQLite validates a large text without creating an object per value.
const writeLargeContent = write("content", "json_valid(?3) AND json_type(?3) = 'object'");

/** @throws HttpError 400 for a large text that is not a JSON object, or one that is nested deeper than 1,000 levels. */
export function saveContent(database: Database, projectId: number, name: string, text: string): void {
  // Smaller ones were parsed when they came in.
  const isWritten =
    text.length <= LARGE_STATE
      ? writeContent(database, projectId, name, text)
      : // SQLite reads a text up to its first NUL.
        !text.includes("\0") && writeLargeContent(database, projectId, name, text);
  if (!isWritten) {
    throw badRequest("The body is not a JSON object, or it is large and nested deeper than 1000 levels");
  }
}

export const saveLock = write("lock");

export const removeState = (database: Database, projectId: number, name: string): void => {
  database.run("DELETE FROM terraform_states WHERE project_id = ? AND name = ?", projectId, name);
};
