import type { Database } from "../store/database";
import { current, userRoleInGroup } from "./roles";

type HeldRole = { readonly access_level: number; readonly notification_level: number } | null;

const held = (level: number): HeldRole => (level > 0 ? { access_level: level, notification_level: 3 } : null);

/** The roles a user has in a project: its own membership, and the one it inherits from the groups above. */
export function heldRoles(
  database: Database,
  userId: number,
  project: { readonly id: number; readonly namespaceId: number },
): { readonly project_access: HeldRole; readonly group_access: HeldRole } {
  const direct = database.one<{ level: number | null }>(
    `SELECT max(level) AS level FROM (
       SELECT m.access_level AS level FROM members m
        WHERE m.project_id = ?1 AND m.user_id = ?2 AND ${current("m")}
       UNION ALL
       SELECT min(s.group_access, m.access_level) FROM shares s
         JOIN namespace_ancestors g ON g.namespace_id = s.group_id JOIN members m ON m.group_id = g.ancestor_id
        WHERE s.project_id = ?1 AND m.user_id = ?2 AND ${current("m")} AND ${current("s")})`,
    project.id,
    userId,
  );
  return {
    project_access: held(direct?.level ?? 0),
    group_access: held(userRoleInGroup(database, userId, project.namespaceId)),
  };
}
