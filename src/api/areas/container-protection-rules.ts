import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { hasAskedId, listOperation, operation, parameterOf } from "../calls/operation";
import { id, idOrNull, text, textOrNull } from "../fields";

const rule = z.object({
  id,
  project_id: idOrNull,
  repository_path_pattern: text,
  minimum_access_level_for_push: textOrNull,
  minimum_access_level_for_delete: textOrNull,
});

/** A protection rule (specification, "Container repository protection rule"). */
export type ContainerProtectionRule = z.output<typeof rule>;

const level = z.enum(["maintainer", "owner", "admin"]);

const create = z
  .strictObject({
    repository_path_pattern: text,
    minimum_access_level_for_push: z.optional(level),
    minimum_access_level_for_delete: z.optional(level),
  })
  .check(
    z.refine(
      (given) =>
        given.minimum_access_level_for_push !== undefined ||
        given.minimum_access_level_for_delete !== undefined,
      { error: "set at least one of the two levels" },
    ),
  );

const levelOrEmpty = z.optional(z.enum(["maintainer", "owner", "admin", ""]));
const update = z.strictObject({
  repository_path_pattern: z.optional(text),
  minimum_access_level_for_push: levelOrEmpty,
  minimum_access_level_for_delete: levelOrEmpty,
});

/** Parameters of a new rule: a pattern, and at least one of the levels. */
export type NewContainerProtectionRule = z.input<typeof create>;
/** Parameters of an update of a rule. An empty text removes the level. */
export type ContainerProtectionRuleUpdate = z.input<typeof update>;

/**
 * Rules for container repository paths (specification, "Container repository protection rules"). All calls need the
 * Maintainer role, and fail with `forbidden` without this role.
 */
export const containerProtectionRules = defineArea(
  "containerProtectionRules",
  "Container repository protection rules",
  {
    /** Lists the protection rules of a project. */
    list: listOperation("/projects/:project/registry/protection/repository/rules", {
      summary: "Lists a project's protection rules for container repositories.",
      answer: rule,
      pagination: "none",
    }),
    /** Creates a rule. Fails with `already_there` if another rule has the same pattern (422). */
    create: operation("POST /projects/:project/registry/protection/repository/rules", {
      summary: "Creates a rule; 422 if the pattern is taken.",
      parameters: create,
      answer: rule,
      isAbout: (made, given) =>
        made.repository_path_pattern === parameterOf(given, "repository_path_pattern"),
    }),
    /** Updates a rule. Fails with `unprocessable` if the update would remove the last level of the rule. */
    update: operation("PATCH /projects/:project/registry/protection/repository/rules/:rule", {
      summary: "Updates a rule; an empty level clears it.",
      parameters: update,
      answer: rule,
      isAbout: hasAskedId("rule"),
    }),
    /** Deletes a rule by its id. Fails with `not_found` if the rule does not exist. */
    delete: operation("DELETE /projects/:project/registry/protection/repository/rules/:rule", {
      summary: "Deletes a rule.",
    }),
  },
);
