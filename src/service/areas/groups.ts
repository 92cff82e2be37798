import { z } from "zod";
import { requireGroupCreation, requireLevel } from "../access/authority";
import { LEVEL, requireVisibility, roleInGroup, VISIBILITIES } from "../access/roles";
import { anyone, ofGroup, signedIn } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { forbidden, notFound } from "../http/errors";
import { id } from "../http/parameters";
import {
  createGroup,
  deleteGroup,
  descendantsOf,
  findGroup,
  type Group,
  groupsWithRole,
  maySeeGroup,
  PATH_PATTERN,
  selectGroups,
  visibleGroups,
} from "../model/groups";
import { setMember } from "../model/members";
import { groupWebAddress, sharedGroup, sharedGroupsOf } from "../records/projects";
import { containing, type Selection, where, whereGiven } from "../store/selection";

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

const toGroup = (group: Group, origin: string): z.output<typeof groupRecord> => ({
  id: group.id,
  web_url: groupWebAddress(origin, group.fullPath),
  name: group.name,
  path: group.path,
  description: group.description,
  visibility: group.visibility,
  full_name: group.name,
  full_path: group.fullPath,
  created_at: group.createdAt,
  parent_id: group.parentId,
  avatar_url: null,
});

const section = "settled: Around the specification";

const searchGroups = (text: string) =>
  where("n.name LIKE ? ESCAPE '\\' OR n.full_path LIKE ? ESCAPE '\\'", containing(text), containing(text));

const listGroups = listEndpoint({
  method: "GET",
  path: "/groups",
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
    const groups = selectGroups(database, [
      visibleGroups(caller),
      ...whereGiven(input.search, searchGroups),
      ...(input.top_level_only === true ? [where("n.parent_id IS NULL")] : []),
      ...(caller.user === undefined
        ? []
        : whereGiven(input.min_access_level, (level) => groupsWithRole(caller.user!.id, level))),
    ]);
    return groupRecords(groups, origin);
  },
});

const groupRecords = (groups: Selection<Group>, origin: string): Selection<z.output<typeof groupRecord>> => ({
  ...groups,
  load: (keys) => groups.load(keys).map((group) => toGroup(group, origin)),
});

const listDescendants = listEndpoint({
  method: "GET",
  path: "/groups/:id/descendant_groups",
  summary: "Subgroups of a group, of all levels, that the caller may see",
  access: ofGroup(LEVEL.none, { anonymous: true }),
  input: { search: z.string().optional() },
  entry: groupRecord,
  handle: ({ database, caller, target, input, origin }) =>
    groupRecords(
      selectGroups(database, [
        descendantsOf(target.id),
        visibleGroups(caller),
        ...whereGiven(input.search, searchGroups),
      ]),
      origin,
    ),
});

const getGroup = endpoint({
  method: "GET",
  path: "/groups/:id",
  summary: "One group, with the groups it is shared with",
  access: ofGroup(LEVEL.none, { anonymous: true }),
  answer: groupRecord,
  handle: ({ database, caller, target, origin }) => ({
    ...toGroup(target, origin),
    shared_with_groups: sharedGroupsOf(database, caller, { groupId: target.id }),
  }),
});

const newGroup = endpoint({
  method: "POST",
  path: "/groups",
  summary: "Add a group, or a subgroup by `parent_id`; the caller becomes its Owner",
  access: signedIn,
  status: 201,
  input: {
    name: z.string().min(1).max(255),
    path: z.string().regex(PATH_PATTERN).max(255),
    parent_id: id().optional(),
    visibility: z.enum(VISIBILITIES).default("private"),
    description: z.string().optional(),
  },
  answer: groupRecord,
  handle: ({ database, caller, input, origin }) => {
    requireGroupCreation(caller.user!);
    const parent = input.parent_id === undefined ? undefined : findGroup(database, String(input.parent_id));
    if (input.parent_id !== undefined) {
      if (parent === undefined || !maySeeGroup(database, caller, parent)) throw notFound("Group");
      if (roleInGroup(database, caller, parent.id) < LEVEL.maintainer) throw forbidden();
    }
    requireVisibility(input.visibility, parent?.visibility);
    const { name, path, description } = input;
    const group = createGroup(database, { name, path, parent, visibility: input.visibility, description });
    const userId = caller.user!.id;
    setMember(database, { groupId: group.id }, { userId, level: LEVEL.owner, createdById: userId });
    return toGroup(group, origin);
  },
});

const removeGroup = endpoint({
  method: "DELETE",
  path: "/groups/:id",
  summary: "Delete a group with its subgroups and projects",
  access: ofGroup(LEVEL.owner),
  status: 202,
  answer: z.object({ message: z.string() }),
  handle: ({ database, caller, target }) => {
    // The deletion also removes memberships and shares through which others reach shared projects.
    requireLevel({ database, caller }, target, LEVEL.owner);
    deleteGroup(database, target.id);
    return { message: "202 Accepted" };
  },
});

export const groupEndpoints = inSection(section, [
  listGroups,
  getGroup,
  newGroup,
  removeGroup,
  listDescendants,
]);
