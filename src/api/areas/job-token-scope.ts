import * as z from "zod/mini";
import { type CallOptions, listOperation, operation, operationsOf, type Reference } from "../calls/operation";
import { defineArea, type OperationSender } from "../calls/operation-sender";
import { list } from "../calls/pagination";
import { flag, flagOrNull, id, idOrNull, listOf, numberOrNull, orNull, text, textOrNull } from "../fields";

const section = "Job token scope (project)";

const scope = z.object({ inbound_enabled: flag, outbound_enabled: flagOrNull });

/** Job token scope settings (section "Job token scope settings"). */
export type JobTokenScope = z.output<typeof scope>;

const namespace = z.object({
  id,
  name: textOrNull,
  path: textOrNull,
  kind: textOrNull,
  full_path: textOrNull,
  parent_id: idOrNull,
  avatar_url: textOrNull,
  web_url: textOrNull,
});

const limitedProject = z.object({
  id,
  description: textOrNull,
  name: textOrNull,
  name_with_namespace: textOrNull,
  path: textOrNull,
  path_with_namespace: text,
  created_at: textOrNull,
  default_branch: textOrNull,
  tag_list: listOf(z.string()),
  topics: listOf(z.string()),
  ssh_url_to_repo: textOrNull,
  http_url_to_repo: textOrNull,
  web_url: textOrNull,
  avatar_url: textOrNull,
  star_count: numberOrNull,
  last_activity_at: textOrNull,
  namespace: orNull(namespace),
});

/** A project on an allowlist (section "Allowlist entry for a project"). */
export type AllowlistProject = z.output<typeof limitedProject>;

// A group's full path occurs only in its URL here.
const limitedGroup = z.object({ id, web_url: text, name: textOrNull });

/** A group on an allowlist. */
export type AllowlistGroup = z.output<typeof limitedGroup>;

const addedProject = z.object({ source_project_id: id, target_project_id: id });
const addedGroup = z.object({ source_project_id: id, target_group_id: id });

/** The response to an addition (section "Allowlist change result"). */
export type AddedProject = z.output<typeof addedProject>;
export type AddedGroup = z.output<typeof addedGroup>;

const operations = operationsOf("jobTokenScope", section, {
  get: operation({
    summary: "Reads the limits on job token access.",
    method: "GET",
    path: "/projects/:project/job_token_scope",
    answer: scope,
  }),
  update: operation({
    summary: "Enables or disables the limit on access to the project.",
    method: "PATCH",
    path: "/projects/:project/job_token_scope",
    parameters: z.strictObject({ enabled: z.boolean() }),
  }),
  allowlist: listOperation({
    summary: "Lists the projects whose job tokens may access the project, itself included.",
    method: "GET",
    path: "/projects/:project/job_token_scope/allowlist",
    answer: limitedProject,
    pagination: "offset",
    key: (project) => project.id,
  }),
  addProject: operation({
    summary: "Adds a project to the allowlist; 400 if it is on it already.",
    method: "POST",
    path: "/projects/:project/job_token_scope/allowlist",
    parameters: z.strictObject({ target_project_id: id }),
    answer: addedProject,
    rehearsed: ({ parameters }) => ({
      source_project_id: 0,
      ...(parameters as { target_project_id: number }),
    }),
  }),
  removeProject: operation({
    summary: "Removes a project from the allowlist; 404 if it is not on it.",
    method: "DELETE",
    path: "/projects/:project/job_token_scope/allowlist/:target",
  }),
  groupsAllowlist: listOperation({
    summary: "Lists the groups whose projects' job tokens may access the project.",
    method: "GET",
    path: "/projects/:project/job_token_scope/groups_allowlist",
    answer: limitedGroup,
    pagination: "offset",
    key: (group) => group.id,
  }),
  addGroup: operation({
    summary: "Adds a group to the allowlist; 400 if it is on it already.",
    method: "POST",
    path: "/projects/:project/job_token_scope/groups_allowlist",
    parameters: z.strictObject({ target_group_id: id }),
    answer: addedGroup,
    rehearsed: ({ parameters }) => ({ source_project_id: 0, ...(parameters as { target_group_id: number }) }),
  }),
  removeGroup: operation({
    summary: "Removes a group from the allowlist; 404 if it is not on it.",
    method: "DELETE",
    path: "/projects/:project/job_token_scope/groups_allowlist/:target",
  }),
});

/**
 * Job token scope: the projects and groups whose job tokens may access a project (section "Job token scope
 * (project)"). Needs the Maintainer role; changes need the scope `api`.
 */
function methods(sender: OperationSender) {
  const all = operations;
  return {
    /** Reads the settings. `forbidden` below the Maintainer role. */
    get: (project: Reference, options?: CallOptions) => sender.call(all.get, { path: { project } }, options),
    /**
     * Enables or disables "limit access to this project". A PATCH, which is not retried after a lost response
     * (`lost_answer`).
     */
    update: (project: Reference, parameters: { enabled: boolean }, options?: CallOptions) =>
      sender.call(all.update, { path: { project }, parameters }, options),
    /** The projects on the inbound allowlist, the project itself among them. */
    allowlist: (project: Reference, options?: CallOptions) =>
      list(sender, all.allowlist, { path: { project } }, options),
    /** Adds a project to the allowlist, by numeric id. `already_there` if it is on it (400). */
    addProject: (project: Reference, target_project_id: number, options?: CallOptions) =>
      sender.call(all.addProject, { path: { project }, parameters: { target_project_id } }, options),
    /** Removes a project from the allowlist, by numeric id. `not_found` if it is not on it. */
    removeProject: (project: Reference, target: number, options?: CallOptions) =>
      sender.call(all.removeProject, { path: { project, target } }, options),
    /** The groups on the allowlist. */
    groupsAllowlist: (project: Reference, options?: CallOptions) =>
      list(sender, all.groupsAllowlist, { path: { project } }, options),
    /** Adds a group to the allowlist, by numeric id. `already_there` if it is on it (400). */
    addGroup: (project: Reference, target_group_id: number, options?: CallOptions) =>
      sender.call(all.addGroup, { path: { project }, parameters: { target_group_id } }, options),
    /** Removes a group from the allowlist, by numeric id. `not_found` if it is not on it. */
    removeGroup: (project: Reference, target: number, options?: CallOptions) =>
      sender.call(all.removeGroup, { path: { project, target } }, options),
  };
}

export const jobTokenScope = defineArea({
  operations: Object.values(operations),
  client: (sender) => ({ jobTokenScope: methods(sender) }),
});
