import { z } from "zod";
import { administrator, anyone } from "../endpoint/authorization";
import { type Endpoint, endpoint, inSection } from "../endpoint/endpoint";
import { type Faults, faultSchema } from "../endpoint/faults";
import { badRequest, found, refused } from "../http/errors";
import { id } from "../http/parameters";
import { type Invitation, invitationById, isExpired } from "../model/invitations";
import { isDirectMember, setMember } from "../model/members";
import { createUser, type User, userByEmail, userById, userByName } from "../model/users";
import { type Database, removeRow } from "../store/database";

const joined = z
  .object({ user_id: z.int(), username: z.string(), access_level: z.int() })
  .meta({ id: "AcceptedInvitation" });

function openInvitation(database: Database, invitationId: number): Invitation {
  const invitation = found(invitationById(database, invitationId), "Invitation");
  if (isExpired(invitation)) throw refused(409, "The invitation has expired");
  return invitation;
}

/** Adds the invited user as a member and deletes the invitation. */
function join(database: Database, invitation: Invitation, user: User): z.output<typeof joined> {
  const { project_id, group_id, access_level, expires_at, member_role_id } = invitation;
  const source = project_id === null ? { group_id: group_id! } : { project_id };
  // An older invitation must not lower the level of a member.
  if (isDirectMember(database, source, user.id)) throw refused(409, "The person is already a member");
  removeRow(database, "invitations", invitation.id);
  setMember(database, source, { user_id: user.id, access_level, expires_at, member_role_id });
  return { user_id: user.id, username: user.username, access_level };
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

export const stewardEndpoints = inSection("settled: Around the specification", [
  endpoint({
    route: "GET /_steward/health",
    summary: "Health of the instance and its data",
    access: anyone,
    answer: z.object({ status: z.literal("ok"), version: z.string() }).meta({ id: "Health" }),
    handle: ({ database, settings }) => {
      database.one("SELECT count(*) FROM settings");
      return { status: "ok" as const, version: settings.version };
    },
  }),
  endpoint({
    route: "POST /_steward/invitations/:id/accept",
    summary: "Accept an invitation for the person; creates an account if there is none",
    access: administrator,
    input: { id: id() },
    answer: joined,
    handle: ({ database, input }) => {
      const invitation = openInvitation(database, input.id);
      if (invitation.queued_user_id !== null) {
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
  }),
  endpoint({
    route: "POST /_steward/invitations/:id/approve",
    summary: "Approve a promotion that waits for an administrator",
    access: administrator,
    input: { id: id() },
    answer: joined,
    handle: ({ database, input }) => {
      const invitation = openInvitation(database, input.id);
      if (invitation.queued_user_id === null) {
        throw refused(409, "The invitation waits for the person: accept it");
      }
      return join(database, invitation, userById(database, invitation.queued_user_id)!);
    },
  }),
]);

/**
 * Rejects unknown keys of a fault. If a key were misspelled, the fault would affect the wrong requests, or have no
 * effect.
 */
function requireKnownKeys(given: Readonly<Record<string, unknown>>): void {
  const known = Object.keys(faultSchema.shape);
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length > 0)
    throw badRequest(`Unknown keys: ${unknown.join(", ")}. A fault can have ${known.join(", ")}.`);
}

/**
 * Returns the endpoints that inject faults, for tests that run the service as a process. The service has these
 * endpoints only with `allowFaults`.
 */
export const faultEndpoints = (faults: Faults): readonly Endpoint[] =>
  inSection("settled: faults on request, for tests", [
    endpoint({
      route: "POST /_steward/faults",
      summary: "Inject a fault into future requests",
      access: administrator,
      input: faultSchema.shape,
      handle: ({ given, input }) => {
        requireKnownKeys(given);
        faults.add(input);
      },
    }),
    endpoint({
      route: "DELETE /_steward/faults",
      summary: "Remove all pending faults",
      access: administrator,
      handle: () => faults.clear(),
    }),
  ]);
