import { z } from "zod";
import { LEVEL, notExpired, userRoleInProject } from "../access/roles";
import { refused } from "../http/errors";
import { type Database, hasRow, insert, now, refuseDuplicates } from "../store/database";
import { loadInOrder } from "../store/selection";
import type { Project } from "./projects";
import type { User } from "./users";

export const TIERS = ["production", "staging", "testing", "development", "other"] as const;

export const environmentRecord = z
  .object({
    id: z.int(),
    name: z.string(),
    slug: z.string(),
    description: z.string().nullable(),
    external_url: z.string().nullable(),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
    tier: z.enum(TIERS),
    state: z.literal("available"),
  })
  .meta({ id: "Environment" });

type Environment = z.output<typeof environmentRecord>;

/** @throws HttpError 400 where the name is taken. */
export function addEnvironment(
  database: Database,
  projectId: number,
  environment: {
    readonly name: string;
    readonly external_url?: string | undefined;
    readonly description?: string | undefined;
    readonly tier?: Environment["tier"];
  },
): number {
  return refuseDuplicates(
    () => insert(database, "environments", { project_id: projectId, ...environment, created_at: now() }),
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
    (row: Omit<Environment, "slug" | "updated_at" | "state">) => ({
      ...row,
      slug: slugOf(row.name),
      updated_at: row.created_at,
      state: "available" as const,
    }),
  );

export const environmentAccessRecord = z
  .object({ can_deploy: z.boolean(), can_approve: z.boolean() })
  .meta({ id: "EnvironmentAccess" });

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
): z.output<typeof environmentAccessRecord> {
  if (user.state !== "active") return { can_deploy: false, can_approve: false };
  const role = userRoleInProject(database, user.id, project);
  const level = user.is_admin === 1 ? LEVEL.administrator : role;
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
  hasRow(
    database,
    `FROM members m
      WHERE m.user_id = ?1 AND m.access_level > ${LEVEL.none} AND ${notExpired("m")}
        AND (m.group_id = ?2 OR (?3 = 1 AND m.group_id IN
          (SELECT ancestor_id FROM namespace_ancestors WHERE namespace_id = ?2)))`,
    userId,
    entry.group_id,
    entry.group_inheritance_type,
  );
