import { z } from "zod";
import { requireLevel, requireProjectCreation } from "../access/authority";
import { LEVEL, memberLevel, requireVisibility, roleIn, VISIBILITIES } from "../access/roles";
import { anyone, ofGroup, ofProject, signedIn } from "../endpoint/authorization";
import { type Call, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { requireKnownLevel } from "../habits/security-manager";
import { badRequest, forbidden, found, refused } from "../http/errors";
import { commaSeparated, id } from "../http/parameters";
import { findNamespaceId, findSeenGroup, type Group, PATH_PATTERN, pathFromName } from "../model/groups";
import { addShare, readExpiry } from "../model/members";
import {
  createProject,
  fullPathOf,
  memberProjects,
  permissionsOf,
  projectLoader,
  projectRecord,
  restoreProject,
  scheduleDeletion,
  sharedGroupsOf,
  toProject,
  transferProject,
  updateProject,
  visibleProjects,
} from "../model/projects";
import { applicationSetting } from "../store/application-settings";
import { removeRow } from "../store/database";
import { type Condition, containing, type Selection, where, whereGiven } from "../store/selection";

const visibility = z.enum(VISIBILITIES);

const filters = {
  search: z.string().optional(),
  topic: commaSeparated().optional(),
  archived: z.boolean().optional(),
  visibility: visibility.optional(),
  order_by: z.enum(["id", "name", "path", "created_at", "last_activity_at"]).default("created_at"),
  sort: z.enum(["asc", "desc"]).default("desc"),
};
type Filters = z.output<z.ZodObject<typeof filters>>;

const filtered = (input: Filters): Condition[] => [
  ...whereGiven(input.search, (text) => containing(text, "p.name", "p.path")),
  // The SQL text is the same for any number of topics. With a different text, each number of topics would add a
  // prepared statement, which stays in memory.
  ...whereGiven(input.topic, (topics) =>
    where(
      `NOT EXISTS (SELECT 1 FROM json_each(?) wanted WHERE NOT EXISTS (
         SELECT 1 FROM json_each(p.topics) t WHERE t.value = wanted.value COLLATE NOCASE))`,
      JSON.stringify(topics),
    ),
  ),
  ...whereGiven(input.archived, (isArchived) => where("p.archived = ?", isArchived)),
  ...whereGiven(input.visibility, (word) => where("p.visibility = ?", word)),
];

const selectProjects = (
  { database, input, origin }: Pick<Call<unknown, Filters>, "database" | "input" | "origin">,
  conditions: readonly Condition[],
): Selection<z.output<typeof projectRecord>> => ({
  key: "p.id",
  from: "projects p",
  where: [...conditions, ...filtered(input)],
  order: input.order_by === "id" ? [] : [`p.${input.order_by}`],
  isDescending: input.sort === "desc",
  load: projectLoader(database, (project) => toProject(project, origin)),
});

/** The maximum number of characters of a project's description, as on the live platform. */
const MAX_DESCRIPTION = 2_000;

const settable = {
  name: z.string().min(1).max(255).optional(),
  path: z.string().regex(PATH_PATTERN).max(255).optional(),
  description: z.string().max(MAX_DESCRIPTION).optional(),
  default_branch: z.string().min(1).max(255).optional(),
  topics: commaSeparated().optional(),
};

type Acting = Pick<Call<unknown, unknown>, "database" | "caller">;

function groupFor({ database, caller }: Acting, namespace: number | string): Group {
  const group = found(findSeenGroup(database, caller, namespace), "Namespace");
  if (roleIn(database, caller, { id: group.id }) < LEVEL.developer) throw forbidden();
  return group;
}

const inGroup = (group: Group, hasSubgroups: boolean): Condition =>
  hasSubgroups
    ? where(
        "p.namespace_id IN (SELECT namespace_id FROM namespace_ancestors WHERE ancestor_id = ?)",
        group.id,
      )
    : where("p.namespace_id = ?", group.id);

export const projectEndpoints = inSection("settled: Around the specification", [
  listEndpoint({
    route: "GET /projects",
    summary: "Projects that the caller may see",
    section: "settled: Around the specification; Limits (keyset)",
    access: anyone,
    input: {
      ...filters,
      membership: z.boolean().optional(),
      id_after: z.int().optional(),
      id_before: z.int().optional(),
    },
    entry: projectRecord,
    keyset: { callers: "everybody", columns: { id: "p.id" }, sorts: ["asc", "desc"] },
    handle: (call) => {
      const { caller, input } = call;
      return selectProjects(call, [
        visibleProjects(caller),
        ...(input.membership === true && caller.user !== undefined ? [memberProjects(caller.user.id)] : []),
        ...whereGiven(input.id_after, (after) => where("p.id > ?", after)),
        ...whereGiven(input.id_before, (before) => where("p.id < ?", before)),
      ]);
    },
  }),
  listEndpoint({
    route: "GET /groups/:id/projects",
    summary: "Projects of a group that the caller may see",
    access: ofGroup(LEVEL.none, { isAnonymous: true }),
    input: { ...filters, include_subgroups: z.boolean().default(false) },
    entry: projectRecord,
    handle: (call) =>
      selectProjects(call, [
        inGroup(call.target, call.input.include_subgroups),
        visibleProjects(call.caller),
      ]),
  }),
  endpoint({
    route: "GET /projects/:id",
    summary: "One project, with the groups it is shared with and the caller's permissions",
    access: ofProject(LEVEL.none, { isAnonymous: true }),
    answer: projectRecord,
    handle: ({ database, caller, target, origin }) => ({
      ...toProject(target, origin),
      shared_with_groups: sharedGroupsOf(database, caller, "project_id", target.id),
      ...(caller.user && { permissions: permissionsOf(database, caller.user.id, target) }),
    }),
  }),
  endpoint({
    route: "POST /projects",
    summary: "Add a project, by default in the caller's personal namespace",
    access: signedIn,
    input: { ...settable, namespace_id: id().optional(), visibility: visibility.default("private") },
    answer: projectRecord,
    handle: ({ database, caller, input, origin }) => {
      const user = caller.user!;
      const name = input.name ?? input.path;
      if (name === undefined)
        throw badRequest("name, path are missing, at least one parameter must be provided");
      const path = input.path ?? pathFromName(name);
      if (!PATH_PATTERN.test(path)) throw badRequest("path is invalid");
      const own = findNamespaceId(database, user.username)!;
      const namespace_id = input.namespace_id ?? own;
      const group = namespace_id === own ? undefined : groupFor({ database, caller }, namespace_id);
      requireProjectCreation(database, user, group === undefined ? own : undefined);
      requireVisibility(input.visibility, group?.visibility);
      const project = { ...input, name, path, namespace_id, creator_id: user.id };
      return toProject(createProject(database, project), origin);
    },
  }),
  endpoint({
    route: "PUT /projects/:id",
    summary: "Change a project; a new path leaves a redirect at the old one",
    access: ofProject(LEVEL.maintainer, { isArchivedAllowed: true }),
    input: { ...settable, visibility: visibility.optional(), archived: z.boolean().optional() },
    answer: projectRecord,
    handle: ({ database, target, input, origin }) => {
      if (input.visibility !== undefined && input.visibility !== target.visibility) {
        requireVisibility(input.visibility, target.namespace_visibility);
      }
      return toProject(updateProject(database, target, input), origin);
    },
  }),
  endpoint({
    route: "DELETE /projects/:id",
    summary:
      "Delete a project; where the instance delays deletions, the project is renamed, marked and stays readable",
    access: ofProject(LEVEL.owner, { isArchivedAllowed: true }),
    status: 202,
    input: {
      permanently_remove: z.boolean().default(false),
      full_path: z.string().optional(),
    },
    answer: z.object({ message: z.string() }),
    handle: ({ database, target, input }) => {
      const isMarked = target.marked_for_deletion_on !== null;
      if (input.permanently_remove) {
        if (!isMarked) throw refused(400, "Project must be marked for deletion first.");
        if (input.full_path !== fullPathOf(target)) throw refused(400, "`full_path` is incorrect.");
        removeRow(database, "projects", target.id);
      } else if (isMarked) throw refused(400, "Project has been already marked for deletion");
      else if (applicationSetting(database, "deletion_adjourned_period") === 0)
        removeRow(database, "projects", target.id);
      else scheduleDeletion(database, target);
      return { message: "202 Accepted" };
    },
  }),
  endpoint({
    route: "POST /projects/:id/restore",
    summary: "Undo the scheduled deletion of a project",
    access: ofProject(LEVEL.owner, { isArchivedAllowed: true }),
    answer: projectRecord,
    handle: ({ database, target, origin }) => {
      if (target.marked_for_deletion_on === null)
        throw refused(400, "Project has not been marked for deletion");
      return toProject(restoreProject(database, target), origin);
    },
  }),
  endpoint({
    route: "PUT /projects/:id/transfer",
    summary: "Move a project to another group or to a personal namespace; the old path redirects",
    access: ofProject(LEVEL.owner, { isArchivedAllowed: true }),
    status: 200,
    input: { namespace: z.union([id(), z.string().min(1)]) },
    answer: projectRecord,
    handle: ({ database, caller, target, input, origin }) => {
      const user = caller.user!;
      const own = findNamespaceId(database, user.username);
      const isOwn = [own, user.username].includes(input.namespace);
      const group = isOwn ? undefined : groupFor({ database, caller }, input.namespace);
      requireProjectCreation(database, user, isOwn ? own : undefined);
      requireVisibility(target.visibility, group?.visibility);
      return toProject(transferProject(database, target, group?.id ?? own!), origin);
    },
  }),
  endpoint({
    route: "POST /projects/:id/share",
    summary: "Share a project with a group",
    access: ofProject(LEVEL.maintainer),
    input: {
      group_id: id(),
      group_access: memberLevel(),
      expires_at: z.string().optional(),
    },
    answer: z
      .object({
        id: z.int(),
        project_id: z.int(),
        group_id: z.int(),
        group_access: z.int(),
        expires_at: z.string().nullable(),
      })
      .meta({ id: "ProjectShare" }),
    handle: ({ database, settings, caller, target, input: { group_access, ...input } }) => {
      requireKnownLevel(settings, group_access);
      const { id: group_id } = found(findSeenGroup(database, caller, input.group_id), "Group");
      requireLevel({ database, caller }, target, group_access);
      const expires_at = readExpiry(input.expires_at);
      const of = { project_id: target.id };
      const shareId = addShare(database, of, { group_id, group_access, expires_at });
      return { id: shareId, ...of, group_id, group_access, expires_at: expires_at?.slice(0, 10) ?? null };
    },
  }),
]);
