import { openDatabase } from "../../src/service/store/database";

/**
 * Writes projects to a data file, and adds all of them to the allowlist of the first project. The function writes to
 * the database directly, because the API would take minutes.
 */
export function fillAllowlist(data: string, entries: number): void {
  const database = openDatabase(data);
  database.write(() => {
    database.run(
      "INSERT INTO namespaces (id, kind, name, path, full_path, visibility, created_at) VALUES (1000, 'group', 'Bench', 'bench', 'bench', 'private', '2026-01-01T00:00:00.000Z')",
    );
    database.run("INSERT INTO namespace_ancestors (namespace_id, ancestor_id) VALUES (1000, 1000)");
    for (let id = 1; id <= entries + 1; id += 1) {
      database.run(
        "INSERT INTO projects (id, namespace_id, name, path, created_at, last_activity_at) VALUES (?, 1000, ?, ?, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z')",
        id,
        `Project ${id}`,
        `project-${id}`,
      );
      database.run("INSERT INTO allowlist_projects (project_id, target_project_id) VALUES (1, ?)", id);
    }
  });
  database.close();
}
