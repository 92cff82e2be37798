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
  /** The day on which its deletion was scheduled, `YYYY-MM-DD`. */
  marked_for_deletion_on: textOrNull,
  web_url: textOrNull,
  parent_id: idOrNull,
});

export type Group = z.output<typeof group>;

const sharingGroup = z.extend(group, { shared_with_groups: listOf(sharedGroup) });

/** A single group, with the groups that share it and that the token can see. */
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

/** Groups by id, path or filter, and the projects in them. */
export const groups = defineArea("groups", "Look-ups", {
  /** A group by id or full path. `not_found` if it is not visible to this token. */
  get: operation("GET /groups/:group", {
    summary: "Reads a group by id or full path.",
    answer: sharingGroup,
    isAbout: hasAskedId("group"),
    isUrgent: true,
  }),
  // Only callers without a token can read groups by keyset.
  /** The groups visible to the caller. */
  list: listOperation("/groups", { summary: "Lists groups.", parameters: groupFilter, answer: group }),
  /** A group's subgroups of all levels. `not_found` if the group is not visible to this token. */
  descendants: listOperation("/groups/:group/descendant_groups", {
    summary: "Lists a group's subgroups of all levels.",
    answer: group,
  }),
  /**
   * Lists a group's projects, optionally with the projects of its subgroups. `not_found` if the group is not
   * visible to this token.
   */
  projects: listOperation("/groups/:group/projects", {
    summary: "Lists a group's projects.",
    parameters: groupProjectFilter,
    answer: projectRecord,
    isUrgent: true,
  }),
});
