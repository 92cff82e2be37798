import { z } from "zod";
import type { Caller } from "../access/caller";
import { notExpired, userRoleInGroup, userRoleOfProject, VISIBILITIES } from "../access/roles";
import { recordOf } from "../http/parameters";
import { visibleGroups } from "../model/groups";
import { fullPathOf, type Project } from "../model/projects";
import type { Database } from "../store/database";

export const sharedGroup = z.object({
  group_id: z.int(),
  group_name: z.string(),
  group_full_path: z.string(),
  group_access_level: z.int(),
  expires_at: z.string().nullable(),
});

/** The groups that a project or group is directly shared with, oldest first: those that the caller may see. */
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

/** A fixture may give paths that a URL has to encode. */
const encoded = (fullPath: string): string => fullPath.split("/").map(encodeURIComponent).join("/");

/** URL of the web page of a project or user. */
export const webAddress = (origin: string, fullPath: string): string => `${origin}/${encoded(fullPath)}`;

export const groupWebAddress = (origin: string, fullPath: string): string =>
  `${origin}/groups/${encoded(fullPath)}`;

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

/** The fields of a project that its row does not have by the same name. */
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

/** The roles that a user has in a project: by the project itself, and inherited from the groups above. */
export const permissionsOf = (database: Database, userId: number, project: Project) => ({
  project_access: held(userRoleOfProject(database, userId, project.id)),
  group_access: held(userRoleInGroup(database, userId, project.namespace_id)),
});

/** The whole project record, as `GET /projects/:id` gives it. */
export const projectRecord = limitedProject
  .extend({
    visibility: z.enum(VISIBILITIES),
    archived: z.boolean(),
    creator_id: z.int().nullable(),
    shared_with_groups: z.array(sharedGroup).optional(),
    permissions: z.object({ project_access: heldRole, group_access: heldRole }).optional(),
  })
  .meta({ id: "Project" });

const recordOfProject = recordOf(projectRecord);

export const toProject = (project: Project, origin: string) =>
  recordOfProject({ ...project, ...fieldsOf(project, origin) });
