import { z } from "zod";
import type { Caller } from "../access/caller";
import { LEVEL, levelDescription, userRoleInProject } from "../access/roles";
import { found, refused } from "../http/errors";
import { id } from "../http/parameters";
import { type Database, hasRow, insert, refuseDuplicates, removeRow, update } from "../store/database";
import { canSeeGroup, findGroup } from "./groups";
import { isSharedWith } from "./members";
import type { Project } from "./projects";

/** An element of `deploy_access_levels` in a request (specification, Protected environment). */
export const deployElement = z
  .object({
    id: id().optional(),
    user_id: z.int().optional(),
    group_id: z.int().optional(),
    access_level: z.int().optional(),
    group_inheritance_type: z.int().optional(),
    _destroy: z.boolean().optional(),
  })
  .meta({ id: "DeployAccessLevelInput" });

/** An element of `approval_rules` in a request. */
export const approvalElement = deployElement
  .extend({ required_approvals: z.int().optional() })
  .meta({ id: "ApprovalRuleInput" });

type Element = z.output<typeof approvalElement>;
type Field = "deploy_access_levels" | "approval_rules";

const KINDS: Record<Field, string> = { deploy_access_levels: "deploy", approval_rules: "approval" };
const LEVELS: readonly number[] = [LEVEL.developer, LEVEL.maintainer, LEVEL.administrator];

const invalid = (field: Field, index: number, reason: string) =>
  refused(422, { [`${field}[${index}]`]: [reason] });

/** Which of user, group and level an element has: rule 1 requires exactly one. */
const targetsOf = (element: Element) =>
  (["user_id", "group_id", "access_level"] as const).filter((name) => element[name] !== undefined);

const NOT_ONE_TARGET = "must have exactly one of user_id, group_id, access_level";

interface EntryChecks {
  /** Whether users need access to the project, and groups a share of it (rule 2). Default: true. */
  readonly isAccessRequired?: boolean;
}

/** @throws HttpError 422 where rules 1 and 2 of the section Protected environments are broken. */
function checkElement(
  database: Database,
  project: Project,
  element: Element,
  fail: (reason: string) => Error,
  { isAccessRequired = true }: EntryChecks,
): void {
  const { user_id, group_id, access_level, group_inheritance_type, required_approvals } = element;
  if (access_level !== undefined && !LEVELS.includes(access_level)) {
    throw fail(`access_level must be one of ${LEVELS.join(", ")}`);
  }
  if (group_inheritance_type !== undefined && group_inheritance_type !== 0 && group_inheritance_type !== 1) {
    throw fail("group_inheritance_type must be 0 or 1");
  }
  if (required_approvals !== undefined && required_approvals < 1) {
    throw fail("required_approvals must be greater than 0");
  }
  if (!isAccessRequired) return;
  if (user_id !== undefined && userRoleInProject(database, user_id, project) < LEVEL.guest) {
    throw fail(`user ${user_id} has no access to the project`);
  }
  if (group_id !== undefined && !isSharedWith(database, project, group_id)) {
    throw fail(`the project is not shared with group ${group_id}`);
  }
}

/** The columns of an element. It has exactly one of user, group and level, so a new one replaces the other. */
function columnsOf({ id: _, _destroy, ...element }: Element) {
  const { user_id = null, group_id = null, access_level = null } = element;
  return targetsOf(element).length === 0 ? element : { ...element, user_id, group_id, access_level };
}

/**
 * Applies the elements of a request to an environment (rules 1 to 3): creates a record without `id`, updates one with `id`,
 * deletes it with `_destroy`.
 *
 * @throws HttpError 422 with the element's place and a reason.
 */
export function applyEntries(
  database: Database,
  project: Project,
  environmentId: number,
  field: Field,
  elements: readonly Element[],
  checks: EntryChecks = {},
): void {
  elements.forEach((element, index) => {
    const fail = (reason: string) => invalid(field, index, reason);
    if (element.id === undefined) {
      if (element._destroy === true) throw fail("id is needed to delete a record");
      if (targetsOf(element).length !== 1) throw fail(NOT_ONE_TARGET);
      checkElement(database, project, element, fail, checks);
      const place = { protected_environment_id: environmentId, kind: KINDS[field] };
      insert(database, "environment_rules", { ...place, ...columnsOf(element) });
      return;
    }
    const known = database.one<{ id: number }>(
      "SELECT id FROM environment_rules WHERE id = ? AND protected_environment_id = ? AND kind = ?",
      element.id,
      environmentId,
      KINDS[field],
    );
    if (known === undefined) throw fail(`has no record with id ${element.id}`);
    if (element._destroy === true) {
      removeRow(database, "environment_rules", known.id);
      return;
    }
    if (targetsOf(element).length > 1) throw fail(NOT_ONE_TARGET);
    checkElement(database, project, element, fail, checks);
    update(database, "environment_rules", known.id, columnsOf(element));
  });
}

export const deployAccessLevel = z
  .object({
    id: z.int(),
    access_level: z.int().nullable(),
    access_level_description: z.string(),
    user_id: z.int().nullable(),
    group_id: z.int().nullable(),
    group_inheritance_type: z.int(),
  })
  .meta({ id: "DeployAccessLevel" });

export const approvalRule = deployAccessLevel
  .extend({ required_approvals: z.int() })
  .meta({ id: "ApprovalRule" });

type RuleRow = Omit<z.output<typeof approvalRule>, "access_level_description"> & {
  readonly user_name: string | null;
};

/** Description of an entry for a group; hides the name if the caller may not see the group. */
function groupDescription(database: Database, caller: Caller, groupId: number): string {
  const group = findGroup(database, groupId)!;
  return canSeeGroup(database, caller, group) ? group.name : `Group ${groupId}`;
}

/** The entries of one kind as the caller sees them. */
export function rulesOf(database: Database, caller: Caller, environmentId: number, field: Field) {
  return database
    .all<RuleRow>(
      `SELECT r.id, r.access_level, r.user_id, r.group_id, r.group_inheritance_type, r.required_approvals,
         u.name AS user_name
       FROM environment_rules r LEFT JOIN users u ON u.id = r.user_id
       WHERE r.protected_environment_id = ? AND r.kind = ? ORDER BY r.id`,
      environmentId,
      KINDS[field],
    )
    .map(({ id, access_level, user_name, ...row }) => ({
      id,
      access_level,
      access_level_description:
        user_name ??
        (row.group_id === null
          ? levelDescription(access_level!)
          : groupDescription(database, caller, row.group_id)),
      ...row,
    }));
}

export interface EnvironmentRow {
  readonly id: number;
  readonly name: string;
  readonly required_approval_count: number;
}

/** @throws HttpError 404 */
export function findRow(database: Database, project: Project, name: string): EnvironmentRow {
  const sql = "SELECT * FROM protected_environments WHERE project_id = ? AND name = ?";
  return found(database.one<EnvironmentRow>(sql, project.id, name), "ProtectedEnvironment");
}

interface NewProtection {
  readonly name: string;
  readonly deploy_access_levels: readonly z.output<typeof deployElement>[];
  readonly approval_rules?: readonly z.output<typeof approvalElement>[] | undefined;
  readonly required_approval_count?: number | undefined;
}

/** @throws HttpError 409 where it is protected already, 422 for elements that break the rules. */
export function protect(
  database: Database,
  project: Project,
  protection: NewProtection,
  checks?: EntryChecks,
): EnvironmentRow {
  const { name, required_approval_count } = protection;
  const id = refuseDuplicates(
    () =>
      insert(database, "protected_environments", { project_id: project.id, name, required_approval_count }),
    () => refused(409, `Protected environment '${name}' already exists`),
  );
  applyEntries(database, project, id, "deploy_access_levels", protection.deploy_access_levels, checks);
  applyEntries(database, project, id, "approval_rules", protection.approval_rules ?? [], checks);
  requireDeployLevel(database, id);
  return findRow(database, project, name);
}

export function requireDeployLevel(database: Database, environmentId: number): void {
  const from = "FROM environment_rules WHERE protected_environment_id = ? AND kind = ?";
  if (!hasRow(database, from, environmentId, KINDS.deploy_access_levels)) {
    throw refused(422, { deploy_access_levels: ["must hold at least one deploy access level"] });
  }
}
