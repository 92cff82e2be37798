import { z } from "zod";
import { LEVEL } from "../access/roles";
import { ofProject } from "../endpoint/authorization";
import { endpoint, inSection } from "../endpoint/endpoint";
import { badRequest, found } from "../http/errors";
import { id } from "../http/parameters";
import {
  addRule,
  containerRule,
  findRule,
  RULE_LEVELS,
  replaceRule,
  rulesOf,
} from "../model/container-rules";
import { removeRow } from "../store/database";

const access = ofProject(LEVEL.maintainer);
const prefix = "/projects/:id/registry/protection/repository/rules";
const KIND = "Container Repository Protection Rule";

const pattern = z
  .string()
  .max(255)
  .regex(/^[A-Za-z0-9*][A-Za-z0-9._/*@-]*$/);

/** The levels of a rule; an empty text unsets one. */
const level = () => z.enum([...RULE_LEVELS, ""]).optional();
const levels = () => ({ minimum_access_level_for_push: level(), minimum_access_level_for_delete: level() });

export const containerRuleEndpoints = inSection("Container repository protection rules", [
  // The only list without pagination.
  endpoint({
    route: `GET ${prefix}`,
    summary: "Protection rules of a project's container repositories, without pagination",
    access,
    answer: z.array(containerRule),
    handle: ({ database, target }) => rulesOf(database, target.id),
  }),
  endpoint({
    route: `POST ${prefix}`,
    summary: "Protect container repositories",
    access,
    status: 201,
    input: { repository_path_pattern: pattern, ...levels() },
    answer: containerRule,
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
  }),
  endpoint({
    route: `PATCH ${prefix}/:protection_rule_id`,
    summary: "Change a protection rule; an empty text unsets a level",
    access,
    input: { protection_rule_id: id(), repository_path_pattern: pattern.optional(), ...levels() },
    answer: containerRule,
    handle: ({ database, target, input }) => {
      const rule = found(findRule(database, target.id, input.protection_rule_id), KIND);
      const {
        repository_path_pattern = rule.repository_path_pattern,
        minimum_access_level_for_push = rule.minimum_access_level_for_push,
        minimum_access_level_for_delete = rule.minimum_access_level_for_delete,
      } = input;
      return replaceRule(database, {
        ...rule,
        repository_path_pattern,
        minimum_access_level_for_push: minimum_access_level_for_push || null,
        minimum_access_level_for_delete: minimum_access_level_for_delete || null,
      });
    },
  }),
  endpoint({
    route: `DELETE ${prefix}/:protection_rule_id`,
    summary: "Remove a protection rule",
    access,
    input: { protection_rule_id: id() },
    handle: ({ database, target, input }) => {
      const rule = found(findRule(database, target.id, input.protection_rule_id), KIND);
      removeRow(database, "container_rules", rule.id);
    },
  }),
]);
