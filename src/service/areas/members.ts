import { z } from "zod";
import { requireLevel } from "../access/authority";
import { LEVEL, memberLevel } from "../access/levels";
import { userRoleIn } from "../access/roles";
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
} from "../model/members";
import type { Project } from "../model/projects";
import { userById } from "../model/users";
import { allMembers, directMembers, type MemberList, memberRecord, toMember } from "../records/members";
import { containing, where, whereGiven } from "../store/selection";

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
