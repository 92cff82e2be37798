import { z } from "zod";
import { requireLevel } from "../access/authority";
import { LEVEL, memberLevel, roleIn } from "../access/roles";
import { type AccessRule, ofGroup, ofProject } from "../endpoint/authorization";
import { endpoint, inSection, listEndpoint } from "../endpoint/endpoint";
import { EXPIRY } from "../habits/expiry-dates";
import { INVITATION_REFUSALS } from "../habits/invitation-refusals";
import { REASON } from "../habits/odd-refusals";
import { requireKnownLevel } from "../habits/security-manager";
import { CHANGED_INVITATION } from "../habits/short-invitation-updates";
import { badRequest, found } from "../http/errors";
import { commaSeparated, id, recordOf } from "../http/parameters";
import type { Group } from "../model/groups";
import {
  checkMemberRole,
  findInvitation,
  type Invitation,
  invite,
  selectInvitations,
} from "../model/invitations";
import { readExpiry, sourceOf } from "../model/members";
import type { Project } from "../model/projects";
import { chosen, type ServiceSettings } from "../settings/settings";
import { type Database, removeRow, update } from "../store/database";

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

const recordOfInvitation = recordOf(invitationRecord);

const toInvitation = (settings: ServiceSettings) => (invitation: Invitation) =>
  recordOfInvitation({
    ...invitation,
    invite_email: invitation.email,
    expires_at: invitation.expires_at && chosen(settings, EXPIRY)(invitation.expires_at),
  });

const creationResult = z
  .object({
    status: z.enum(["success", "error"]),
    message: z.record(z.string(), z.string()).optional(),
    queued_users: z.record(z.string(), z.string()).optional(),
  })
  .meta({ id: "InvitationResult" });

const invitationOf = (
  settings: ServiceSettings,
  database: Database,
  target: Project | Group,
  email: string,
): Invitation => found(findInvitation(settings, database, sourceOf(target), email), "Invitation");

const reasonsOf = (settings: ServiceSettings, failed: ReadonlyMap<string, string>) =>
  Object.fromEntries([...failed].map(([name, reason]) => [name, chosen(settings, REASON)(reason)]));

type Access = AccessRule<Project | Group>;

const inviteEndpoint = (prefix: string, access: Access) =>
  endpoint({
    route: `POST ${prefix}`,
    summary: "Invite people by e-mail address or user id; failures are reported per address or username",
    access,
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
      const { email = [], user_id = [], access_level, member_role_id } = input;
      if (email.length + user_id.length === 0) {
        throw badRequest("email, user_id are missing, at least one parameter must be provided");
      }
      requireKnownLevel(settings, access_level);
      requireLevel({ database, caller }, target, access_level);
      checkMemberRole(database, target, member_role_id, access_level);
      const expires_at = readExpiry(input.expires_at);
      const terms = { access_level, expires_at, member_role_id, created_by_id: caller.user!.id };
      const callerLevel = roleIn(database, caller, target);
      const wording = chosen(settings, INVITATION_REFUSALS);
      const request = { database, settings, container: target, terms, callerLevel, wording };
      const { failed, queued } = invite(request, email, user_id);
      return {
        status: failed.size > 0 ? ("error" as const) : ("success" as const),
        ...(failed.size > 0 ? { message: reasonsOf(settings, failed) } : {}),
        ...(queued.size > 0 ? { queued_users: Object.fromEntries(queued) } : {}),
      };
    },
  });

const listInvitationsEndpoint = (prefix: string, access: Access) =>
  listEndpoint({
    route: `GET ${prefix}`,
    summary: "Pending direct invitations",
    access,
    input: { query: z.string().optional() },
    entry: invitationRecord,
    handle: ({ database, settings, target, input }) =>
      selectInvitations(
        settings,
        database,
        sourceOf(target),
        input.query || undefined,
        toInvitation(settings),
      ),
  });

const changeInvitationEndpoint = (prefix: string, access: Access) =>
  endpoint({
    route: `PUT ${prefix}/:email`,
    summary: "Change a pending invitation; without `access_level` the level becomes 30",
    access,
    input: {
      email: z.string(),
      access_level: memberLevel().default(LEVEL.developer),
      expires_at: z.string().optional(),
    },
    answer: invitationRecord,
    handle: ({ database, settings, caller, target, input: { email, access_level, expires_at } }) => {
      requireKnownLevel(settings, access_level);
      const invitation = invitationOf(settings, database, target, email);
      requireLevel({ database, caller }, target, Math.max(invitation.access_level, access_level));
      const expiry = expires_at === undefined ? undefined : readExpiry(expires_at);
      update(database, "invitations", invitation.id, { access_level, expires_at: expiry });
      const changed = toInvitation(settings)(invitationOf(settings, database, target, email));
      return chosen(settings, CHANGED_INVITATION)(changed);
    },
  });

const deleteInvitationEndpoint = (prefix: string, access: Access) =>
  endpoint({
    route: `DELETE ${prefix}/:email`,
    summary: "Delete a pending invitation",
    access,
    input: { email: z.string() },
    handle: ({ database, settings, caller, target, input }) => {
      const invitation = invitationOf(settings, database, target, input.email);
      requireLevel({ database, caller }, target, invitation.access_level);
      removeRow(database, "invitations", invitation.id);
    },
  });

/** Returns the endpoints of invitations below a path, such as `/projects/:id`. */
const endpointsOf = (prefix: string, access: Access) => [
  inviteEndpoint(prefix, access),
  listInvitationsEndpoint(prefix, access),
  changeInvitationEndpoint(prefix, access),
  deleteInvitationEndpoint(prefix, access),
];

export const invitationEndpoints = inSection("Invitations (groups and projects)", [
  ...endpointsOf("/projects/:id/invitations", ofProject(LEVEL.maintainer)),
  ...endpointsOf("/groups/:id/invitations", ofGroup(LEVEL.owner)),
]);
