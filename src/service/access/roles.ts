import { z } from "zod";
import { refused } from "../http/errors";
import type { Bindable, Database } from "../store/database";
import type { Caller } from "./caller";

/**
 * The access levels of the specification (Invitation access levels), and a level for administrators that only this service
 * has.
 */
export const LEVEL = {
  none: 0,
  minimal: 5,
  guest: 10,
  planner: 15,
  reporter: 20,
  securityManager: 25,
  developer: 30,
  maintainer: 40,
  owner: 50,
  administrator: 60,
} as const;

/** Returns the schema of the access level of a member, an invitation or a share. */
export const memberLevel = () => z.union([0, 5, 10, 15, 20, 25, 30, 40, 50].map((level) => z.literal(level)));

const DESCRIPTIONS = new Map<number, string>([
  [0, "No access"],
  [5, "Minimal Access"],
  [10, "Guest"],
  [15, "Planner"],
  [20, "Reporter"],
  [25, "Security Manager"],
  [30, "Developers + Maintainers"],
  [40, "Maintainers"],
  [50, "Owners"],
  [60, "Administrators"],
]);

/** Returns the description of a level in a deploy access level or an approval rule. */
export const levelDescription = (level: number): string => DESCRIPTIONS.get(level) ?? `Level ${level}`;

/** The levels of visibility, the narrowest first. */
export const VISIBILITIES = ["private", "internal", "public"] as const;
export type Visibility = (typeof VISIBILITIES)[number];

/**
 * Checks that a project or subgroup is at most as visible as its group.
 *
 * @param given the requested visibility.
 * @param group the visibility of the parent group; missing for a top-level group.
 * @throws HttpError 400 that names both visibilities
 */
export function requireVisibility(given: Visibility, group: string | undefined): void {
  const words: readonly string[] = VISIBILITIES;
  if (group === undefined || words.indexOf(given) <= words.indexOf(group)) return;
  throw refused(400, { visibility_level: [`${given} is not allowed in a ${group} group.`] });
}

/** Returns the SQL condition that a membership or share has not expired. The condition contains no placeholder `?`. */
export const notExpired = (alias: string): string =>
  `(${alias}.expires_at IS NULL OR ${alias}.expires_at > strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`;

const GROUP_ROLES = `
  SELECT m.access_level AS level FROM namespace_ancestors a JOIN members m ON m.group_id = a.ancestor_id
   WHERE a.namespace_id = ?1 AND m.user_id = ?2 AND ${notExpired("m")}
  UNION ALL
  SELECT min(s.group_access, m.access_level) FROM namespace_ancestors a
    JOIN shares s ON s.shared_group_id = a.ancestor_id
    JOIN namespace_ancestors g ON g.namespace_id = s.group_id
    JOIN members m ON m.group_id = g.ancestor_id
   WHERE a.namespace_id = ?1 AND m.user_id = ?2 AND ${notExpired("m")} AND ${notExpired("s")}`;

/**
 * Selects the levels of the user `?2` in the project `?1`. The levels come from a direct membership, and from
 * memberships of groups with which the project is shared.
 */
const OWN_ROLES = `
  SELECT m.access_level AS level FROM members m
   WHERE m.project_id = ?1 AND m.user_id = ?2 AND ${notExpired("m")}
  UNION ALL
  SELECT min(s.group_access, m.access_level) FROM shares s
    JOIN namespace_ancestors g ON g.namespace_id = s.group_id
    JOIN members m ON m.group_id = g.ancestor_id
   WHERE s.project_id = ?1 AND m.user_id = ?2 AND ${notExpired("m")} AND ${notExpired("s")}`;

const highest = (database: Database, roles: string, ...values: readonly Bindable[]): number =>
  database.one<{ level: number | null }>(`SELECT max(level) AS level FROM (${roles})`, ...values)?.level ??
  LEVEL.none;

/** A project or a group that has members. */
export type Container = { readonly id: number } | ProjectKey;

/** The ids of a project and of its namespace, which belongs to a group or a user. */
type ProjectKey = { readonly id: number; readonly namespace_id: number };

/**
 * Returns a user's role in a group: direct, inherited from parent groups, or from another group with which the group is
 * shared.
 */
export const userRoleInGroup = (database: Database, userId: number, groupId: number): number =>
  highest(database, GROUP_ROLES, groupId, userId);

/** Returns a user's role in a project without inheritance: direct, or from a group with which the project is shared. */
export const userRoleOfProject = (database: Database, userId: number, projectId: number): number =>
  highest(database, OWN_ROLES, projectId, userId);

/**
 * Returns a user's role in a project: direct, from a group with which the project is shared, or inherited from its parent
 * groups.
 */
export const userRoleInProject = (database: Database, userId: number, project: ProjectKey): number =>
  Math.max(
    userRoleOfProject(database, userId, project.id),
    userRoleInGroup(database, userId, project.namespace_id),
  );

/** Returns the role of the caller in a project or group. Administrators have the highest role. */
export function roleIn(database: Database, { user }: Caller, container: Container): number {
  if (user === undefined) return LEVEL.none;
  return user.is_admin === 1 ? LEVEL.administrator : userRoleIn(database, user.id, container);
}

/** Returns a user's role in a project or group. */
export const userRoleIn = (database: Database, userId: number, container: Container): number =>
  "namespace_id" in container
    ? userRoleInProject(database, userId, container)
    : userRoleInGroup(database, userId, container.id);

/** Returns whether a caller who is not a member can see a project or group of this visibility. */
export const isOpenTo = (caller: Caller, visibility: string): boolean =>
  visibility === "public" ||
  (visibility === "internal" && caller.user !== undefined && caller.user.external === 0);
