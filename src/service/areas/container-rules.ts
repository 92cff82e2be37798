import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection } from "../endpoint/endpoint";
import { badRequest, notFound } from "../http/errors";
import { id } from "../http/parameters";
import {
  addRule,
  type ContainerRule,
  findRule,
  RULE_LEVELS,
  removeRule,
  replaceRule,
  rulesOf,
} from "../model/container-rules";
import type { Database } from "../store/database";

const section = "Container repository protection rules";
const access = ofProject(LEVEL.maintainer);
const prefix = "/projects/:id/registry/protection/repository/rules";

const ruleRecord = z
  .object({
    id: z.int(),
    project_id: z.int(),
    repository_path_pattern: z.string(),
    minimum_access_level_for_push: z.enum(RULE_LEVELS).nullable(),
    minimum_access_level_for_delete: z.enum(RULE_LEVELS).nullable(),
  })
  .meta({ id: "ContainerProtectionRule" });

const pattern = z
  .string()
  .max(255)
  .regex(/^[A-Za-z0-9*][A-Za-z0-9._/*@-]*$/);

/** A level; an empty text unsets it. */
const level = () => z.enum([...RULE_LEVELS, ""]).optional();

type Level = (typeof RULE_LEVELS)[number] | "" | undefined;

/** The only list without pagination. */
const listRules = endpoint({
  method: "GET",
  path: prefix,
  summary: "Protection rules of a project's container repositories, without pagination",
  access,
  answer: z.array(ruleRecord),
  handle: ({ database, target }) => rulesOf(database, target.id),
});

const newRule = endpoint({
  method: "POST",
  path: prefix,
  summary: "Protect container repositories",
  access,
  status: 201,
  input: {
    repository_path_pattern: pattern,
    minimum_access_level_for_push: level(),
    minimum_access_level_for_delete: level(),
  },
  answer: ruleRecord,
  handle: ({ database, target, input }) => {
    const push = input.minimum_access_level_for_push || null;
    const remove = input.minimum_access_level_for_delete || null;
    if (push === null && remove === null) {
      throw badRequest(
        "minimum_access_level_for_push, minimum_access_level_for_delete are missing, " +
          "at least one parameter must be provided",
      );
    }
    return addRule(database, target.id, {
      repository_path_pattern: input.repository_path_pattern,
      minimum_access_level_for_push: push,
      minimum_access_level_for_delete: remove,
    });
  },
});

function ruleOf(database: Database, projectId: number, ruleId: number): ContainerRule {
  const rule = findRule(database, projectId, ruleId);
  if (rule === undefined) throw notFound("Container Repository Protection Rule");
  return rule;
}

/** The new level: unchanged if omitted, unset for an empty text. */
const changed = (given: Level, before: ContainerRule["minimum_access_level_for_push"]) =>
  given === undefined ? before : given === "" ? null : given;

const changeRule = endpoint({
  method: "PATCH",
  path: `${prefix}/:protection_rule_id`,
  summary: "Change a protection rule; an empty text unsets a level",
  access,
  input: {
    protection_rule_id: id(),
    repository_path_pattern: pattern.optional(),
    minimum_access_level_for_push: level(),
    minimum_access_level_for_delete: level(),
  },
  answer: ruleRecord,
  handle: ({ database, target, input }) => {
    const rule = ruleOf(database, target.id, input.protection_rule_id);
    return replaceRule(database, {
      ...rule,
      repository_path_pattern: input.repository_path_pattern ?? rule.repository_path_pattern,
      minimum_access_level_for_push: changed(
        input.minimum_access_level_for_push,
        rule.minimum_access_level_for_push,
      ),
      minimum_access_level_for_delete: changed(
        input.minimum_access_level_for_delete,
        rule.minimum_access_level_for_delete,
      ),
    });
  },
});

const deleteRule = endpoint({
  method: "DELETE",
  path: `${prefix}/:protection_rule_id`,
  summary: "Remove a protection rule",
  access,
  input: { protection_rule_id: id() },
  handle: ({ database, target, input }) => {
    removeRule(database, ruleOf(database, target.id, input.protection_rule_id).id);
    return undefined;
  },
});

export const containerRuleEndpoints = inSection(section, [listRules, newRule, changeRule, deleteRule]);
