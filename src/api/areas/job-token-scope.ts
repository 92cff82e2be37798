import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import {
  type CallOptions,
  hasAskedId,
  listOperation,
  operation,
  parameterOf,
  type Reference,
} from "../calls/operation";
import { flag, flagOrNull, id, idOrNull, listOf, numberOrNull, orNull, text, textOrNull } from "../fields";

const scope = z.object({ inbound_enabled: flag, outbound_enabled: flagOrNull });

/** Job token scope settings (specification, "Job token scope settings"). */
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

/** A project on an allowlist (specification, "Allowlist entry for a project"). */
export type AllowlistProject = z.output<typeof limitedProject>;

// These responses contain the full path of the group only as a part of `web_url`.
const limitedGroup = z.object({ id, web_url: text, name: textOrNull });

/** A group on an allowlist. */
export type AllowlistGroup = z.output<typeof limitedGroup>;

const addedProject = z.object({ source_project_id: id, target_project_id: id });
const addedGroup = z.object({ source_project_id: id, target_group_id: id });

/** The response after the client added a project to an allowlist (specification, "Allowlist change result"). */
export type AddedProject = z.output<typeof addedProject>;
export type AddedGroup = z.output<typeof addedGroup>;

/**
 * Job token scope: the projects and groups whose job tokens can access a project (specification, "Job token scope
 * (project)"). Calls need the Maintainer role. Changes also need the scope `api`.
 */
export const jobTokenScope = defineArea(
  "jobTokenScope",
  "Job token scope (project)",
  {
    /** Reads the job token scope settings of a project. Fails with `forbidden` without the Maintainer role. */
    get: operation("GET /projects/:project/job_token_scope", {
      summary: "Reads the limits on job token access.",
      answer: scope,
    }),
    /**
     * Enables or disables "limit access to this project". After a lost response, the client does not send the
     * PATCH again, and the call fails with `lost_answer`.
     */
    update: operation("PATCH /projects/:project/job_token_scope", {
      summary: "Enables or disables the limit on access to the project.",
      parameters: z.strictObject({ enabled: z.boolean() }),
    }),
    /** Lists the projects on the inbound allowlist, including the project itself. */
    allowlist: listOperation("/projects/:project/job_token_scope/allowlist", {
      summary: "Lists the projects whose job tokens may access the project, itself included.",
      answer: limitedProject,
    }),
    addProject: operation("POST /projects/:project/job_token_scope/allowlist", {
      summary: "Adds a project to the allowlist. The response is 400 if it is there already.",
      parameters: z.strictObject({ target_project_id: id }),
      answer: addedProject,
      isAbout: (added, given) =>
        added.target_project_id === parameterOf(given, "target_project_id") &&
        hasAskedId("project")({ id: added.source_project_id }, given),
      rehearsed: ({ parameters }) => ({
        source_project_id: 0,
        ...(parameters as { target_project_id: number }),
      }),
    }),
    /**
     * Removes a project from the allowlist, by numeric id. Fails with `not_found` if the allowlist does not
     * contain the project.
     */
    removeProject: operation("DELETE /projects/:project/job_token_scope/allowlist/:target", {
      summary: "Removes a project from the allowlist; 404 if it is not on it.",
    }),
    /** Lists the groups on the allowlist. */
    groupsAllowlist: listOperation("/projects/:project/job_token_scope/groups_allowlist", {
      summary: "Lists the groups whose projects' job tokens may access the project.",
      answer: limitedGroup,
    }),
    addGroup: operation("POST /projects/:project/job_token_scope/groups_allowlist", {
      summary: "Adds a group to the allowlist. The response is 400 if it is there already.",
      parameters: z.strictObject({ target_group_id: id }),
      answer: addedGroup,
      isAbout: (added, given) =>
        added.target_group_id === parameterOf(given, "target_group_id") &&
        hasAskedId("project")({ id: added.source_project_id }, given),
      rehearsed: ({ parameters }) => ({
        source_project_id: 0,
        ...(parameters as { target_group_id: number }),
      }),
    }),
    /**
     * Removes a group from the allowlist, by numeric id. Fails with `not_found` if the allowlist does not contain
     * the group.
     */
    removeGroup: operation("DELETE /projects/:project/job_token_scope/groups_allowlist/:target", {
      summary: "Removes a group from the allowlist; 404 if it is not on it.",
    }),
  },
  (methods) => ({
    /**
     * Adds a project to the allowlist, by numeric id. Fails with `already_there` if the allowlist already contains
     * the project (400).
     */
    addProject: (project: Reference, target_project_id: number, options?: CallOptions) =>
      methods.addProject(project, { target_project_id }, options),
    /**
     * Adds a group to the allowlist, by numeric id. Fails with `already_there` if the allowlist already contains
     * the group (400).
     */
    addGroup: (project: Reference, target_group_id: number, options?: CallOptions) =>
      methods.addGroup(project, { target_group_id }, options),
  }),
);
