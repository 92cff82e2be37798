import { forbidden } from "../http/errors";
import type { Database } from "../store/database";
import type { Caller, CallingUser } from "./caller";
import { type Container, LEVEL, notExpired, roleIn } from "./roles";

/** The caller of a request, and the database. */
interface Acting {
  readonly database: Database;
  readonly caller: Caller;
}

/**
 * Checks that a caller does not grant, change or remove a membership, an invitation or a share above the caller's own
 * level. The caller's level is the highest of the caller's direct, inherited and shared levels. Other projects and
 * groups may be shared with a group, so that the group's members have access to these containers. For a group, the
 * function also checks the caller's level in all containers that are shared with the group. Administrators may grant
 * every level.
 *
 * @throws HttpError 403.
 */
export function requireLevel({ database, caller }: Acting, container: Container, level: number): void {
  const own = roleIn(database, caller, container);
  if (level > own) {
    const kind = "namespace_id" in container ? "project" : "group";
    throw forbidden(`Access level ${level} is above your own level ${own} in this ${kind}`);
  }
  if ("namespace_id" in container || own === LEVEL.administrator) return;
  // Finds the projects and groups that are shared with the group or its subgroups. Subgroups inherit the members of the group.
  const shares = database.all<{
    readonly project_id: number | null;
    readonly namespace_id: number;
    readonly group_id: number;
    readonly access: number;
  }>(
    `SELECT s.project_id, p.namespace_id, s.shared_group_id AS group_id, s.group_access AS access
       FROM namespace_ancestors a JOIN shares s ON s.group_id = a.namespace_id
       LEFT JOIN projects p ON p.id = s.project_id
      WHERE a.ancestor_id = ? AND ${notExpired("s")}`,
    container.id,
  );
  for (const { project_id: id, namespace_id, group_id, access } of shares) {
    const shared = id === null ? { id: group_id } : { id, namespace_id };
    if (Math.min(access, level) > roleIn(database, caller, shared)) {
      throw forbidden("This group is shared into a project or group where your own level is lower");
    }
  }
}

/** Checks that a user may create groups and subgroups. @throws HttpError 403 otherwise */
export function requireGroupCreation(user: CallingUser): void {
  if (user.is_admin === 1) return;
  if (user.external === 1) throw forbidden("External users may not create groups");
  if (user.can_create_group === 0) throw forbidden("Your account may not create groups");
}

/**
 * Checks that a user may create a project.
 *
 * @param ownNamespaceId the id of the caller's personal namespace, if the project is created there. `projects_limit`
 * applies only in the personal namespace.
 * @throws HttpError 403 if the account may not create projects, or has reached `projects_limit`.
 */
export function requireProjectCreation(
  database: Database,
  user: CallingUser,
  ownNamespaceId: number | undefined,
): void {
  if (user.is_admin === 1) return;
  if (user.external === 1) throw forbidden("External users may not create projects");
  if (ownNamespaceId === undefined) return;
  const { count } = database.one<{ count: number }>(
    "SELECT count(*) AS count FROM projects WHERE namespace_id = ?",
    ownNamespaceId,
  )!;
  if (count >= user.projects_limit) {
    throw forbidden(`Your account has reached its limit of ${user.projects_limit} projects of its own`);
  }
}
