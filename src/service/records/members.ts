import { z } from "zod";
import type { Caller } from "../access/caller";
import { LEVEL } from "../access/levels";
import { notExpired, roleInGroup } from "../access/roles";
import type { Group } from "../model/groups";
import { type Source, sourceColumn } from "../model/members";
import type { Project } from "../model/projects";
import { type User, userById } from "../model/users";
import type { Database } from "../store/database";
import { type Condition, type Selection, where } from "../store/selection";
import { basicUser, toBasicUser } from "./users";

export const memberRecord = basicUser
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
export interface MemberList {
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

export const directMembers = (source: Source): MemberList => {
  const [column, id] = sourceColumn(source);
  return listOf(DIRECT.replace("%COLUMN%", column), [id]);
};

/** Direct members, those of the groups above, and those of the groups it is shared with. */
export const allMembers = (target: Project | Group): MemberList =>
  "namespaceId" in target
    ? listOf(
        `${DIRECT.replace("%COLUMN%", "project_id")} UNION ALL ${SHARED} AND s.project_id = ? UNION ALL ${OF_GROUP}`,
        [target.id, target.id, target.namespaceId, target.namespaceId],
      )
    : listOf(OF_GROUP, [target.id, target.id]);

/** Converts members to records that the caller may see. */
export const toMember =
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
