import { z } from "zod";
import { requireLevel } from "../access/authority";
import type { Caller } from "../access/caller";
import { LEVEL, memberLevel, notExpired, roleInGroup, userRoleIn } from "../access/roles";
import { type AccessRule, ofGroup, ofProject } from "../endpoint/authorization";
import { type Declared, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { forbidden, notFound, refused } from "../http/errors";
import { commaSeparated, id } from "../http/parameters";
import type { Group } from "../model/groups";
import {
  isDirectMember,
  isLastOwner,
  readExpiry,
  removeMember,
  type Source,
  setMember,
  sourceColumn,
} from "../model/members";
import type { Project } from "../model/projects";
import { type User, userById } from "../model/users";
import { basicUser, toBasicUser } from "../records/users";
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
    /** Only for administrators and Owners of the enterprise user's group. */
    email: z.string().optional(),
  })
  .meta({ id: "Member" });

interface Membership {
  readonly userId: number;
  readonly level: number;
  readonly expiresAt: string | null;
  readonly createdAt: string;
  readonly memberRoleId: number | null;
}

type EntryOf<Entry> = (membership: Membership, user: User) => Entry;

/** Lists members of one project or group. */
interface MemberList {
  selection<Entry>(
    database: Database,
    conditions: readonly Condition[],
    entryOf: EntryOf<Entry>,
  ): Selection<Entry>;
}

const DIRECT = `SELECT m.user_id, m.access_level AS level, m.expires_at, m.created_at, m.member_role_id
  FROM members m WHERE m.%COLUMN% = ? AND ${notExpired("m")}`;

const SHARED = `SELECT m.user_id, min(s.group_access, m.access_level), m.expires_at, m.created_at, m.member_role_id FROM shares s
    JOIN namespace_ancestors g ON g.namespace_id = s.group_id JOIN members m ON m.group_id = g.ancestor_id
   WHERE ${notExpired("m")} AND ${notExpired("s")}`;

const OF_GROUP = `SELECT m.user_id, m.access_level AS level, m.expires_at, m.created_at, m.member_role_id
    FROM namespace_ancestors a JOIN members m ON m.group_id = a.ancestor_id
   WHERE a.namespace_id = ? AND ${notExpired("m")}
  UNION ALL ${SHARED} AND s.shared_group_id IN (SELECT ancestor_id FROM namespace_ancestors WHERE namespace_id = ?)`;

function listOf(roles: string, values: readonly number[]): MemberList {
  // With a single max() SQLite takes the other columns from the same row.
  const held = `(SELECT user_id, max(level) AS level, expires_at AS expiresAt, created_at AS createdAt,
                        member_role_id AS memberRoleId
                   FROM (${roles}) GROUP BY user_id)`;
  return {
    selection: (database, conditions, entryOf) => ({
      key: "u.id",
      from: "users u",
      where: [where(`u.id IN (SELECT user_id FROM (${roles}))`, ...values), ...conditions],
      order: [],
      load: (keys) =>
        keys.flatMap((key) => {
          const membership = database.one<Membership>(
            `SELECT user_id AS userId, level, expiresAt, createdAt, memberRoleId FROM ${held} WHERE user_id = ?`,
            ...values,
            key,
          );
          return membership === undefined
            ? []
            : [entryOf(membership, userById(database, membership.userId)!)];
        }),
    }),
  };
}

const directMembers = (source: Source): MemberList => {
  const [column, id] = sourceColumn(source);
  return listOf(DIRECT.replace("%COLUMN%", column), [id]);
};

/** Direct members, those of the groups above, and those of the groups it is shared with. */
const allMembers = (target: Project | Group): MemberList =>
  "namespaceId" in target
    ? listOf(
        `${DIRECT.replace("%COLUMN%", "project_id")} UNION ALL ${SHARED} AND s.project_id = ? UNION ALL ${OF_GROUP}`,
        [target.id, target.id, target.namespaceId, target.namespaceId],
      )
    : listOf(OF_GROUP, [target.id, target.id]);

/** Converts members to records that the caller may see. */
const toMember =
  (database: Database, caller: Caller, origin: string): EntryOf<z.output<typeof memberRecord>> =>
  (membership, user) => ({
    ...toBasicUser(user, origin),
    access_level: membership.level,
    created_at: membership.createdAt,
    expires_at: membership.expiresAt?.slice(0, 10) ?? null,
    membership_state: "active",
    member_role: membership.memberRoleId === null ? null : memberRole(database, membership.memberRoleId),
    ...(maySeeEmail(database, caller, user) ? { email: user.email } : {}),
  });

const memberRole = (database: Database, id: number) =>
  database.one<{ id: number; name: string; base_access_level: number }>(
    "SELECT id, name, base_access_level FROM member_roles WHERE id = ?",
    id,
  )!;

const maySeeEmail = (database: Database, caller: Caller, user: User): boolean =>
  caller.user?.isAdmin === true ||
  (user.enterpriseGroupId !== null && roleInGroup(database, caller, user.enterpriseGroupId) >= LEVEL.owner);

const section = "settled: Around the specification";

/** Routes of members, below projects and below groups. */
interface Routes<Target extends Project | Group> {
  readonly prefix: string;
  readonly seen: AccessRule<Target>;
  readonly changed: AccessRule<Target>;
  source(target: Target): Source;
}

const projects: Routes<Project> = {
  prefix: "/projects/:id",
  seen: ofProject(LEVEL.none),
  changed: ofProject(LEVEL.maintainer),
  source: (project) => ({ projectId: project.id }),
};

const groups: Routes<Group> = {
  prefix: "/groups/:id",
  seen: ofGroup(LEVEL.none),
  changed: ofGroup(LEVEL.owner),
  source: (group) => ({ groupId: group.id }),
};

function readers<Target extends Project | Group>(routes: Routes<Target>): Declared[] {
  const list = (suffix: string, summary: string, members: (target: Target) => MemberList) =>
    listEndpoint({
      method: "GET",
      path: `${routes.prefix}/members${suffix}`,
      summary,
      access: routes.seen,
      input: { query: z.string().optional() },
      entry: memberRecord,
      handle: ({ database, caller, target, input, origin }) => ({
        ...members(target).selection(
          database,
          whereGiven(input.query, (text) =>
            where(
              "u.name LIKE ? ESCAPE '\\' OR u.username LIKE ? ESCAPE '\\'",
              containing(text),
              containing(text),
            ),
          ),
          toMember(database, caller, origin),
        ),
      }),
    });
  const one = (suffix: string, summary: string, members: (target: Target) => MemberList) =>
    endpoint({
      method: "GET",
      path: `${routes.prefix}/members${suffix}/:user_id`,
      summary,
      access: routes.seen,
      input: { user_id: id() },
      answer: memberRecord,
      handle: ({ database, caller, target, input, origin }) => {
        const selection = members(target).selection(database, [], toMember(database, caller, origin));
        const [member] = selection.load([input.user_id]);
        if (member === undefined) throw notFound("Member");
        return member;
      },
    });
  const direct = (target: Target) => directMembers(routes.source(target));
  return [
    list("", "Direct members", direct),
    list(
      "/all",
      "Members with those inherited from groups above and from groups it is shared with",
      allMembers,
    ),
    one("", "One direct member", direct),
    one("/all", "One member, direct or inherited", allMembers),
  ];
}

function writers<Target extends Project | Group>(routes: Routes<Target>): Declared[] {
  const add = endpoint({
    method: "POST",
    path: `${routes.prefix}/members`,
    summary: "Add a member",
    access: routes.changed,
    status: 201,
    input: { user_id: commaSeparated(), access_level: memberLevel(), expires_at: z.string().optional() },
    answer: z.union([memberRecord, z.array(memberRecord)]),
    handle: ({ database, caller, target, input, origin }) => {
      requireLevel({ database, caller }, target, input.access_level);
      const source = routes.source(target);
      const userIds = input.user_id.map(Number);
      for (const userId of userIds) {
        if (!Number.isSafeInteger(userId) || userById(database, userId) === undefined) throw notFound("User");
        if (isDirectMember(database, source, userId)) throw refused(409, "Member already exists");
        setMember(database, source, {
          userId,
          level: input.access_level,
          expiresAt: readExpiry(input.expires_at),
          createdById: caller.user?.id,
        });
      }
      const members = directMembers(source)
        .selection(database, [], toMember(database, caller, origin))
        .load(userIds);
      return members.length === 1 ? members[0]! : members;
    },
  });
  const remove = endpoint({
    method: "DELETE",
    path: `${routes.prefix}/members/:user_id`,
    summary: "Remove a direct member",
    access: routes.changed,
    input: { user_id: id() },
    handle: ({ database, caller, target, input }) => {
      const source = routes.source(target);
      if (!isDirectMember(database, source, input.user_id)) throw notFound("Member");
      requireLevel({ database, caller }, target, userRoleIn(database, input.user_id, target));
      if (caller.user?.isAdmin !== true && isLastOwner(database, source, input.user_id)) {
        throw forbidden("The last Owner of a group can be removed by an administrator only");
      }
      removeMember(database, source, input.user_id);
      return undefined;
    },
  });
  return [add, remove];
}

export const memberEndpoints = inSection(section, [
  ...readers(projects),
  ...writers(projects),
  ...readers(groups),
  ...writers(groups),
]);
