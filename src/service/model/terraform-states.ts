import type { Database } from "../store/database";

/** A state as it was sent, and the lock of whoever works on it. */
interface KeptState {
  readonly content: string | null;
  readonly lock: string | null;
}

export const findState = (database: Database, projectId: number, name: string): KeptState | undefined =>
  database.one<KeptState>(
    "SELECT content, lock FROM terraform_states WHERE project_id = ? AND name = ?",
    projectId,
    name,
  );

const keep =
  (column: keyof KeptState) =>
  (database: Database, projectId: number, name: string, text: string | null): void => {
    database.run(
      `INSERT INTO terraform_states (project_id, name, ${column}) VALUES (?, ?, ?) ` +
        `ON CONFLICT (project_id, name) DO UPDATE SET ${column} = excluded.${column}`,
      projectId,
      name,
      text,
    );
  };

export const keepContent = keep("content");
export const keepLock = keep("lock");

export const removeState = (database: Database, projectId: number, name: string): void => {
  database.run("DELETE FROM terraform_states WHERE project_id = ? AND name = ?", projectId, name);
};
