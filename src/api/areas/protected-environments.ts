import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { listOperation, operation, parameterOf } from "../calls/operation";
import { id, idOrNull, level, listOf, numberOrNull, oneOf, orNull, text, textOrNull } from "../fields";

const accessRecord = {
  id,
  access_level: orNull(level),
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

/** One entry of the list of people who can deploy, as the service returns it (specification, "Protected environment"). */
export type DeployAccessLevel = z.output<typeof deployAccessLevel>;
/** One rule for approvals: the people who can approve, and the number of required approvals. */
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

type AccessSubject = Readonly<Partial<Record<"user_id" | "group_id" | "access_level" | "id", unknown>>>;
const count = ({ user_id, group_id, access_level }: AccessSubject): number =>
  [user_id, group_id, access_level].filter((each) => each !== undefined && each !== null).length;
const oneSubject = z.refine<AccessSubject>((element) => count(element) === 1, {
  error: "exactly one of user_id, group_id and access_level",
});
const oneSubjectOrId = z.refine<AccessSubject>(
  (element) => count(element) === 1 || (element.id !== undefined && count(element) === 0),
  { error: "exactly one of user_id, group_id and access_level, or the id of a record" },
);

const protectParameters = z.strictObject({
  name: text,
  deploy_access_levels: z.array(z.strictObject(accessElement).check(oneSubject)),
  approval_rules: z.optional(z.array(z.strictObject({ ...accessElement, ...approvals }).check(oneSubject))),
  required_approval_count: z.optional(z.number()),
});
const updateParameters = z.strictObject({
  deploy_access_levels: z.optional(
    z.array(z.strictObject({ ...accessElement, ...existing }).check(oneSubjectOrId)),
  ),
  approval_rules: z.optional(
    z.array(z.strictObject({ ...accessElement, ...approvals, ...existing }).check(oneSubjectOrId)),
  ),
});

/**
 * Parameters for protecting an environment. Each element of the lists names exactly one user, group or access level
 * (30, 40, 60).
 */
export type ProtectParameters = z.input<typeof protectParameters>;
/**
 * Parameters of an update of a protected environment. An element with an `id` changes the record with this id, or
 * removes the record if `_destroy` is true. An element without an `id` adds a record.
 */
export type ProtectedEnvironmentUpdate = z.input<typeof updateParameters>;

/**
 * Protected environments, with the people who can deploy and the people who approve (specification, "Protected
 * environments"). All calls need the Maintainer role, and fail with `forbidden` without this role.
 */
export const protectedEnvironments = defineArea("protectedEnvironments", "Protected environments", {
  /** Lists the protected environments of a project, with their access levels and approval rules. */
  list: listOperation("/projects/:project/protected_environments", {
    summary: "Lists a project's protected environments.",
    answer: protectedEnvironment,
    key: (environment) => environment.name,
  }),
  /** Reads one protected environment by its name. Fails with `not_found` if the environment is not protected. */
  get: operation("GET /projects/:project/protected_environments/:name", {
    summary: "Reads one protected environment.",
    answer: protectedEnvironment,
    isAbout: ({ name }, { path }) => name === path["name"],
  }),
  /**
   * Protects an environment. Fails with `already_there` if the environment is already protected (409), and with
   * `unprocessable` for users and groups without access to the project.
   */
  protect: operation("POST /projects/:project/protected_environments", {
    summary: "Protects an environment; 409 if it is protected already.",
    parameters: protectParameters,
    answer: protectedEnvironment,
    isAbout: ({ name }, given) => name === parameterOf(given, "name"),
  }),
  /**
   * Updates a protected environment. The update may create records, so the client does not send the update again after
   * a lost response (`lost_answer`).
   */
  update: operation("PUT /projects/:project/protected_environments/:name", {
    summary: "Adds, changes and removes access levels and approval rules of a protected environment.",
    parameters: updateParameters,
    answer: protectedEnvironment,
    isAbout: ({ name }, { path }) => name === path["name"],
    // The update is not idempotent: an element without an id creates a record each time it is sent.
    isRepeatable: false,
  }),
  /** Unprotects an environment. Fails with `not_found` if the environment is not protected. */
  unprotect: operation("DELETE /projects/:project/protected_environments/:name", {
    summary: "Unprotects an environment.",
  }),
});
