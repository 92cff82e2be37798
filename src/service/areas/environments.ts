import { z } from "zod";
import { LEVEL, notExpired, userRoleInProject } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { found, refused } from "../http/errors";
import { id } from "../http/parameters";
import type { Project } from "../model/projects";
import { type User, userById } from "../model/users";
import { type Database, hasRow, insert, type NewRow, now, refuseDuplicates } from "../store/database";
import { containing, loadInOrder, where, whereGiven } from "../store/selection";
import type { Rule } from "./protected-environments";

export const TIERS = ["production", "staging", "testing", "development", "other"] as const;

const environmentRecord = z
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

type EnvironmentRow = Omit<z.output<typeof environmentRecord>, "slug" | "updated_at" | "state">;

/** Adds an environment. @throws HttpError 400 if the project already has an environment with this name */
export const addEnvironment = (
  database: Database,
  project_id: number,
  environment: NewRow<EnvironmentRow, "name">,
): number =>
  refuseDuplicates(
    () => insert(database, "environments", { project_id, ...environment, created_at: now() }),
    () => refused(400, { name: ["has already been taken"] }),
  );

const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 24);

const environmentLoader = (database: Database) =>
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

const environmentAccessRecord = z
  .object({ can_deploy: z.boolean(), can_approve: z.boolean() })
  .meta({ id: "EnvironmentAccess" });

type Entry = Omit<Rule, "access_level_description"> & { readonly kind: "deploy" | "approval" };

/**
 * Returns whether a user can deploy to an environment, and whether the user can approve deployments (specification,
 * Protected environments, and the additions of this service).
 *
 * Users from the Developer role on can deploy to an unprotected environment, and no user can approve there. In a
 * protected environment, each entry admits users. An entry with a level admits users with at least this level in the
 * project. An entry with a user or a group admits this user or the group's members, if these people are members of
 * the project. An administrator has every level. A blocked user has no rights.
 */
function environmentAccess(database: Database, project: Project, name: string, user: User) {
  if (user.state !== "active") return { can_deploy: false, can_approve: false };
  const role = userRoleInProject(database, user.id, project);
  const level = user.is_admin === 1 ? LEVEL.administrator : role;
  const place = [project.id, name] as const;
  if (!hasRow(database, "FROM protected_environments WHERE project_id = ? AND name = ?", ...place)) {
    return { can_deploy: level >= LEVEL.developer, can_approve: false };
  }
  const entries = database.all<Entry>(
    `SELECT r.* FROM environment_rules r JOIN protected_environments e ON e.id = r.protected_environment_id
      WHERE e.project_id = ? AND e.name = ?`,
    ...place,
  );
  const isNamed = (entry: Entry): boolean => {
    if (entry.access_level !== null) return level >= entry.access_level;
    if (role === LEVEL.none) return false;
    return entry.group_id === null ? entry.user_id === user.id : isMemberOf(database, user.id, entry);
  };
  const named = entries.filter(isNamed);
  return {
    can_deploy: named.some(({ kind }) => kind === "deploy"),
    can_approve: named.some(({ kind }) => kind === "approval"),
  };
}

/**
 * Returns whether a user is a direct member of the group of an entry. If the entry includes inherited members, a member of a
 * parent group counts too.
 */
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

export const environmentEndpoints = inSection("settled: Around the specification", [
  listEndpoint({
    route: "GET /projects/:id/environments",
    summary: "Environments of a project",
    access: ofProject(LEVEL.none),
    input: { name: z.string().optional(), search: z.string().optional() },
    entry: environmentRecord,
    handle: ({ database, target, input }) => ({
      key: "e.id",
      from: "environments e",
      where: [
        where("e.project_id = ?", target.id),
        ...whereGiven(input.name, (name) => where("e.name = ?", name)),
        ...whereGiven(input.search, (text) => containing(text, "e.name")),
      ],
      order: ["e.name"],
      load: environmentLoader(database),
    }),
  }),
  endpoint({
    route: "POST /projects/:id/environments",
    summary: "Add an environment",
    access: ofProject(LEVEL.developer),
    input: {
      name: z.string().min(1).max(255),
      external_url: z.string().optional(),
      description: z.string().optional(),
      tier: z.enum(TIERS).default("other"),
    },
    answer: environmentRecord,
    handle: ({ database, target, input }) =>
      environmentLoader(database)([addEnvironment(database, target.id, input)])[0]!,
  }),
  endpoint({
    route: "GET /_steward/projects/:id/environments/:name/access",
    summary: "Whether a user may deploy to an environment and approve deployments",
    section: "settled: who can deploy and approve",
    access: ofProject(LEVEL.maintainer),
    input: { name: z.string(), user_id: id() },
    answer: environmentAccessRecord,
    handle: ({ database, target, input }) =>
      environmentAccess(database, target, input.name, found(userById(database, input.user_id), "User")),
  }),
]);
