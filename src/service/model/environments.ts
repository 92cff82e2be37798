import { LEVEL, notExpired, userRoleInProject } from "../access/roles";
import { refused } from "../http/errors";
import { type Database, refuseDuplicates } from "../store/database";
import { loadInOrder } from "../store/selection";
import type { Project } from "./projects";
import type { User } from "./users";

export const TIERS = ["production", "staging", "testing", "development", "other"] as const;
type Tier = (typeof TIERS)[number];

interface EnvironmentRow {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  readonly external_url: string | null;
  readonly tier: Tier;
  readonly created_at: string;
}

/** @throws HttpError 400 where the name is taken. */
export function addEnvironment(
  database: Database,
  projectId: number,
  environment: {
    readonly name: string;
    readonly external_url?: string | undefined;
    readonly description?: string | undefined;
    readonly tier: Tier;
  },
): number {
  return refuseDuplicates(
    () =>
      database.run(
        "INSERT INTO environments (project_id, name, external_url, description, tier, created_at) VALUES (?, ?, ?, ?, ?, ?)",
        projectId,
        environment.name,
        environment.external_url ?? null,
        environment.description ?? null,
        environment.tier,
        new Date().toISOString(),
      ).id,
    () => refused(400, { name: ["has already been taken"] }),
  );
}

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 24);

export const environmentLoader = (database: Database) =>
  loadInOrder(
    database,
    "SELECT id, name, description, external_url, tier, created_at FROM environments",
    "id",
    (row: EnvironmentRow) => ({
      ...row,
      slug: slugOf(row.name),
      updated_at: row.created_at,
      state: "available" as const,
    }),
  );

interface EnvironmentAccess {
  readonly can_deploy: boolean;
  readonly can_approve: boolean;
}

interface Entry {
  readonly kind: "deploy" | "approval";
  readonly access_level: number | null;
  readonly user_id: number | null;
  readonly group_id: number | null;
  readonly group_inheritance_type: number;
}

/**
 * What a user may do with an environment (specification, Protected environments; `settled`).
 *
 * Developers and above deploy to an unprotected environment, which has no approvals. A protected one admits users who match
 * an entry: by level, or by user or group if the user is a member of the project at any level. Administrators match every
 * level. A blocked user can do neither.
 */
export function environmentAccess(
  database: Database,
  project: Project,
  name: string,
  user: User,
): EnvironmentAccess {
  if (user.state !== "active") return { can_deploy: false, can_approve: false };
  const role = userRoleInProject(database, user.id, project);
  const level = user.isAdmin === 1 ? LEVEL.administrator : role;
  const entries = entriesOf(database, project, name);
  if (entries === undefined) return { can_deploy: level >= LEVEL.developer, can_approve: false };
  const isNamed = (entry: Entry): boolean => {
    if (entry.access_level !== null) return level >= entry.access_level;
    if (role === LEVEL.none) return false;
    return entry.group_id === null ? entry.user_id === user.id : isMemberOf(database, user.id, entry);
  };
  return {
    can_deploy: entries.some((entry) => entry.kind === "deploy" && isNamed(entry)),
    can_approve: entries.some((entry) => entry.kind === "approval" && isNamed(entry)),
  };
}

/** The entries of a protected environment; undefined where it is not protected. */
function entriesOf(database: Database, project: Project, name: string): Entry[] | undefined {
  const row = database.one<{ id: number }>(
    "SELECT id FROM protected_environments WHERE project_id = ? AND name = ?",
    project.id,
    name,
  );
  return (
    row &&
    database.all<Entry>(
      "SELECT kind, access_level, user_id, group_id, group_inheritance_type FROM environment_rules " +
        "WHERE protected_environment_id = ?",
      row.id,
    )
  );
}

/** Whether a user is a direct member of an entry's group, or of a group above where the entry says so. */
const isMemberOf = (database: Database, userId: number, entry: Entry): boolean =>
  database.one<{ found: number }>(
    `SELECT 1 AS found FROM members m
      WHERE m.user_id = ?1 AND m.access_level > ${LEVEL.none} AND ${notExpired("m")}
        AND (m.group_id = ?2 OR (?3 = 1 AND m.group_id IN
          (SELECT ancestor_id FROM namespace_ancestors WHERE namespace_id = ?2)))`,
    userId,
    entry.group_id,
    entry.group_inheritance_type,
  ) !== undefined;
