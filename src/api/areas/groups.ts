import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { hasAskedId, listOperation, operation } from "../calls/operation";
import { id, idOrNull, listOf, sharedGroup, text, textOrNull } from "../fields";
import { projectRecord } from "./projects";

const group = z.object({
  id,
  name: textOrNull,
  path: textOrNull,
  full_path: text,
  description: textOrNull,
  visibility: textOrNull,
  /** The day on which the deletion of the group was scheduled, `YYYY-MM-DD`. */
  marked_for_deletion_on: textOrNull,
  web_url: textOrNull,
  parent_id: idOrNull,
});

export type Group = z.output<typeof group>;

const sharingGroup = z.extend(group, { shared_with_groups: listOf(sharedGroup) });

/**
 * The record of a single group. The record contains the groups with which this group is shared, if the token can see
 * these groups.
 */
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

/** Groups by id, path or filter, and the projects in these groups. */
export const groups = defineArea("groups", "Look-ups", {
  /** Reads a group by id or full path. Fails with `not_found` if this token can't see the group. */
  get: operation("GET /groups/:group", {
    summary: "Reads a group by id or full path.",
    answer: sharingGroup,
    isAbout: hasAskedId("group"),
    isUrgent: true,
  }),
  // Lists of groups use offset pages, because the service offers keyset pages of groups only to callers without a
  // token.
  /** Lists the groups that the caller can see. */
  list: listOperation("/groups", { summary: "Lists groups.", parameters: groupFilter, answer: group }),
  /** Lists the subgroups of a group at all levels. Fails with `not_found` if this token can't see the group. */
  descendants: listOperation("/groups/:group/descendant_groups", {
    summary: "Lists a group's subgroups of all levels.",
    answer: group,
  }),
  /**
   * Lists the projects of a group, optionally with the projects of its subgroups. Fails with `not_found` if this
   * token can't see the group.
   */
  projects: listOperation("/groups/:group/projects", {
    summary: "Lists a group's projects.",
    parameters: groupProjectFilter,
    answer: projectRecord,
    isUrgent: true,
  }),
});
