import { z } from "zod";
import { LEVEL, levelDescription, userRoleInProject } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { type Call, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { droppedEntries } from "../habits/dropped-entries";
import { ALREADY_PROTECTED } from "../habits/odd-refusals";
import { found, refused } from "../http/errors";
import { id, recordOf } from "../http/parameters";
import { canSeeGroup, findGroup } from "../model/groups";
import { isSharedWith } from "../model/members";
import type { Project } from "../model/projects";
import { chosen, hasHabit, type ServiceSettings } from "../settings/settings";
import { type Database, hasRow, insert, refuseDuplicates, removeRow, update } from "../store/database";
import { loadInOrder, where } from "../store/selection";

const access = ofProject(LEVEL.maintainer);
const PATH = "/projects/:id/protected_environments";

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

const FIELDS = ["deploy_access_levels", "approval_rules"] as const;
type Field = (typeof FIELDS)[number];

const KINDS: Record<Field, string> = { deploy_access_levels: "deploy", approval_rules: "approval" };
const LEVELS: readonly number[] = [LEVEL.developer, LEVEL.maintainer, LEVEL.administrator];

/** Returns the names of the targets that an element has: user, group or level. Rule 1 requires exactly one target. */
const targetsOf = (element: Element) =>
  (["user_id", "group_id", "access_level"] as const).filter((name) => element[name] !== undefined);

const NOT_ONE_TARGET = "must have exactly one of user_id, group_id, access_level";

/**
 * Returns the database columns for an element of a request. An element has exactly one target: a user, a group or a
 * level. A new target therefore replaces the old target.
 */
function columnsOf({ id: _, _destroy, ...element }: Element) {
  const { user_id = null, group_id = null, access_level = null } = element;
  return targetsOf(element).length === 0 ? element : { ...element, user_id, group_id, access_level };
}

/** Changes the entries of one protected environment, as a request demands (specification, Protected environments). */
class Entries {
  /**
   * @param isAccessRequired whether users need access to the project, and whether the project must be shared with groups (rule 2)
   */
  constructor(
    private readonly database: Database,
    private readonly project: Project,
    private readonly environmentId: number,
    private readonly isAccessRequired: boolean,
  ) {}

  /**
   * Applies the elements of a request: deploy access levels and approval rules.
   *
   * @throws HttpError 422 for an invalid element, or if no deploy access level would be left
   */
  applyAll(given: { readonly [Kind in Field]?: readonly Element[] | undefined }): void {
    for (const field of FIELDS)
      given[field]?.forEach((element, index) => {
        this.#apply(field, element, (reason) => refused(422, { [`${field}[${index}]`]: [reason] }));
      });
    const from = "FROM environment_rules WHERE protected_environment_id = ? AND kind = ?";
    if (!hasRow(this.database, from, this.environmentId, KINDS.deploy_access_levels)) {
      throw refused(422, { deploy_access_levels: ["must hold at least one deploy access level"] });
    }
  }

  /**
   * Applies one element (rules 1 to 3). An element without `id` creates an entry. An element with `id` updates the
   * entry with this id, or with `_destroy` deletes the entry.
   *
   * @throws HttpError 422 with the element's index and a reason
   */
  #apply(field: Field, element: Element, fail: (reason: string) => Error): void {
    const { database } = this;
    const place = { protected_environment_id: this.environmentId, kind: KINDS[field] };
    if (element.id === undefined) {
      if (element._destroy === true) throw fail("id is needed to delete a record");
      if (targetsOf(element).length !== 1) throw fail(NOT_ONE_TARGET);
      this.#check(element, fail);
      insert(database, "environment_rules", { ...place, ...columnsOf(element) });
      return;
    }
    const from = "FROM environment_rules WHERE id = ? AND protected_environment_id = ? AND kind = ?";
    if (!hasRow(database, from, element.id, place.protected_environment_id, place.kind))
      throw fail(`has no record with id ${element.id}`);
    if (element._destroy === true) {
      removeRow(database, "environment_rules", element.id);
      return;
    }
    if (targetsOf(element).length > 1) throw fail(NOT_ONE_TARGET);
    this.#check(element, fail);
    update(database, "environment_rules", element.id, columnsOf(element));
  }

  /** Checks an element. @throws HttpError 422 if the element breaks rule 1 or 2 */
  #check(element: Element, fail: (reason: string) => Error): void {
    const { user_id, group_id, access_level, group_inheritance_type, required_approvals } = element;
    if (access_level !== undefined && !LEVELS.includes(access_level)) {
      throw fail(`access_level must be one of ${LEVELS.join(", ")}`);
    }
    if (group_inheritance_type !== undefined && ![0, 1].includes(group_inheritance_type)) {
      throw fail("group_inheritance_type must be 0 or 1");
    }
    if (required_approvals !== undefined && required_approvals < 1) {
      throw fail("required_approvals must be greater than 0");
    }
    if (!this.isAccessRequired) return;
    if (user_id !== undefined && userRoleInProject(this.database, user_id, this.project) < LEVEL.guest) {
      throw fail(`user ${user_id} has no access to the project`);
    }
    if (group_id !== undefined && !isSharedWith(this.database, this.project, group_id)) {
      throw fail(`the project is not shared with group ${group_id}`);
    }
  }
}

const deployAccessLevel = z
  .object({
    id: z.int(),
    access_level: z.int().nullable(),
    access_level_description: z.string(),
    user_id: z.int().nullable(),
    group_id: z.int().nullable(),
    group_inheritance_type: z.int(),
  })
  .meta({ id: "DeployAccessLevel" });

const approvalRule = deployAccessLevel.extend({ required_approvals: z.int() }).meta({ id: "ApprovalRule" });

/** An entry with a description of the people who can deploy or approve. */
export type Rule = z.output<typeof approvalRule>;
type Viewer = Pick<Call<unknown, unknown>, "database" | "caller">;

/** Returns the description of an entry for a group. Hides the name if the caller may not see the group. */
function groupDescription({ database, caller }: Viewer, groupId: number): string {
  const group = findGroup(database, groupId)!;
  return canSeeGroup(database, caller, group) ? group.name : `Group ${groupId}`;
}

/**
 * Returns the entries of one kind, each in the form that `show` returns. The descriptions of the entries contain no
 * name that the caller may not see.
 */
const rulesOf = <Shown>(viewer: Viewer, environmentId: number, field: Field, show: (rule: Rule) => Shown) =>
  viewer.database
    .all<Rule & { readonly user_name: string | null }>(
      `SELECT r.*, u.name AS user_name FROM environment_rules r LEFT JOIN users u ON u.id = r.user_id
        WHERE r.protected_environment_id = ? AND r.kind = ? ORDER BY r.id`,
      environmentId,
      KINDS[field],
    )
    .map((rule) => {
      const { user_name, group_id, access_level } = rule;
      const description =
        group_id === null ? levelDescription(access_level!) : groupDescription(viewer, group_id);
      return show({ ...rule, access_level_description: user_name ?? description });
    });

interface EnvironmentRow {
  readonly id: number;
  readonly name: string;
  readonly required_approval_count: number;
}

/** Returns the protection of an environment. @throws HttpError 404 if the environment is not protected */
function findRow(database: Database, project: Project, name: string): EnvironmentRow {
  const sql = "SELECT * FROM protected_environments WHERE project_id = ? AND name = ?";
  return found(database.one<EnvironmentRow>(sql, project.id, name), "ProtectedEnvironment");
}

const protection = {
  name: z.string().min(1).max(255),
  deploy_access_levels: z.array(deployElement),
  approval_rules: z.array(approvalElement).optional(),
  required_approval_count: z.int().min(0).optional(),
};

/**
 * Protects an environment.
 *
 * @throws HttpError 409, or the error of `already`, if the environment is already protected; 422 for elements that break the
 * rules
 */
export function protect(
  database: Database,
  project: Project,
  given: z.output<z.ZodObject<typeof protection>>,
  {
    isAccessRequired = true,
    already = ALREADY_PROTECTED.off,
  }: { readonly isAccessRequired?: boolean; readonly already?: (name: string) => Error } = {},
): EnvironmentRow {
  const { name, required_approval_count } = given;
  const environmentId = refuseDuplicates(
    () =>
      insert(database, "protected_environments", { project_id: project.id, name, required_approval_count }),
    () => already(name),
  );
  new Entries(database, project, environmentId, isAccessRequired).applyAll(given);
  return findRow(database, project, name);
}

const protectedEnvironment = z
  .object({
    name: z.string(),
    deploy_access_levels: z.array(deployAccessLevel),
    required_approval_count: z.int(),
    approval_rules: z.array(approvalRule),
  })
  .meta({ id: "ProtectedEnvironment" });

const toRecord = (
  viewer: Viewer,
  { id: environmentId, name, required_approval_count }: EnvironmentRow,
): z.output<typeof protectedEnvironment> => ({
  name,
  deploy_access_levels: rulesOf(viewer, environmentId, "deploy_access_levels", recordOf(deployAccessLevel)),
  required_approval_count,
  approval_rules: rulesOf(viewer, environmentId, "approval_rules", recordOf(approvalRule)),
});

/** Removes the fields that this instance does not store from the parameters of a request. */
const kept = <Input extends { readonly approval_rules?: readonly Element[] | undefined }>(
  settings: ServiceSettings,
  input: Input,
): Input => (hasHabit(settings, droppedEntries) ? { ...input, approval_rules: undefined } : input);

export const protectedEnvironmentEndpoints = inSection("Protected environments", [
  listEndpoint({
    route: `GET ${PATH}`,
    summary: "Protected environments of a project",
    access,
    entry: protectedEnvironment,
    handle: (call) => ({
      key: "id",
      from: "protected_environments",
      where: [where("project_id = ?", call.target.id)],
      order: ["name"],
      load: loadInOrder(call.database, "SELECT * FROM protected_environments", "id", (row: EnvironmentRow) =>
        toRecord(call, row),
      ),
    }),
  }),
  endpoint({
    route: `GET ${PATH}/:name`,
    summary: "One protected environment",
    access,
    input: { name: z.string() },
    answer: protectedEnvironment,
    handle: (call) => toRecord(call, findRow(call.database, call.target, call.input.name)),
  }),
  endpoint({
    route: `POST ${PATH}`,
    summary: "Protect an environment",
    access,
    input: protection,
    answer: protectedEnvironment,
    handle: (call) => {
      const { database, settings, target, input } = call;
      const already = chosen(settings, ALREADY_PROTECTED);
      return toRecord(call, protect(database, target, kept(settings, input), { already }));
    },
  }),
  endpoint({
    route: `PUT ${PATH}/:name`,
    summary: "Change who may deploy to an environment or approve deployments",
    access,
    input: {
      name: z.string(),
      deploy_access_levels: protection.deploy_access_levels.optional(),
      approval_rules: protection.approval_rules,
    },
    answer: protectedEnvironment,
    handle: (call) => {
      const { database, settings, target, input } = call;
      const row = findRow(database, target, input.name);
      new Entries(database, target, row.id, true).applyAll(kept(settings, input));
      return toRecord(call, row);
    },
  }),
  endpoint({
    route: `DELETE ${PATH}/:name`,
    summary: "Unprotect an environment",
    access,
    input: { name: z.string() },
    handle: ({ database, target, input }) =>
      removeRow(database, "protected_environments", findRow(database, target, input.name).id),
  }),
]);
