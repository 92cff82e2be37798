import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { type CallOptions, listOperation, operation, type Reference } from "../calls/operation";
import { list } from "../calls/pagination";
import type { Sender } from "../calls/sender";
import { id, idOrNull, listOf, numberOrNull, oneOf, text, textOrNull } from "../fields";

const section = "Protected environments";

const accessRecord = {
  id,
  access_level: numberOrNull,
  access_level_description: textOrNull,
  user_id: idOrNull,
  group_id: idOrNull,
  group_inheritance_type: numberOrNull,
};

const deployAccessLevel = z.object(accessRecord);
const approvalRule = z.object({ ...accessRecord, required_approvals: numberOrNull });

const protectedEnvironment = z.object({
  name: text,
  deploy_access_levels: z.array(deployAccessLevel),
  approval_rules: listOf(approvalRule),
  required_approval_count: numberOrNull,
});

/** Who may deploy, as the service tells it (section "Protected environment"). */
export type DeployAccessLevel = z.output<typeof deployAccessLevel>;
/** Who approves, and how many of them must. */
export type ApprovalRule = z.output<typeof approvalRule>;
export type ProtectedEnvironment = z.output<typeof protectedEnvironment>;

const accessElement = {
  user_id: z.optional(z.nullable(id)),
  group_id: z.optional(z.nullable(id)),
  access_level: z.optional(z.nullable(oneOf(30, 40, 60))),
  group_inheritance_type: z.optional(z.nullable(oneOf(0, 1))),
};
const approvals = { required_approvals: z.optional(z.nullable(z.int())) };
const existing = { id: z.optional(id), _destroy: z.optional(z.boolean()) };

interface Who {
  readonly user_id?: unknown;
  readonly group_id?: unknown;
  readonly access_level?: unknown;
}
const count = ({ user_id, group_id, access_level }: Who): number =>
  [user_id, group_id, access_level].filter((each) => each !== undefined && each !== null).length;
const namesOne = z.refine<Who>((element) => count(element) === 1, {
  error: "exactly one of user_id, group_id and access_level",
});
const namesOneOrExists = z.refine<Who & { id?: unknown }>(
  (element) => count(element) === 1 || (element.id !== undefined && count(element) === 0),
  { error: "exactly one of user_id, group_id and access_level, or the id of a record" },
);

const protectParameters = z.strictObject({
  name: text,
  deploy_access_levels: z.array(z.strictObject(accessElement).check(namesOne)),
  approval_rules: z.optional(z.array(z.strictObject({ ...accessElement, ...approvals }).check(namesOne))),
  required_approval_count: z.optional(z.number()),
});
const updateParameters = z.strictObject({
  deploy_access_levels: z.optional(
    z.array(z.strictObject({ ...accessElement, ...existing }).check(namesOneOrExists)),
  ),
  approval_rules: z.optional(
    z.array(z.strictObject({ ...accessElement, ...approvals, ...existing }).check(namesOneOrExists)),
  ),
});

/** What protecting an environment takes; each element names exactly one user, group or access level (30, 40, 60). */
export type ProtectParameters = z.input<typeof protectParameters>;
/** What an update takes: elements with `id` change a record, with `_destroy` remove it, without `id` add one. */
export type ProtectedEnvironmentUpdate = z.input<typeof updateParameters>;

const operations = {
  list: listOperation({
    name: "protectedEnvironments.list",
    summary: "Lists a project's protected environments.",
    section,
    method: "GET",
    path: "/projects/:project/protected_environments",
    answer: protectedEnvironment,
    pagination: "offset",
    key: (environment) => environment.name,
  }),
  get: operation({
    name: "protectedEnvironments.get",
    summary: "Reads one protected environment.",
    section,
    method: "GET",
    path: "/projects/:project/protected_environments/:name",
    answer: protectedEnvironment,
  }),
  protect: operation({
    name: "protectedEnvironments.protect",
    summary: "Protects an environment; 409 when it is protected already.",
    section,
    method: "POST",
    path: "/projects/:project/protected_environments",
    parameters: protectParameters,
    answer: protectedEnvironment,
  }),
  update: operation({
    name: "protectedEnvironments.update",
    summary: "Adds, changes and removes access levels and approval rules of a protected environment.",
    section,
    method: "PUT",
    path: "/projects/:project/protected_environments/:name",
    parameters: updateParameters,
    answer: protectedEnvironment,
    // An element without an id creates a record: sent twice, it could be there twice.
    repeatable: false,
  }),
  unprotect: operation({
    name: "protectedEnvironments.unprotect",
    summary: "Takes the protection off an environment.",
    section,
    method: "DELETE",
    path: "/projects/:project/protected_environments/:name",
  }),
} as const;

/** Who may deploy, and who approves (section "Protected environments"). Needs the Maintainer role: `forbidden` below it. */
function methods(sender: Sender) {
  const all = operations;
  return {
    /** The protected environments of a project, with their access levels and approval rules. */
    list: (project: Reference, options?: CallOptions) =>
      list(sender, all.list, { path: { project } }, options),
    /** One protected environment by its name. `not_found` when it is not protected. */
    get: (project: Reference, name: string, options?: CallOptions) =>
      sender.call(all.get, { path: { project, name } }, options),
    /** Protects an environment. `already_there` when it is protected (409); `unprocessable` for users and groups without access. */
    protect: (project: Reference, parameters: ProtectParameters, options?: CallOptions) =>
      sender.call(all.protect, { path: { project }, parameters }, options),
    /** Changes a protected environment. May create records, so it is not repeated after a lost answer (`lost_answer`). */
    update: (
      project: Reference,
      name: string,
      parameters: ProtectedEnvironmentUpdate,
      options?: CallOptions,
    ) => sender.call(all.update, { path: { project, name }, parameters }, options),
    /** Takes the protection off. `not_found` when it is not protected. */
    unprotect: (project: Reference, name: string, options?: CallOptions) =>
      sender.call(all.unprotect, { path: { project, name } }, options),
  };
}

export const protectedEnvironments = defineArea({
  operations: Object.values(operations),
  client: (sender) => ({ protectedEnvironments: methods(sender) }),
});
