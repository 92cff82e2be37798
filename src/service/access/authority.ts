import { forbidden } from "../http/errors";
import type { Database } from "../store/database";
import type { Caller } from "./caller";
import { LEVEL } from "./levels";
import { type Container, notExpired, roleIn } from "./roles";

/** Who acts, and on whose data. */
interface Acting {
  readonly database: Database;
  readonly caller: Caller;
}

/**
 * The rule of levels: nobody gives, changes or takes away a level above the own one, be it a membership, an invitation
 * or a share. The own level is the highest of the direct, the inherited and the shared ones. A level in a group is one
 * in everything that the group is shared with, so that it is held against the caller's level there, too.
 * Administrators stand above every level.
 *
 * @throws HttpError 403.
 */
export function requireLevel({ database, caller }: Acting, container: Container, level: number): void {
  const own = roleIn(database, caller, container);
  if (level > own) {
    const kind = "namespaceId" in container ? "project" : "group";
    throw forbidden(`Access level ${level} is above your own level ${own} in this ${kind}`);
  }
  if ("namespaceId" in container || own === LEVEL.administrator) return;
  for (const { shared, access } of sharedContainers(database, container.id)) {
    if (Math.min(access, level) > roleIn(database, caller, shared)) {
      throw forbidden("This group is shared into a project or group where your own level is lower");
    }
  }
}

/** What members of a group reach by shares with it or with a group beneath, which inherits them. */
function sharedContainers(database: Database, groupId: number): { shared: Container; access: number }[] {
  return database
    .all<{ projectId: number | null; namespaceId: number; groupId: number; access: number }>(
      `SELECT s.project_id AS projectId, p.namespace_id AS namespaceId, s.shared_group_id AS groupId,
         s.group_access AS access
         FROM namespace_ancestors a JOIN shares s ON s.group_id = a.namespace_id
         LEFT JOIN projects p ON p.id = s.project_id
        WHERE a.ancestor_id = ? AND ${notExpired("s")}`,
      groupId,
    )
    .map(({ projectId, namespaceId, groupId: id, access }) => ({
      shared: projectId === null ? { id } : { id: projectId, namespaceId },
      access,
    }));
}
