import type { Caller } from "../access/caller";
import { isOpenTo, LEVEL, notExpired, type Visibility } from "../access/roles";
import { refused } from "../http/errors";
import { type Bindable, type Database, hasRow, insert, type NewRow, now } from "../store/database";
import { type Condition, loadInOrder, type Selection, where } from "../store/selection";

export interface Group {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly full_path: string;
  readonly parent_id: number | null;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly created_at: string;
}

/** Returns whether a text is the id of a record. Any other text is the path of a record. */
export const isId = (text: string): boolean => /^\d{1,15}$/.test(text);

/** Returns the group with an id or a full path; undefined if there is no such group. */
export function findGroup(database: Database, idOrPath: number | string): Group | undefined {
  const by = (column: string, value: Bindable) =>
    database.one<Group>(`SELECT * FROM namespaces WHERE kind = 'group' AND ${column} = ?`, value);
  const text = String(idOrPath);
  return isId(text) ? by("id", Number(text)) : by("full_path", text);
}

/** Returns the group with an id or a full path; undefined if the caller may not see such a group. */
export function findSeenGroup(
  database: Database,
  caller: Caller,
  idOrPath: number | string,
): Group | undefined {
  const group = findGroup(database, idOrPath);
  return group !== undefined && canSeeGroup(database, caller, group) ? group : undefined;
}

/**
 * Returns the condition for groups that a caller may see because of the group's visibility or of a share. A member
 * of a group also sees the groups above and below this group.
 */
export function visibleGroups(caller: Caller): Condition {
  if (caller.user === undefined) return where("n.visibility = 'public'");
  if (caller.user.is_admin === 1) return where("1");
  const open = caller.user.external === 1 ? "('public')" : "('public', 'internal')";
  const { id } = caller.user;
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

/**
 * Returns the condition for groups in which a user has at least this role. A member of a group has the same role in
 * its subgroups.
 */
export const groupsWithRole = (userId: number, level: number): Condition =>
  where(
    `EXISTS (SELECT 1 FROM namespace_ancestors a JOIN members m ON m.group_id = a.ancestor_id
              WHERE a.namespace_id = n.id AND m.user_id = ? AND m.access_level >= ? AND ${notExpired("m")})`,
    userId,
    level,
  );

/** Returns the condition for all direct and indirect subgroups of a group. */
export const descendantsOf = (groupId: number): Condition =>
  where(
    "n.id <> ? AND n.id IN (SELECT namespace_id FROM namespace_ancestors WHERE ancestor_id = ?)",
    groupId,
    groupId,
  );

export function canSeeGroup(database: Database, caller: Caller, group: Group): boolean {
  if (isOpenTo(caller, group.visibility)) return true;
  const visible = visibleGroups(caller);
  return hasRow(
    database,
    `FROM namespaces n WHERE n.id = ? AND (${visible.sql})`,
    group.id,
    ...visible.values,
  );
}

type NewNamespace = NewRow<Omit<Group, "full_path" | "parent_id">, "name" | "path" | "visibility">;

/** Creates a group. @throws HttpError 400 if another group or project already has this path */
export function createGroup(database: Database, group: NewNamespace, parent: Group | undefined): Group {
  const full_path = parent === undefined ? group.path : `${parent.full_path}/${group.path}`;
  return findGroup(database, insertNamespace(database, { ...group, kind: "group", full_path }, parent?.id))!;
}

/** Inserts a group, or the personal namespace of a user. */
export function insertNamespace(
  database: Database,
  namespace: NewNamespace & { readonly kind: "group" | "user"; readonly full_path: string },
  parentId?: number,
): number {
  return withPathCheck(() => {
    const row = { ...namespace, parent_id: parentId, created_at: now() };
    const id = insert(database, "namespaces", row);
    database.run(
      "INSERT INTO namespace_ancestors (namespace_id, ancestor_id) " +
        "SELECT ?1, ?1 UNION SELECT ?1, ancestor_id FROM namespace_ancestors WHERE namespace_id = ?2",
      id,
      parentId ?? null,
    );
    return id;
  });
}

const PATH_TAKEN = /namespaces\.full_path|projects\.path|path taken by a/;

/** Runs a change and returns its result. @throws HttpError 400 if another group or project already has the path */
export function withPathCheck<Result>(change: () => Result): Result {
  try {
    return change();
  } catch (error) {
    if (error instanceof Error && PATH_TAKEN.test(error.message))
      throw refused(400, { path: ["has already been taken"] });
    throw error;
  }
}

/** Selects groups, sorted by name. */
export const selectGroups = <Entry>(
  database: Database,
  conditions: readonly Condition[],
  entryOf: (group: Group) => Entry,
): Selection<Entry> => ({
  key: "n.id",
  from: "namespaces n",
  where: [where("n.kind = 'group'"), ...conditions],
  order: ["n.name"],
  load: loadInOrder(database, "SELECT * FROM namespaces", "id", entryOf),
});

/** Returns the id of the namespace with this full path, if any. A namespace belongs to a group or a user. */
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

/** Encodes a path for a URL. The paths in a fixture may contain characters that a URL must encode. */
const encoded = (fullPath: string): string => fullPath.split("/").map(encodeURIComponent).join("/");

/** Returns the URL of the web page of a project or user. */
export const webAddress = (origin: string, fullPath: string): string => `${origin}/${encoded(fullPath)}`;

export const groupWebAddress = (origin: string, fullPath: string): string =>
  `${origin}/groups/${encoded(fullPath)}`;
