import { z } from "zod";
import { requireLevel } from "../access/authority";
import { LEVEL, memberLevel, roleIn } from "../access/roles";
import { INVITATIONS } from "../compat/differences";
import { type AccessRule, ofGroup, ofProject } from "../endpoint/authorization";
import { type Declared, endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { badRequest, notFound } from "../http/errors";
import { commaSeparated, id } from "../http/parameters";
import type { Group } from "../model/groups";
import {
  changeInvitation,
  checkMemberRole,
  deleteInvitation,
  findInvitation,
  type Invitation,
  invitationTarget,
  invite,
  selectInvitations,
} from "../model/invitations";
import { readExpiry } from "../model/members";
import type { Project } from "../model/projects";
import { inMode, type ServiceSettings } from "../settings/settings";
import type { Database } from "../store/database";

const section = "Invitations (groups and projects)";

const invitationRecord = z
  .object({
    id: z.int(),
    invite_email: z.string(),
    created_at: z.iso.datetime(),
    access_level: z.int(),
    expires_at: z.iso.datetime().nullable(),
    user_name: z.string().nullable(),
    created_by_name: z.string().nullable(),
  })
  .meta({ id: "Invitation" });

const toInvitation =
  (settings: ServiceSettings) =>
  (invitation: Invitation): z.output<typeof invitationRecord> => ({
    id: invitation.id,
    invite_email: invitation.email,
    created_at: invitation.createdAt,
    access_level: invitation.accessLevel,
    expires_at: invitation.expiresAt && inMode(settings, INVITATIONS).expiry(invitation.expiresAt),
    user_name: invitation.userName,
    created_by_name: invitation.createdByName,
  });

const creationResult = z
  .object({
    status: z.enum(["success", "error"]),
    message: z.record(z.string(), z.string()).optional(),
    queued_users: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: "InvitationResult" });

/** Routes of invitations, below projects and below groups. */
interface Routes<Target extends Project | Group> {
  readonly prefix: string;
  readonly access: AccessRule<Target>;
}

const projects: Routes<Project> = {
  prefix: "/projects/:id/invitations",
  access: ofProject(LEVEL.maintainer),
};

const groups: Routes<Group> = {
  prefix: "/groups/:id/invitations",
  access: ofGroup(LEVEL.owner),
};

const newInvitations = <Target extends Project | Group>(routes: Routes<Target>): Declared =>
  endpoint({
    method: "POST",
    path: routes.prefix,
    summary: "Invite people by e-mail address or user id; failures are reported per address or username",
    access: routes.access,
    status: 201,
    input: {
      email: commaSeparated().optional(),
      user_id: commaSeparated().optional(),
      access_level: memberLevel(),
      expires_at: z.string().optional(),
      invite_source: z.string().optional(),
      member_role_id: id().optional(),
    },
    answer: creationResult,
    handle: ({ database, settings, caller, target, input }) => {
      const { email = [], user_id = [], access_level } = input;
      if (email.length + user_id.length === 0) {
        throw badRequest("email, user_id are missing, at least one parameter must be provided");
      }
      requireLevel({ database, caller }, target, access_level);
      const where = invitationTarget(database, target);
      checkMemberRole(database, where, input.member_role_id, access_level);
      const { failed, queued } = invite(database, settings, where, email, user_id, {
        level: access_level,
        expiresAt: readExpiry(input.expires_at),
        memberRoleId: input.member_role_id,
        inviteSource: input.invite_source,
        createdById: caller.user!.id,
        callerLevel: roleIn(database, caller, target),
      });
      return {
        status: failed.size > 0 ? ("error" as const) : ("success" as const),
        ...(failed.size > 0 ? { message: Object.fromEntries(failed) } : {}),
        ...(queued.size > 0 ? { queued_users: Object.fromEntries(queued) } : {}),
      };
    },
  });

const listInvitations = <Target extends Project | Group>(routes: Routes<Target>): Declared =>
  listEndpoint({
    method: "GET",
    path: routes.prefix,
    summary: "Pending direct invitations",
    access: routes.access,
    input: { query: z.string().optional() },
    entry: invitationRecord,
    handle: ({ database, settings, target, input }) =>
      selectInvitations(
        database,
        invitationTarget(database, target).source,
        input.query === "" ? undefined : input.query,
        toInvitation(settings),
      ),
  });

function invitationOf(database: Database, target: Project | Group, email: string): Invitation {
  const invitation = findInvitation(database, invitationTarget(database, target).source, email);
  if (invitation === undefined) throw notFound("Invitation");
  return invitation;
}

const changePending = <Target extends Project | Group>(routes: Routes<Target>): Declared =>
  endpoint({
    method: "PUT",
    path: `${routes.prefix}/:email`,
    summary: "Change a pending invitation; without `access_level` the level becomes 30",
    access: routes.access,
    input: {
      email: z.string(),
      access_level: memberLevel().default(LEVEL.developer),
      expires_at: z.string().optional(),
    },
    answer: invitationRecord,
    handle: ({ database, settings, caller, target, input }) => {
      const invitation = invitationOf(database, target, input.email);
      requireLevel({ database, caller }, target, Math.max(invitation.accessLevel, input.access_level));
      changeInvitation(database, invitation.id, {
        level: input.access_level,
        expiresAt: input.expires_at === undefined ? invitation.expiresAt : readExpiry(input.expires_at),
      });
      const changed = toInvitation(settings)(invitationOf(database, target, input.email));
      return inMode(settings, INVITATIONS).ofChange(changed);
    },
  });

const deletePending = <Target extends Project | Group>(routes: Routes<Target>): Declared =>
  endpoint({
    method: "DELETE",
    path: `${routes.prefix}/:email`,
    summary: "Delete a pending invitation",
    access: routes.access,
    input: { email: z.string() },
    handle: ({ database, caller, target, input }) => {
      const invitation = invitationOf(database, target, input.email);
      requireLevel({ database, caller }, target, invitation.accessLevel);
      deleteInvitation(database, invitation.id);
      return undefined;
    },
  });

const endpointsOf = <Target extends Project | Group>(routes: Routes<Target>): Declared[] => [
  newInvitations(routes),
  listInvitations(routes),
  changePending(routes),
  deletePending(routes),
];

export const invitationEndpoints = inSection(section, [...endpointsOf(projects), ...endpointsOf(groups)]);
