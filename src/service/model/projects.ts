import type { Caller } from "../access/caller";
import { isOpenTo, LEVEL, notExpired, roleInProject, type Visibility } from "../access/roles";
import { refused } from "../http/errors";
import type { Bindable, Database } from "../store/database";
import { type Condition, loadInOrder, type Selection, where } from "../store/selection";
import { findNamespaceId, isPathTaken, splitPath } from "./groups";

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly defaultBranch: string;
  readonly archived: number;
  readonly topics: string;
  readonly starCount: number;
  readonly creatorId: number | null;
  readonly inboundEnabled: number;
  readonly outboundEnabled: number;
  readonly createdAt: string;
  readonly lastActivityAt: string;
  readonly namespaceId: number;
  readonly namespaceName: string;
  readonly namespacePath: string;
  readonly namespaceFullPath: string;
  readonly namespaceKind: "group" | "user";
  readonly namespaceParentId: number | null;
  readonly namespaceVisibility: string;
}

const PROJECTS = `SELECT p.id, p.name, p.path, p.description, p.visibility, p.default_branch AS defaultBranch, p.archived, p.topics,
    p.star_count AS starCount, p.creator_id AS creatorId, p.inbound_enabled AS inboundEnabled,
    p.outbound_enabled AS outboundEnabled, p.created_at AS createdAt, p.last_activity_at AS lastActivityAt,
    p.namespace_id AS namespaceId, n.name AS namespaceName, n.path AS namespacePath,
    n.full_path AS namespaceFullPath, n.kind AS namespaceKind, n.parent_id AS namespaceParentId,
    n.visibility AS namespaceVisibility
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id`;

export const fullPathOf = (project: Project): string => `${project.namespaceFullPath}/${project.path}`;

const findBy = (database: Database, condition: string, ...values: readonly Bindable[]) =>
  database.one<Project>(`${PROJECTS} WHERE ${condition}`, ...values);

const projectById = (database: Database, id: number): Project | undefined => findBy(database, "p.id = ?", id);

/** Finds a project by id or full path, both as text. `moved` is true if the path is a former one. */
export function findProject(
  database: Database,
  idOrPath: string,
): { readonly project: Project; readonly moved: boolean } | undefined {
  if (/^\d{1,15}$/.test(idOrPath)) {
    const project = projectById(database, Number(idOrPath));
    return project && { project, moved: false };
  }
  const { parent, last } = splitPath(idOrPath);
  if (parent === undefined) return undefined;
  const live = findBy(database, "n.full_path = ? AND p.path = ?", parent, last);
  if (live !== undefined) return { project: live, moved: false };
  const moved = findBy(database, "p.id = (SELECT project_id FROM redirects WHERE full_path = ?)", idOrPath);
  return moved && { project: moved, moved: true };
}

/** Condition for projects that a caller may see. */
export function visibleProjects(caller: Caller): Condition {
  if (caller.user === undefined) return where("p.visibility = 'public'");
  if (caller.user.isAdmin) return where("1");
  const open = caller.user.external ? "('public')" : "('public', 'internal')";
  return where(`p.visibility IN ${open} OR ${MEMBER_OF}`, ...Array<number>(4).fill(caller.user.id));
}

const MEMBER_OF = `(
  p.id IN (SELECT m.project_id FROM members m WHERE m.user_id = ? AND m.access_level >= 10 AND ${notExpired("m")})
  OR p.namespace_id IN (
    SELECT a.namespace_id FROM members m JOIN namespace_ancestors a ON a.ancestor_id = m.group_id
     WHERE m.user_id = ? AND m.access_level >= 10 AND ${notExpired("m")})
  OR p.id IN (
    SELECT s.project_id FROM members m JOIN namespace_ancestors a ON a.ancestor_id = m.group_id
      JOIN shares s ON s.group_id = a.namespace_id
     WHERE m.user_id = ? AND m.access_level >= 10 AND s.group_access >= 10 AND ${notExpired("m")} AND ${notExpired("s")})
  OR p.namespace_id IN (
    SELECT b.namespace_id FROM members m JOIN namespace_ancestors a ON a.ancestor_id = m.group_id
      JOIN shares s ON s.group_id = a.namespace_id
      JOIN namespace_ancestors b ON b.ancestor_id = s.shared_group_id
     WHERE m.user_id = ? AND m.access_level >= 10 AND s.group_access >= 10 AND ${notExpired("m")} AND ${notExpired("s")}))`;

/** Condition for projects that the user is a member of: direct, inherited or by a share. */
export const memberProjects = (userId: number): Condition =>
  where(MEMBER_OF, ...Array<number>(4).fill(userId));

export const maySeeProject = (database: Database, caller: Caller, project: Project): boolean =>
  isOpenTo(caller, project.visibility) || roleInProject(database, caller, project) >= LEVEL.guest;

export interface NewProject {
  readonly id?: number | undefined;
  readonly name: string;
  readonly path: string;
  readonly namespaceId: number;
  readonly visibility: string;
  readonly creatorId: number | null;
  readonly description?: string | undefined;
  readonly defaultBranch?: string | undefined;
  readonly topics?: readonly string[] | undefined;
  readonly archived?: boolean | undefined;
  readonly starCount?: number | undefined;
}

/** @throws HttpError 400 where the path is taken. */
export function createProject(database: Database, project: NewProject): Project {
  const now = new Date().toISOString();
  const { id } = withPathCheck(() =>
    database.run(
      "INSERT INTO projects (id, namespace_id, name, path, description, visibility, default_branch, archived, topics, " +
        "star_count, creator_id, created_at, last_activity_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      project.id ?? null,
      project.namespaceId,
      project.name,
      project.path,
      project.description ?? null,
      project.visibility,
      project.defaultBranch ?? "main",
      project.archived ?? false,
      JSON.stringify(project.topics ?? []),
      project.starCount ?? 0,
      project.creatorId,
      now,
      now,
    ),
  );
  // Every inbound allowlist holds the project itself.
  database.run("INSERT INTO allowlist_projects (project_id, target_project_id) VALUES (?, ?)", id, id);
  const created = projectById(database, id)!;
  database.run("DELETE FROM redirects WHERE full_path = ?", fullPathOf(created));
  return created;
}

function withPathCheck<Result>(change: () => Result): Result {
  try {
    return change();
  } catch (error) {
    if (isPathTaken(error)) throw refused(400, { path: ["has already been taken"] });
    throw error;
  }
}

/** Columns that `PUT /projects/:id` changes. */
export interface ProjectChange {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
  readonly description?: string | undefined;
  readonly visibility?: string | undefined;
  readonly default_branch?: string | undefined;
  readonly archived?: boolean | undefined;
  readonly topics?: string | undefined;
}

/** Changes a project; a new path leaves a redirect at the old one. */
export function updateProject(database: Database, project: Project, change: ProjectChange): Project {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  const columns = [...given, ["last_activity_at", new Date().toISOString()] as const];
  const assignments = columns.map(([column]) => `${column} = ?`).join(", ");
  const values = columns.map(([, value]) => value as Bindable);
  withPathCheck(() => database.run(`UPDATE projects SET ${assignments} WHERE id = ?`, ...values, project.id));
  const updated = projectById(database, project.id)!;
  if (updated.path !== project.path) {
    database.run(
      "INSERT OR REPLACE INTO redirects (full_path, project_id) VALUES (?, ?)",
      fullPathOf(project),
      project.id,
    );
    database.run("DELETE FROM redirects WHERE full_path = ?", fullPathOf(updated));
  }
  return updated;
}

export const deleteProject = (database: Database, id: number): void => {
  database.run("DELETE FROM projects WHERE id = ?", id);
};

/** The personal namespace of a user. */
export const ownNamespaceId = (database: Database, username: string): number =>
  findNamespaceId(database, username)!;

/** Makes the `load` of a selection whose keys are project ids. */
export const projectLoader = <Entry>(
  database: Database,
  entryOf: (project: Project) => Entry,
): Selection<Entry>["load"] => loadInOrder<Project, Entry>(database, PROJECTS, "p.id", entryOf);
