import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection } from "../endpoint/endpoint";
import { badRequest, found, refused } from "../http/errors";
import { id } from "../http/parameters";
import { type Database, insert, type NewRow, refuseDuplicates, removeRow, update } from "../store/database";

const access = ofProject(LEVEL.maintainer);
const prefix = "/projects/:id/registry/protection/repository/rules";

export const RULE_LEVELS = ["maintainer", "owner", "admin"] as const;

/** A protection rule of container repositories. The table and the API have the same fields. */
const containerRule = z
  .object({
    id: z.int(),
    project_id: z.int(),
    repository_path_pattern: z.string(),
    minimum_access_level_for_push: z.enum(RULE_LEVELS).nullable(),
    minimum_access_level_for_delete: z.enum(RULE_LEVELS).nullable(),
  })
  .meta({ id: "ContainerProtectionRule" });

type ContainerRule = z.output<typeof containerRule>;

const pattern = z
  .string()
  .max(255)
  .regex(/^[A-Za-z0-9*][A-Za-z0-9._/*@-]*$/);

/** Returns the schema of a level in a rule. An empty text removes the level. */
const level = () =>
  z
    .enum([...RULE_LEVELS, ""])
    .transform((given) => given || null)
    .optional();
const levels = () => ({ minimum_access_level_for_push: level(), minimum_access_level_for_delete: level() });

/** Returns a rule of a project. @throws HttpError 404 if the project has no rule with this id */
function ruleOf(database: Database, projectId: number, ruleId: number): ContainerRule {
  const sql = "SELECT * FROM container_rules WHERE project_id = ? AND id = ?";
  return found(database.one(sql, projectId, ruleId), "Container Repository Protection Rule");
}

/**
 * Runs a function that adds or changes a rule. @throws HttpError 422 if another rule of the project already has this
 * pattern
 */
const refuseTaken = <Result>(change: () => Result): Result =>
  refuseDuplicates(change, () => refused(422, { repository_path_pattern: ["has already been taken"] }));

/** Adds a rule. @throws HttpError 422 if another rule of the project already has this pattern */
export const addRule = (
  database: Database,
  project_id: number,
  rule: NewRow<Omit<ContainerRule, "project_id">, "repository_path_pattern">,
): number => refuseTaken(() => insert(database, "container_rules", { project_id, ...rule }));

export const containerRuleEndpoints = inSection("Container repository protection rules", [
  // This is the only list without pagination.
  endpoint({
    route: `GET ${prefix}`,
    summary: "Protection rules of a project's container repositories, without pagination",
    access,
    answer: z.array(containerRule),
    handle: ({ database, target }) =>
      database.bulk("SELECT * FROM container_rules WHERE project_id = ? ORDER BY id", target.id),
  }),
  endpoint({
    route: `POST ${prefix}`,
    summary: "Protect container repositories",
    access,
    input: { repository_path_pattern: pattern, ...levels() },
    answer: containerRule,
    handle: ({ database, target, input }) => {
      if (!input.minimum_access_level_for_push && !input.minimum_access_level_for_delete) {
        throw badRequest(
          "minimum_access_level_for_push, minimum_access_level_for_delete are missing, " +
            "at least one parameter must be provided",
        );
      }
      return ruleOf(database, target.id, addRule(database, target.id, input));
    },
  }),
  endpoint({
    route: `PATCH ${prefix}/:protection_rule_id`,
    summary: "Change a protection rule; an empty text unsets a level",
    access,
    input: { protection_rule_id: id(), repository_path_pattern: pattern.optional(), ...levels() },
    answer: containerRule,
    handle: ({ database, target, input: { protection_rule_id: ruleId, ...change } }) => {
      const changed = { ...ruleOf(database, target.id, ruleId), ...change };
      if (!changed.minimum_access_level_for_push && !changed.minimum_access_level_for_delete) {
        throw refused(422, {
          base: ["A rule must have at least one minimum access role for push or delete."],
        });
      }
      refuseTaken(() => update(database, "container_rules", ruleId, change));
      return ruleOf(database, target.id, ruleId);
    },
  }),
  endpoint({
    route: `DELETE ${prefix}/:protection_rule_id`,
    summary: "Remove a protection rule",
    access,
    input: { protection_rule_id: id() },
    handle: ({ database, target, input }) =>
      removeRow(database, "container_rules", ruleOf(database, target.id, input.protection_rule_id).id),
  }),
]);
