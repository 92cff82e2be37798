import { z } from "zod";
import { requireGroupCreation, requireLevel } from "../access/authority";
import { LEVEL, requireVisibility, roleIn, VISIBILITIES } from "../access/roles";
import { anyone, ofGroup, signedIn } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { forbidden, found } from "../http/errors";
import { id, recordOf } from "../http/parameters";
import {
  createGroup,
  descendantsOf,
  findSeenGroup,
  type Group,
  groupsWithRole,
  groupWebAddress,
  PATH_PATTERN,
  selectGroups,
  visibleGroups,
} from "../model/groups";
import { setMember } from "../model/members";
import { sharedGroup, sharedGroupsOf } from "../model/projects";
import { removeRow } from "../store/database";
import { containing, where, whereGiven } from "../store/selection";

const groupRecord = z
  .object({
    id: z.int(),
    web_url: z.string(),
    name: z.string(),
    path: z.string(),
    description: z.string().nullable(),
    visibility: z.enum(VISIBILITIES),
    full_name: z.string(),
    full_path: z.string(),
    created_at: z.iso.datetime(),
    parent_id: z.int().nullable(),
    avatar_url: z.string().nullable(),
    shared_with_groups: z.array(sharedGroup).optional(),
  })
  .meta({ id: "Group" });

const recordOfGroup = recordOf(groupRecord);

const toGroup = (origin: string) => (group: Group) =>
  recordOfGroup({
    ...group,
    web_url: groupWebAddress(origin, group.full_path),
    full_name: group.name,
    avatar_url: null,
  });

const searchGroups = (text: string) => containing(text, "n.name", "n.full_path");

export const groupEndpoints = inSection("settled: Around the specification", [
  listEndpoint({
    route: "GET /groups",
    summary: "Groups that the caller may see",
    section: "settled: Around the specification; Limits (keyset)",
    access: anyone,
    input: {
      search: z.string().optional(),
      top_level_only: z.boolean().optional(),
      min_access_level: z.int().optional(),
    },
    entry: groupRecord,
    keyset: { callers: "unauthenticated", columns: { name: "n.name" }, sorts: ["asc"] },
    handle: ({ database, caller, input, origin }) => {
      const { user } = caller;
      const conditions = [
        visibleGroups(caller),
        ...whereGiven(input.search, searchGroups),
        ...(input.top_level_only === true ? [where("n.parent_id IS NULL")] : []),
        ...(user ? whereGiven(input.min_access_level, (level) => groupsWithRole(user.id, level)) : []),
      ];
      return selectGroups(database, conditions, toGroup(origin));
    },
  }),
  endpoint({
    route: "GET /groups/:id",
    summary: "One group, with the groups it is shared with",
    access: ofGroup(LEVEL.none, { isAnonymous: true }),
    answer: groupRecord,
    handle: ({ database, caller, target, origin }) => ({
      ...toGroup(origin)(target),
      shared_with_groups: sharedGroupsOf(database, caller, "shared_group_id", target.id),
    }),
  }),
  endpoint({
    route: "POST /groups",
    summary: "Add a group, or a subgroup by `parent_id`; the caller becomes its Owner",
    access: signedIn,
    input: {
      name: z.string().min(1).max(255),
      path: z.string().regex(PATH_PATTERN).max(255),
      parent_id: id().optional(),
      visibility: z.enum(VISIBILITIES).default("private"),
      description: z.string().optional(),
    },
    answer: groupRecord,
    handle: ({ database, caller, input: { parent_id, ...group }, origin }) => {
      const { id: userId } = caller.user!;
      requireGroupCreation(caller.user!);
      const parent =
        parent_id === undefined ? undefined : found(findSeenGroup(database, caller, parent_id), "Group");
      if (parent && roleIn(database, caller, { id: parent.id }) < LEVEL.maintainer) throw forbidden();
      requireVisibility(group.visibility, parent?.visibility);
      const created = createGroup(database, group, parent);
      const owner = { user_id: userId, access_level: LEVEL.owner, created_by_id: userId };
      setMember(database, { group_id: created.id }, owner);
      return toGroup(origin)(created);
    },
  }),
  endpoint({
    route: "DELETE /groups/:id",
    summary: "Delete a group with its subgroups and projects",
    access: ofGroup(LEVEL.owner),
    status: 202,
    answer: z.object({ message: z.string() }),
    handle: ({ database, caller, target }) => {
      // The caller needs the level of an Owner everywhere, because the deletion also ends the members' access to projects
      // that are shared with the group.
      requireLevel({ database, caller }, target, LEVEL.owner);
      removeRow(database, "namespaces", target.id);
      return { message: "202 Accepted" };
    },
  }),
  listEndpoint({
    route: "GET /groups/:id/descendant_groups",
    summary: "Subgroups of a group, of all levels, that the caller may see",
    access: ofGroup(LEVEL.none, { isAnonymous: true }),
    input: { search: z.string().optional() },
    entry: groupRecord,
    handle: ({ database, caller, target, input, origin }) =>
      selectGroups(
        database,
        [descendantsOf(target.id), visibleGroups(caller), ...whereGiven(input.search, searchGroups)],
        toGroup(origin),
      ),
  }),
]);
