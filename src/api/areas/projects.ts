import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { hasAskedId, listOperation, operation } from "../calls/operation";
import {
  flagOrNull,
  id,
  idOrNull,
  listOf,
  numberOrNull,
  orNull,
  sharedGroup,
  text,
  textOrNull,
} from "../fields";

/** The fields of a project that both single reads and lists return. */
export const projectRecord = z.object({
  id,
  name: textOrNull,
  path: textOrNull,
  path_with_namespace: text,
  description: textOrNull,
  default_branch: textOrNull,
  topics: listOf(z.string()),
  archived: flagOrNull,
  /** The day on which the deletion of the project was scheduled, `YYYY-MM-DD`. */
  marked_for_deletion_on: textOrNull,
  visibility: textOrNull,
  web_url: textOrNull,
  namespace: orNull(z.object({ id, full_path: textOrNull, kind: textOrNull, parent_id: idOrNull })),
});

export type Project = z.output<typeof projectRecord>;

const shownAccess = orNull(z.object({ access_level: numberOrNull }));

const project = z.extend(projectRecord, {
  shared_with_groups: listOf(sharedGroup),
  permissions: orNull(z.object({ project_access: shownAccess, group_access: shownAccess })),
});

/**
 * The record of a single project. The record contains the groups with which the project is shared, if the token can see
 * these groups. `permissions` is the access of the token's user; null if the service does not return this field.
 */
export type SharedProject = z.output<typeof project>;

const access = orNull(z.object({ access_level: z.number(), notification_level: numberOrNull }));
const permissions = z.pipe(
  z.object({ id, permissions: orNull(z.object({ project_access: access, group_access: access })) }),
  z.transform(({ permissions: held }) => ({
    project_access_level: held?.project_access?.access_level ?? null,
    group_access_level: held?.group_access?.access_level ?? null,
  })),
);

/**
 * The access of the token's user to a project. The record has a level from the project itself and a level from the
 * project's group; each level may be null.
 */
export type ProjectPermissions = z.output<typeof permissions>;

const filter = z.strictObject({
  search: z.optional(z.string()),
  topic: z.optional(z.string()),
  archived: z.optional(z.boolean()),
  membership: z.optional(z.boolean()),
  min_access_level: z.optional(z.int()),
});

/** Filters of a list of projects. */
export type ProjectFilter = z.input<typeof filter>;

/** Projects by id, path or filter. */
export const projects = defineArea("projects", "Look-ups", {
  /**
   * Reads a project by id or full path. A former path works too. Fails with `not_found` if this token can't see
   * the project.
   */
  get: operation("GET /projects/:project", {
    summary: "Reads a project by id or full path.",
    answer: project,
    isAbout: hasAskedId("project"),
    isUrgent: true,
  }),
  /** Lists projects ordered by id. Without a token, the list contains only public projects. */
  list: listOperation("/projects", {
    summary: "Lists projects by keyset, ordered by id.",
    parameters: filter,
    answer: projectRecord,
    pagination: "keyset",
  }),
  /**
   * Reads the access of the token's user to a project. The specification lists the levels in "Invitation access
   * levels".
   */
  permissions: operation("GET /projects/:project", {
    summary: "Reads the caller's own access to a project.",
    answer: permissions,
  }),
});
