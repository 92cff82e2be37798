import { z } from "zod";
import { requireLevel } from "../access/authority";
import type { Caller } from "../access/caller";
import { LEVEL, memberLevel, notExpired, roleIn, userRoleIn } from "../access/roles";
import { type AccessRule, ofGroup, ofProject } from "../endpoint/authorization";
import { type Call, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { requireKnownLevel } from "../habits/security-manager";
import { forbidden, found, notFound, refused } from "../http/errors";
import { commaSeparated, id } from "../http/parameters";
import type { Group } from "../model/groups";
import {
  changeMember,
  isDirectMember,
  isLastOwner,
  readExpiry,
  removeMember,
  type Source,
  setMember,
  sourceColumn,
  sourceOf,
} from "../model/members";
import type { Project } from "../model/projects";
import { basicUser, toBasicUser, type User, userById } from "../model/users";
import type { Database } from "../store/database";
import { type Condition, containing, type Selection, where, whereGiven } from "../store/selection";

const memberRecord = basicUser
  .extend({
    access_level: z.int(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.date().nullable(),
    membership_state: z.literal("active"),
    /** The custom role of the membership. */
    member_role: z.object({ id: z.int(), name: z.string(), base_access_level: z.int() }).nullable(),
    /**
     * Administrators of the instance see this field for every member. The Owners of a group also see this field for
     * the enterprise users of the group.
     */
    email: z.string().optional(),
  })
  .meta({ id: "Member" });

interface Membership {
  readonly level: number;
  readonly expires_at: string | null;
  readonly created_at: string;
  readonly member_role_id: number | null;
}

/** The members of a project or group: a query for the roles of users, and the values of the `?` in this query. */
type MemberList = readonly [roles: string, values: readonly number[]];

const DIRECT = `SELECT m.user_id, m.access_level AS level, m.expires_at, m.created_at, m.member_role_id
  FROM members m WHERE m.%COLUMN% = ? AND ${notExpired("m")}`;

const SHARED = `SELECT m.user_id, min(s.group_access, m.access_level), m.expires_at, m.created_at, m.member_role_id FROM shares s
    JOIN namespace_ancestors g ON g.namespace_id = s.group_id JOIN members m ON m.group_id = g.ancestor_id
   WHERE ${notExpired("m")} AND ${notExpired("s")}`;

const OF_GROUP = `SELECT m.user_id, m.access_level AS level, m.expires_at, m.created_at, m.member_role_id
    FROM namespace_ancestors a JOIN members m ON m.group_id = a.ancestor_id
   WHERE a.namespace_id = ? AND ${notExpired("m")}
  UNION ALL ${SHARED} AND s.shared_group_id IN (SELECT ancestor_id FROM namespace_ancestors WHERE namespace_id = ?)`;

function directMembers(target: Project | Group): MemberList {
  const [column, id] = sourceColumn(sourceOf(target));
  return [DIRECT.replace("%COLUMN%", column), [id]];
}

/**
 * Returns the list of direct members, members of the parent groups, and members of the groups with which the project or group
 * is shared.
 */
const allMembers = (target: Project | Group): MemberList =>
  "namespace_id" in target
    ? [
        `${DIRECT.replace("%COLUMN%", "project_id")} UNION ALL ${SHARED} AND s.project_id = ? UNION ALL ${OF_GROUP}`,
        [target.id, target.id, target.namespace_id, target.namespace_id],
      ]
    : [OF_GROUP, [target.id, target.id]];

type Viewer = Pick<Call<unknown, unknown>, "database" | "caller" | "origin">;

/** Returns the selection of the members. The records of members contain only the fields that the caller may see. */
function selectMembers(
  viewer: Viewer,
  [roles, values]: MemberList,
  conditions: readonly Condition[] = [],
): Selection<z.output<typeof memberRecord>> {
  const { database } = viewer;
  // With a single max(), SQLite takes the other columns from the row with the maximum.
  const sql = `SELECT * FROM (SELECT user_id, max(level) AS level, expires_at, created_at, member_role_id
    FROM (${roles}) GROUP BY user_id) WHERE user_id = ?`;
  return {
    key: "u.id",
    from: "users u",
    where: [where(`u.id IN (SELECT user_id FROM (${roles}))`, ...values), ...conditions],
    load: (keys) =>
      keys.flatMap((key) => {
        const membership = database.one<Membership>(sql, ...values, key);
        return membership ? [toMember(viewer, membership, userById(database, Number(key))!)] : [];
      }),
  };
}

const toMember = (
  { database, caller, origin }: Viewer,
  { level, created_at, expires_at, member_role_id }: Membership,
  user: User,
): z.output<typeof memberRecord> => ({
  ...toBasicUser(user, origin),
  access_level: level,
  created_at,
  expires_at: expires_at?.slice(0, 10) ?? null,
  membership_state: "active",
  member_role: member_role_id === null ? null : memberRole(database, member_role_id),
  ...(canSeeEmail(database, caller, user) ? { email: user.email } : {}),
});

const memberRole = (database: Database, id: number) =>
  database.one<{ id: number; name: string; base_access_level: number }>(
    "SELECT id, name, base_access_level FROM member_roles WHERE id = ?",
    id,
  )!;

const canSeeEmail = (database: Database, caller: Caller, { enterprise_group_id: id }: User): boolean =>
  caller.user?.is_admin === 1 || (id !== null && roleIn(database, caller, { id }) >= LEVEL.owner);

type Access = AccessRule<Project | Group>;

type Members = (target: Project | Group) => MemberList;

const list = (route: `GET ${string}`, summary: string, access: Access, members: Members) =>
  listEndpoint({
    route,
    summary,
    access,
    input: { query: z.string().optional() },
    entry: memberRecord,
    handle: ({ target, input, ...viewer }) =>
      selectMembers(
        viewer,
        members(target),
        whereGiven(input.query, (text) => containing(text, "u.name", "u.username")),
      ),
  });

const one = (route: `GET ${string}`, summary: string, access: Access, members: Members) =>
  endpoint({
    route: `${route}/:user_id`,
    summary,
    access,
    input: { user_id: id() },
    answer: memberRecord,
    handle: ({ target, input, ...viewer }) =>
      found(selectMembers(viewer, members(target)).load([input.user_id])[0], "Member"),
  });

const WITH_INHERITED = "Members with those inherited from groups above and from groups it is shared with";

/**
 * Refuses to remove the last Owner of a group.
 *
 * @throws HttpError 403
 */
function requireOtherOwner(
  { database, caller }: Pick<Viewer, "database" | "caller">,
  source: Source,
  userId: number,
  what: "demoted" | "removed",
): void {
  if (caller.user?.is_admin !== 1 && isLastOwner(database, source, userId))
    throw forbidden(`The last Owner of a group can be ${what} by an administrator only`);
}

/** Returns the endpoints of members below a path, such as `/projects/:id`. */
const endpointsOf = (prefix: string, seen: Access, changed: Access) => [
  list(`GET ${prefix}/members`, "Direct members", seen, directMembers),
  list(`GET ${prefix}/members/all`, WITH_INHERITED, seen, allMembers),
  one(`GET ${prefix}/members`, "One direct member", seen, directMembers),
  one(`GET ${prefix}/members/all`, "One member, direct or inherited", seen, allMembers),
  endpoint({
    route: `POST ${prefix}/members`,
    summary: "Add a member",
    access: changed,
    input: { user_id: commaSeparated(), access_level: memberLevel(), expires_at: z.string().optional() },
    answer: z.union([memberRecord, z.array(memberRecord)]),
    handle: ({ target, input, ...viewer }) => {
      const { database, settings, caller } = viewer;
      const { access_level } = input;
      requireKnownLevel(settings, access_level);
      requireLevel({ database, caller }, target, access_level);
      const source = sourceOf(target);
      const userIds = input.user_id.map(Number);
      for (const user_id of userIds) {
        if (!Number.isSafeInteger(user_id) || userById(database, user_id) === undefined)
          throw notFound("User");
        if (isDirectMember(database, source, user_id)) throw refused(409, "Member already exists");
        const expires_at = readExpiry(input.expires_at);
        setMember(database, source, { user_id, access_level, expires_at, created_by_id: caller.user?.id });
      }
      const members = selectMembers(viewer, directMembers(target)).load(userIds);
      return members.length === 1 ? members[0]! : members;
    },
  }),
  endpoint({
    route: `PUT ${prefix}/members/:user_id`,
    summary: "Change the access level of a direct member, and remove its custom role",
    access: changed,
    input: { user_id: id(), access_level: memberLevel(), expires_at: z.string().optional() },
    answer: memberRecord,
    handle: ({ target, input, ...viewer }) => {
      const { database, settings, caller } = viewer;
      const { user_id, access_level } = input;
      const source = sourceOf(target);
      if (!isDirectMember(database, source, user_id)) throw notFound("Member");
      requireKnownLevel(settings, access_level);
      requireLevel({ database, caller }, target, access_level);
      requireLevel({ database, caller }, target, userRoleIn(database, user_id, target));
      if (access_level < LEVEL.owner) requireOtherOwner(viewer, source, user_id, "demoted");
      const expires_at = input.expires_at === undefined ? undefined : readExpiry(input.expires_at);
      changeMember(database, source, { user_id, access_level, expires_at });
      return selectMembers(viewer, directMembers(target)).load([user_id])[0]!;
    },
  }),
  endpoint({
    route: `DELETE ${prefix}/members/:user_id`,
    summary: "Remove a direct member",
    access: changed,
    input: { user_id: id() },
    handle: ({ database, caller, target, input }) => {
      const source = sourceOf(target);
      if (!isDirectMember(database, source, input.user_id)) throw notFound("Member");
      requireLevel({ database, caller }, target, userRoleIn(database, input.user_id, target));
      requireOtherOwner({ database, caller }, source, input.user_id, "removed");
      removeMember(database, source, input.user_id);
    },
  }),
];

export const memberEndpoints = inSection("settled: Around the specification", [
  ...endpointsOf("/projects/:id", ofProject(LEVEL.none), ofProject(LEVEL.maintainer)),
  ...endpointsOf("/groups/:id", ofGroup(LEVEL.none), ofGroup(LEVEL.owner)),
]);
