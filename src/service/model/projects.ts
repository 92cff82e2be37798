import { z } from "zod";
import type { Caller } from "../access/caller";
import {
  isOpenTo,
  LEVEL,
  notExpired,
  roleIn,
  userRoleInGroup,
  userRoleOfProject,
  VISIBILITIES,
  type Visibility,
} from "../access/roles";
import { recordOf } from "../http/parameters";
import { applicationSetting } from "../store/application-settings";
import {
  type Bindable,
  type Columns,
  type Database,
  insert,
  type NewRow,
  now,
  update,
} from "../store/database";
import { type Condition, loadInOrder, type Selection, where } from "../store/selection";
import { isId, splitPath, visibleGroups, webAddress, withPathCheck } from "./groups";

export interface Project {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly description: string | null;
  readonly visibility: Visibility;
  readonly default_branch: string;
  readonly archived: number;
  /**
   * The day on which a user deleted the project. The service removes the project some days later. Null for a project that is
   * not deleted.
   */
  readonly marked_for_deletion_on: string | null;
  /** The topics of the project, as a JSON array. */
  readonly topics: string;
  readonly star_count: number;
  readonly creator_id: number | null;
  readonly inbound_enabled: number;
  readonly outbound_enabled: number;
  readonly created_at: string;
  readonly last_activity_at: string;
  readonly namespace_id: number;
  readonly namespace_name: string;
  readonly namespace_path: string;
  readonly namespace_full_path: string;
  readonly namespace_kind: "group" | "user";
  readonly namespace_parent_id: number | null;
  readonly namespace_visibility: Visibility;
}

const PROJECTS = `SELECT p.*, n.name AS namespace_name, n.path AS namespace_path, n.full_path AS namespace_full_path,
    n.kind AS namespace_kind, n.parent_id AS namespace_parent_id, n.visibility AS namespace_visibility
  FROM projects p JOIN namespaces n ON n.id = p.namespace_id`;

export const fullPathOf = (project: Project): string => `${project.namespace_full_path}/${project.path}`;

const findBy = (database: Database, condition: string, ...values: readonly Bindable[]) =>
  database.one<Project>(`${PROJECTS} WHERE ${condition}`, ...values);

const projectById = (database: Database, id: number): Project | undefined => findBy(database, "p.id = ?", id);

/** Returns the project with an id or a full path. `isMoved` is true if the path is a former path of the project. */
export function findProject(
  database: Database,
  idOrPath: number | string,
): { readonly project: Project; readonly isMoved: boolean } | undefined {
  const text = String(idOrPath);
  if (isId(text)) {
    const project = projectById(database, Number(text));
    return project && { project, isMoved: false };
  }
  const { parent, last } = splitPath(text);
  if (parent === undefined) return undefined;
  const live = findBy(database, "n.full_path = ? AND p.path = ?", parent, last);
  if (live !== undefined) return { project: live, isMoved: false };
  const moved = findBy(database, "p.id = (SELECT project_id FROM redirects WHERE full_path = ?)", text);
  return moved && { project: moved, isMoved: true };
}

/** Returns the project with an id or a full path; undefined if the caller may not see such a project. */
export function findSeenProject(
  database: Database,
  caller: Caller,
  idOrPath: number | string,
): ReturnType<typeof findProject> {
  const known = findProject(database, idOrPath);
  return known !== undefined && canSeeProject(database, caller, known.project) ? known : undefined;
}

/** Returns the condition for projects that a caller may see. */
export function visibleProjects(caller: Caller): Condition {
  if (caller.user === undefined) return where("p.visibility = 'public'");
  if (caller.user.is_admin === 1) return where("1");
  const open = caller.user.external === 1 ? "('public')" : "('public', 'internal')";
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

/** Returns the condition for projects that have the user as a member: directly, by inheritance or by a share. */
export const memberProjects = (userId: number): Condition =>
  where(MEMBER_OF, ...Array<number>(4).fill(userId));

const canSeeProject = (database: Database, caller: Caller, project: Project): boolean =>
  isOpenTo(caller, project.visibility) || roleIn(database, caller, project) >= LEVEL.guest;

type OwnColumns = Omit<Project, "topics" | `namespace_${string}`> & Pick<Project, "namespace_id">;

export type NewProject = NewRow<OwnColumns, "name" | "path" | "namespace_id" | "visibility"> & {
  readonly topics?: readonly string[] | undefined;
};

/** Creates a project. @throws HttpError 400 if another group or project already has this path */
export function createProject(database: Database, project: NewProject): Project {
  const at = now();
  const topics = project.topics && JSON.stringify(project.topics);
  const columns = { ...project, topics, created_at: at, last_activity_at: at };
  const id = withPathCheck(() => insert(database, "projects", columns));
  // Every inbound allowlist contains the project itself.
  insert(database, "allowlist_projects", { project_id: id, target_project_id: id });
  const created = projectById(database, id)!;
  database.run("DELETE FROM redirects WHERE full_path = ?", fullPathOf(created));
  return created;
}

/** Fields that `PUT /projects/:id` changes. */
export type ProjectChange = { readonly [Name in keyof NewProject]?: NewProject[Name] | undefined };

/** Changes a project. If the path changes, the previous path redirects to the project. */
export function updateProject(database: Database, project: Project, change: ProjectChange): Project {
  const topics = change.topics && JSON.stringify(change.topics);
  const columns = { ...change, topics, last_activity_at: now() };
  return moveProject(database, project, columns, { isRedirected: true });
}

/**
 * Changes columns of a project. The previous full path then either redirects to the project, or is free for another
 * project.
 */
function moveProject(
  database: Database,
  project: Project,
  columns: Columns,
  { isRedirected }: { readonly isRedirected: boolean },
): Project {
  withPathCheck(() => update(database, "projects", project.id, columns));
  const moved = projectById(database, project.id)!;
  const [from, to] = [fullPathOf(project), fullPathOf(moved)];
  if (from === to) return moved;
  const redirect = { full_path: from, project_id: project.id };
  if (isRedirected) insert(database, "redirects", redirect, "OR REPLACE ");
  database.run("DELETE FROM redirects WHERE full_path = ?", to);
  return moved;
}

/**
 * Moves a project to a group or to a user's namespace; the old path redirects.
 *
 * @throws HttpError 400 if another group or project has the path there
 */
export const transferProject = (database: Database, project: Project, namespaceId: number): Project =>
  // The columns contain the path, so that the trigger compares it with the groups of the new namespace.
  moveProject(
    database,
    project,
    { namespace_id: namespaceId, path: project.path, last_activity_at: now() },
    { isRedirected: true },
  );

/** Marks a project for deletion and renames the project. The old path is then free and does not redirect. */
export function scheduleDeletion(database: Database, project: Project): void {
  const suffix = deletionSuffix(project);
  const columns = {
    name: `${project.name}${suffix}`,
    path: `${project.path}${suffix}`,
    marked_for_deletion_on: now().slice(0, 10),
  };
  moveProject(database, project, columns, { isRedirected: false });
}

/**
 * Undoes `scheduleDeletion`.
 *
 * @throws HttpError 400 if another project or group has the path now.
 */
export function restoreProject(database: Database, project: Project): Project {
  const suffix = deletionSuffix(project);
  const without = (text: string) => (text.endsWith(suffix) ? text.slice(0, -suffix.length) : text);
  const columns = {
    name: without(project.name),
    path: without(project.path),
    marked_for_deletion_on: null,
  };
  return moveProject(database, project, columns, { isRedirected: false });
}

const deletionSuffix = ({ id }: Project): string => `-deletion_scheduled-${id}`;

/** Removes the deleted projects whose delay before the removal is over. */
export function removeDueProjects(database: Database): void {
  const days = applicationSetting(database, "deletion_adjourned_period");
  database.run(
    "DELETE FROM projects WHERE marked_for_deletion_on IS NOT NULL AND date(marked_for_deletion_on, ?) <= date('now')",
    `+${days} days`,
  );
}

/** Creates the `load` function of a selection whose keys are project ids. */
export const projectLoader = <Entry>(
  database: Database,
  entryOf: (project: Project) => Entry,
): Selection<Entry>["load"] => loadInOrder(database, PROJECTS, "p.id", entryOf);

export const sharedGroup = z.object({
  group_id: z.int(),
  group_name: z.string(),
  group_full_path: z.string(),
  group_access_level: z.int(),
  expires_at: z.string().nullable(),
});

/**
 * Returns the groups with which a project or group is directly shared, oldest first. Groups that the caller may not
 * see are left out.
 */
export function sharedGroupsOf(
  database: Database,
  caller: Caller,
  column: "project_id" | "shared_group_id",
  sharedId: number,
): z.output<typeof sharedGroup>[] {
  const visible = visibleGroups(caller);
  return database.all(
    `SELECT n.id AS group_id, n.name AS group_name, n.full_path AS group_full_path,
       s.group_access AS group_access_level, substr(s.expires_at, 1, 10) AS expires_at
     FROM shares s JOIN namespaces n ON n.id = s.group_id
     WHERE s.${column} = ? AND ${notExpired("s")} AND (${visible.sql}) ORDER BY s.rowid`,
    sharedId,
    ...visible.values,
  );
}

const namespaceRecord = z.object({
  id: z.int(),
  name: z.string(),
  path: z.string(),
  kind: z.string(),
  full_path: z.string(),
  parent_id: z.int().nullable(),
  avatar_url: z.string().nullable(),
  web_url: z.string(),
});

/** Limited project record (specification, Allowlist entry for a project). */
export const limitedProject = z
  .object({
    id: z.int(),
    description: z.string().nullable(),
    name: z.string(),
    name_with_namespace: z.string(),
    path: z.string(),
    path_with_namespace: z.string(),
    created_at: z.iso.datetime(),
    default_branch: z.string(),
    tag_list: z.array(z.string()),
    topics: z.array(z.string()),
    ssh_url_to_repo: z.string(),
    http_url_to_repo: z.string(),
    web_url: z.string(),
    avatar_url: z.string().nullable(),
    star_count: z.int(),
    last_activity_at: z.iso.datetime(),
    namespace: namespaceRecord,
  })
  .meta({ id: "LimitedProject" });

const sshOrigin = (origin: string): string =>
  origin.replace(/^https?:\/\//, "ssh://git@").replace(/:\d+$/, "");

/** Returns the fields of a project's record for which the database row has no column with the field's name. */
function fieldsOf(project: Project, origin: string) {
  const fullPath = fullPathOf(project);
  const webUrl = webAddress(origin, fullPath);
  const topics = JSON.parse(project.topics) as string[];
  return {
    name_with_namespace: `${project.namespace_name} / ${project.name}`,
    path_with_namespace: fullPath,
    tag_list: topics,
    topics,
    ssh_url_to_repo: `${sshOrigin(origin)}/${fullPath}.git`,
    http_url_to_repo: `${webUrl}.git`,
    web_url: webUrl,
    avatar_url: null,
    namespace: {
      id: project.namespace_id,
      name: project.namespace_name,
      path: project.namespace_path,
      kind: project.namespace_kind,
      full_path: project.namespace_full_path,
      parent_id: project.namespace_parent_id,
      avatar_url: null,
      web_url: webAddress(origin, project.namespace_full_path),
    },
  };
}

const recordOfLimited = recordOf(limitedProject);

export const toLimitedProject = (project: Project, origin: string) =>
  recordOfLimited({ ...project, ...fieldsOf(project, origin) });

const heldRole = z.object({ access_level: z.int(), notification_level: z.int() }).nullable();

const held = (level: number): z.output<typeof heldRole> =>
  level > 0 ? { access_level: level, notification_level: 3 } : null;

/** Returns the roles of a user in a project: the role from the project itself, and the role inherited from the groups above. */
export const permissionsOf = (database: Database, userId: number, project: Project) => ({
  project_access: held(userRoleOfProject(database, userId, project.id)),
  group_access: held(userRoleInGroup(database, userId, project.namespace_id)),
});

/** The whole project record of `GET /projects/:id`. */
export const projectRecord = limitedProject
  .extend({
    visibility: z.enum(VISIBILITIES),
    archived: z.boolean(),
    marked_for_deletion_on: z.string().nullable(),
    creator_id: z.int().nullable(),
    shared_with_groups: z.array(sharedGroup).optional(),
    permissions: z.object({ project_access: heldRole, group_access: heldRole }).optional(),
  })
  .meta({ id: "Project" });

const recordOfProject = recordOf(projectRecord);

export const toProject = (project: Project, origin: string) =>
  recordOfProject({ ...project, ...fieldsOf(project, origin) });
