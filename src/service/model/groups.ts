import type { Caller } from "../access/caller";
import { isOpenTo, LEVEL, notExpired, type Visibility } from "../access/roles";
import { refused } from "../http/errors";
import type { Bindable, Database } from "../store/database";
import { type Condition, loadInOrder, type Selection, where } from "../store/selection";

export interface Group {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly fullPath: string;
  readonly parentId: number | null;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly createdAt: string;
}

const COLUMNS =
  "n.id, n.name, n.path, n.full_path AS fullPath, n.parent_id AS parentId, n.description, n.visibility, " +
  "n.created_at AS createdAt";

/** Finds a group by id or full path, both as text. */
export function findGroup(database: Database, idOrPath: string): Group | undefined {
  const by = (condition: string, value: Bindable) =>
    database.one<Group>(`SELECT ${COLUMNS} FROM namespaces n WHERE n.kind = 'group' AND ${condition}`, value);
  return /^\d{1,15}$/.test(idOrPath) ? by("n.id = ?", Number(idOrPath)) : by("n.full_path = ?", idOrPath);
}

/** Condition for groups that a caller may see: by visibility, membership (also above or below), or share. */
export function visibleGroups(caller: Caller): Condition {
  if (caller.user === undefined) return where("n.visibility = 'public'");
  if (caller.user.isAdmin) return where("1");
  const open = caller.user.external ? "('public')" : "('public', 'internal')";
  const id = caller.user.id;
  const counts = `m.access_level >= ${LEVEL.minimal} AND ${notExpired("m")}`;
  return where(
    `n.visibility IN ${open}
     OR EXISTS (SELECT 1 FROM namespace_ancestors a JOIN members m ON m.group_id = a.ancestor_id
                 WHERE a.namespace_id = n.id AND m.user_id = ? AND ${counts})
     OR EXISTS (SELECT 1 FROM members m JOIN namespace_ancestors a ON a.namespace_id = m.group_id
                 WHERE a.ancestor_id = n.id AND m.user_id = ? AND ${counts})
     OR EXISTS (SELECT 1 FROM members m JOIN projects p ON p.id = m.project_id
                  JOIN namespace_ancestors a ON a.namespace_id = p.namespace_id
                 WHERE a.ancestor_id = n.id AND m.user_id = ? AND ${counts})
     OR EXISTS (SELECT 1 FROM namespace_ancestors a JOIN shares s ON s.shared_group_id = a.ancestor_id
                  JOIN namespace_ancestors g ON g.namespace_id = s.group_id
                  JOIN members m ON m.group_id = g.ancestor_id
                 WHERE a.namespace_id = n.id AND m.user_id = ? AND ${counts}
                   AND s.group_access >= ${LEVEL.minimal} AND ${notExpired("s")})`,
    id,
    id,
    id,
    id,
  );
}

/** Condition for groups in which a user has at least this role, as a member of the group or of one above it. */
export const groupsWithRole = (userId: number, level: number): Condition =>
  where(
    `EXISTS (SELECT 1 FROM namespace_ancestors a JOIN members m ON m.group_id = a.ancestor_id
              WHERE a.namespace_id = n.id AND m.user_id = ? AND m.access_level >= ? AND ${notExpired("m")})`,
    userId,
    level,
  );

/** Condition for the subgroups of a group, of all levels. */
export const descendantsOf = (groupId: number): Condition =>
  where(
    "n.id <> ? AND n.id IN (SELECT namespace_id FROM namespace_ancestors WHERE ancestor_id = ?)",
    groupId,
    groupId,
  );

export function maySeeGroup(database: Database, caller: Caller, group: Group): boolean {
  if (isOpenTo(caller, group.visibility)) return true;
  const visible = visibleGroups(caller);
  const sql = `SELECT 1 AS found FROM namespaces n WHERE n.id = ? AND (${visible.sql})`;
  return database.one<{ found: number }>(sql, group.id, ...visible.values) !== undefined;
}

export interface NewGroup {
  readonly id?: number | undefined;
  readonly name: string;
  readonly path: string;
  readonly parent: Group | undefined;
  readonly visibility: string;
  readonly description?: string | undefined;
}

/** @throws HttpError 400 where the path is taken. */
export function createGroup(database: Database, group: NewGroup): Group {
  const fullPath = group.parent === undefined ? group.path : `${group.parent.fullPath}/${group.path}`;
  const id = insertNamespace(database, { ...group, kind: "group", fullPath });
  return findGroup(database, String(id))!;
}

/** Inserts a group, or the personal namespace of a user. */
export function insertNamespace(
  database: Database,
  namespace: {
    readonly id?: number | undefined;
    readonly kind: "group" | "user";
    readonly name: string;
    readonly path: string;
    readonly fullPath: string;
    readonly parent?: { readonly id: number } | undefined;
    readonly visibility: string;
    readonly description?: string | undefined;
  },
): number {
  const parentId = namespace.parent?.id ?? null;
  try {
    const { id } = database.run(
      "INSERT INTO namespaces (id, kind, name, path, full_path, parent_id, description, visibility, created_at) " +
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      namespace.id ?? null,
      namespace.kind,
      namespace.name,
      namespace.path,
      namespace.fullPath,
      parentId,
      namespace.description ?? null,
      namespace.visibility,
      new Date().toISOString(),
    );
    database.run(
      "INSERT INTO namespace_ancestors (namespace_id, ancestor_id) " +
        "SELECT ?1, ?1 UNION SELECT ?1, ancestor_id FROM namespace_ancestors WHERE namespace_id = ?2",
      id,
      parentId,
    );
    return id;
  } catch (error) {
    if (isPathTaken(error)) throw refused(400, { path: ["has already been taken"] });
    throw error;
  }
}

/** Whether a change failed because another group or project has the path. */
export const isPathTaken = (error: unknown): boolean =>
  error instanceof Error && /namespaces\.full_path|projects\.path|path taken by a/.test(error.message);

/** Selects groups, sorted by name. */
export function selectGroups(database: Database, conditions: readonly Condition[]): Selection<Group> {
  return {
    key: "n.id",
    from: "namespaces n",
    where: [where("n.kind = 'group'"), ...conditions],
    order: ["n.name"],
    load: loadInOrder<Group, Group>(database, `SELECT ${COLUMNS} FROM namespaces n`, "n.id"),
  };
}

export const deleteGroup = (database: Database, id: number): void => {
  database.run("DELETE FROM namespaces WHERE id = ?", id);
};

/** A namespace's row id by its full path, of a group or a user. */
export const findNamespaceId = (database: Database, fullPath: string): number | undefined =>
  database.one<{ id: number }>("SELECT id FROM namespaces WHERE full_path = ?", fullPath)?.id;

/** Splits `acme/platform/web` into `acme/platform` and `web`. */
export function splitPath(fullPath: string): { readonly parent: string | undefined; readonly last: string } {
  const slash = fullPath.lastIndexOf("/");
  return slash < 0
    ? { parent: undefined, last: fullPath }
    : { parent: fullPath.slice(0, slash), last: fullPath.slice(slash + 1) };
}

/** Valid path segments of groups, projects and users. */
export const PATH_PATTERN = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** Derives a path from a name. */
export const pathFromName = (name: string): string =>
  name
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9_.-]+/g, "-")
    .replace(/^[-.]+|[-.]+$/g, "")
    .toLowerCase();
