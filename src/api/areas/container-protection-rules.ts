import * as z from "zod/mini";
import { type CallOptions, listOperation, operation, operationsOf, type Reference } from "../calls/operation";
import { defineArea, type OperationSender } from "../calls/operation-sender";
import { list } from "../calls/pagination";
import { id, idOrNull, text, textOrNull } from "../fields";

const section = "Container repository protection rules";

const rule = z.object({
  id,
  project_id: idOrNull,
  repository_path_pattern: text,
  minimum_access_level_for_push: textOrNull,
  minimum_access_level_for_delete: textOrNull,
});

/** A protection rule (section "Container repository protection rule"). */
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
/** Parameters of an update: an empty level clears it. */
export type ContainerProtectionRuleUpdate = z.input<typeof update>;

const operations = operationsOf("containerProtectionRules", section, {
  list: listOperation({
    summary: "Lists a project's protection rules for container repositories.",
    method: "GET",
    path: "/projects/:project/registry/protection/repository/rules",
    answer: rule,
    pagination: "none",
    key: (each) => each.id,
  }),
  create: operation({
    summary: "Creates a rule; 422 if the pattern is taken.",
    method: "POST",
    path: "/projects/:project/registry/protection/repository/rules",
    parameters: create,
    answer: rule,
  }),
  update: operation({
    summary: "Updates a rule; an empty level clears it.",
    method: "PATCH",
    path: "/projects/:project/registry/protection/repository/rules/:rule",
    parameters: update,
    answer: rule,
  }),
  delete: operation({
    summary: "Deletes a rule.",
    method: "DELETE",
    path: "/projects/:project/registry/protection/repository/rules/:rule",
  }),
});

/** Rules for container repository paths (section "Container repository protection rules"). Needs the Maintainer role: `forbidden` below it. */
function methods(sender: OperationSender) {
  const all = operations;
  return {
    /** The protection rules of a project. */
    list: (project: Reference, options?: CallOptions) =>
      list(sender, all.list, { path: { project } }, options),
    /** Creates a rule. `already_there` if the pattern is taken (422). */
    create: (project: Reference, parameters: NewContainerProtectionRule, options?: CallOptions) =>
      sender.call(all.create, { path: { project }, parameters }, options),
    /** Updates a rule. `unprocessable` if it would lose its last level. */
    update: (
      project: Reference,
      rule: number,
      parameters: ContainerProtectionRuleUpdate,
      options?: CallOptions,
    ) => sender.call(all.update, { path: { project, rule }, parameters }, options),
    /** Deletes a rule by its id. `not_found` if it does not exist. */
    delete: (project: Reference, rule: number, options?: CallOptions) =>
      sender.call(all.delete, { path: { project, rule } }, options),
  };
}

export const containerProtectionRules = defineArea({
  operations: Object.values(operations),
  client: (sender) => ({ containerProtectionRules: methods(sender) }),
});
