import { z } from "zod";
import { administrator, anyone } from "../endpoint/authorization";
import { type Endpoint, endpoint, inSection } from "../endpoint/endpoint";
import { type Faults, faultSchema } from "../endpoint/faults";
import { notFound, refused } from "../http/errors";
import { id } from "../http/parameters";
import { deleteInvitation, type Invitation, invitationById, isExpired } from "../model/invitations";
import { isDirectMember, setMember } from "../model/members";
import { createUser, type User, userByEmail, userById, userByName } from "../model/users";
import type { Database } from "../store/database";

const section = "settled: Around the specification";

const health = endpoint({
  method: "GET",
  path: "/_steward/health",
  summary: "Health of the instance and its data",
  access: anyone,
  answer: z.object({ status: z.literal("ok"), version: z.string() }).meta({ id: "Health" }),
  handle: ({ database, settings }) => {
    database.one("SELECT count(*) FROM settings");
    return { status: "ok" as const, version: settings.version };
  },
});

const joined = z
  .object({ user_id: z.int(), username: z.string(), access_level: z.int() })
  .meta({ id: "AcceptedInvitation" });

function openInvitation(database: Database, invitationId: number): Invitation {
  const invitation = invitationById(database, invitationId);
  if (invitation === undefined) throw notFound("Invitation");
  if (isExpired(invitation)) throw refused(409, "The invitation has expired");
  return invitation;
}

/** Adds the invited user as a member and deletes the invitation. */
function join(database: Database, invitation: Invitation, user: User): z.output<typeof joined> {
  const source =
    invitation.projectId === null ? { groupId: invitation.groupId! } : { projectId: invitation.projectId };
  // An older invitation must not lower the level of a member.
  if (isDirectMember(database, source, user.id)) throw refused(409, "The person is already a member");
  deleteInvitation(database, invitation.id);
  setMember(database, source, {
    userId: user.id,
    level: invitation.accessLevel,
    expiresAt: invitation.expiresAt,
    memberRoleId: invitation.memberRoleId,
  });
  return { user_id: user.id, username: user.username, access_level: invitation.accessLevel };
}

/** Derives an unused username from the local part of an address. */
function usernameFor(database: Database, email: string): string {
  const base =
    email
      .slice(0, email.indexOf("@"))
      .replace(/[^A-Za-z0-9_.-]+/g, "-")
      .replace(/^[-.]+/, "") || "user";
  for (let number = 1; ; number += 1) {
    const username = number === 1 ? base : `${base}${number}`;
    if (userByName(database, username) === undefined) return username;
  }
}

const accept = endpoint({
  method: "POST",
  path: "/_steward/invitations/:id/accept",
  summary: "Accept an invitation for the person; creates an account if there is none",
  access: administrator,
  status: 201,
  input: { id: id() },
  answer: joined,
  handle: ({ database, input }) => {
    const invitation = openInvitation(database, input.id);
    if (invitation.queuedUserId !== null) {
      throw refused(409, "The invitation waits for an administrator: approve it");
    }
    const { email } = invitation;
    const user =
      userByEmail(database, email) ??
      createUser(database, {
        username: usernameFor(database, email),
        name: email.slice(0, email.indexOf("@")),
        email,
      });
    return join(database, invitation, user);
  },
});

const approve = endpoint({
  method: "POST",
  path: "/_steward/invitations/:id/approve",
  summary: "Approve a promotion that waits for an administrator",
  access: administrator,
  status: 201,
  input: { id: id() },
  answer: joined,
  handle: ({ database, input }) => {
    const invitation = openInvitation(database, input.id);
    if (invitation.queuedUserId === null) {
      throw refused(409, "The invitation waits for the person: accept it");
    }
    return join(database, invitation, userById(database, invitation.queuedUserId)!);
  },
});

export const stewardEndpoints = inSection(section, [health, accept, approve]);

const faultSection = "settled: faults on request, for tests";

/** Endpoints that inject faults, for tests that run the service as a process. Served only with `allowFaults`. */
export const faultEndpoints = (faults: Faults): readonly Endpoint[] =>
  inSection(faultSection, [
    endpoint({
      method: "POST",
      path: "/_steward/faults",
      summary: "Inject a fault into future requests",
      access: administrator,
      input: faultSchema.shape,
      handle: ({ input }) => {
        faults.add(input);
        return undefined;
      },
    }),
    endpoint({
      method: "DELETE",
      path: "/_steward/faults",
      summary: "Remove all pending faults",
      access: administrator,
      handle: () => {
        faults.clear();
        return undefined;
      },
    }),
  ]);
