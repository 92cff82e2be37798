import * as z from "zod/mini";
import { type CallOptions, listOperation, operation, operationsOf, type Reference } from "../calls/operation";
import { defineArea, type OperationSender } from "../calls/operation-sender";
import { list } from "../calls/pagination";
import { id, idOrNull, listOf, sharedGroup, text, textOrNull } from "../fields";
import { projectRecord } from "./projects";

const section = "Look-ups";

const group = z.object({
  id,
  name: textOrNull,
  path: textOrNull,
  full_path: text,
  description: textOrNull,
  visibility: textOrNull,
  web_url: textOrNull,
  parent_id: idOrNull,
});

export type Group = z.output<typeof group>;

const sharingGroup = z.extend(group, { shared_with_groups: listOf(sharedGroup) });

/** A group as a single read returns it: with its own shares, of groups that the token can see. */
export type SharedGroup = z.output<typeof sharingGroup>;

const groupFilter = z.strictObject({
  search: z.optional(z.string()),
  top_level_only: z.optional(z.boolean()),
  owned: z.optional(z.boolean()),
  min_access_level: z.optional(z.int()),
});

/** Filters of a list of groups. */
export type GroupFilter = z.input<typeof groupFilter>;

const groupProjectFilter = z.strictObject({
  include_subgroups: z.optional(z.boolean()),
  archived: z.optional(z.boolean()),
  topic: z.optional(z.string()),
  search: z.optional(z.string()),
  with_shared: z.optional(z.boolean()),
});

/** Filters of a group's projects. */
export type GroupProjectFilter = z.input<typeof groupProjectFilter>;

const operations = operationsOf("groups", section, {
  get: operation({
    summary: "Reads a group by id or full path.",
    method: "GET",
    path: "/groups/:group",
    answer: sharingGroup,
  }),
  list: listOperation({
    summary: "Lists groups.",
    method: "GET",
    path: "/groups",
    parameters: groupFilter,
    answer: group,
    // Only callers without a token can read groups by keyset.
    pagination: "offset",
    key: (each) => each.id,
  }),
  descendants: listOperation({
    summary: "Lists a group's subgroups of all levels.",
    method: "GET",
    path: "/groups/:group/descendant_groups",
    answer: group,
    pagination: "offset",
    key: (each) => each.id,
  }),
  projects: listOperation({
    summary: "Lists a group's projects.",
    method: "GET",
    path: "/groups/:group/projects",
    parameters: groupProjectFilter,
    answer: projectRecord,
    pagination: "offset",
    key: (project) => project.id,
  }),
});

/** Groups by id, path or filter, and the projects in them. */
function methods(sender: OperationSender) {
  const all = operations;
  return {
    /** A group by id or full path. `not_found` if it is not visible to this token. */
    get: (group: Reference, options?: CallOptions) => sender.call(all.get, { path: { group } }, options),
    /** The groups visible to the caller. */
    list: (parameters: GroupFilter = {}, options?: CallOptions) =>
      list(sender, all.list, { path: {}, parameters }, options),
    /** A group's subgroups of all levels. `not_found` if the group is not visible to this token. */
    descendants: (group: Reference, options?: CallOptions) =>
      list(sender, all.descendants, { path: { group } }, options),
    /**
     * A group's projects, optionally with those of its subgroups. `not_found` if the group is not visible to
     * this token.
     */
    projects: (group: Reference, parameters: GroupProjectFilter = {}, options?: CallOptions) =>
      list(sender, all.projects, { path: { group }, parameters }, options),
  };
}

export const groups = defineArea({
  operations: Object.values(operations),
  client: (sender) => ({ groups: methods(sender) }),
});
