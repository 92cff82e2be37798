import * as z from "zod/mini";
import { type Area, defineArea } from "../calls/area";
import { listOperation, operation } from "../calls/operation";
import { id, idOrNull, level, oneOf, orNull, text, textOrNull } from "../fields";

const invitation = z.object({
  id: idOrNull,
  invite_email: text,
  created_at: textOrNull,
  access_level: level,
  expires_at: textOrNull,
  user_name: textOrNull,
  created_by_name: textOrNull,
});

/** A pending invitation (specification, "Pending invitation"). */
export type Invitation = z.output<typeof invitation>;

// After an update, the live platform returns only the level and the expiry date, so all other fields may be
// missing.
const updatedInvitation = z.extend(invitation, { invite_email: textOrNull });

/** A pending invitation after an update. Fields that the service did not return are null. */
export type UpdatedInvitation = z.output<typeof updatedInvitation>;

const accessLevel = oneOf(0, 5, 10, 15, 20, 25, 30, 40, 50);

/** Returns a schema that accepts one value or a list of values. The client sends a list as one comma-separated text. */
const several = <Given>(schema: z.ZodMiniType<Given, Given>) =>
  z.optional(
    z.pipe(
      schema,
      z.transform((given: Given) => (Array.isArray(given) ? given.join(",") : given)),
    ),
  );

const create = z
  .strictObject({
    email: several(z.union([text, z.array(text)])),
    user_id: several(z.union([id, text, z.array(z.union([id, text]))])),
    access_level: accessLevel,
    expires_at: z.optional(z.string()),
    invite_source: z.optional(z.string()),
    member_role_id: z.optional(id),
  })
  .check(
    // An empty text counts as not set, because `several` converts an empty list to an empty text.
    z.refine(({ email, user_id }) => [email, user_id].some((each) => each !== undefined && each !== ""), {
      error: "set email or user_id",
    }),
  );

/**
 * Parameters of an invitation: `email` or `user_id` (one or several), and a level; `expires_at` is
 * `YYYY-MM-DD`.
 */
export type NewInvitation = z.input<typeof create>;

// The client requires the level, although the service has a default: the default 30 is rarely the intended level.
const update = z.strictObject({ access_level: accessLevel, expires_at: z.optional(z.string()) });

/** Parameters of an update of an invitation. The level is required. An empty `expires_at` removes the expiry date. */
export type InvitationUpdate = z.input<typeof update>;

const filter = z.strictObject({ query: z.optional(z.string()) });

/** Filter of a list of invitations. `query` is an exact e-mail address. */
export type InvitationFilter = z.input<typeof filter>;

/**
 * For each address that was not invited, the reason in the service's response, as one text. Some releases of the
 * platform return a list of reasons, which this schema joins.
 */
const reasons = z.record(
  z.string(),
  z.pipe(
    z.union([z.string(), z.array(z.string())]),
    z.transform((given): string => (typeof given === "string" ? given : given.join("; "))),
  ),
);

/** The response to an invitation (specification, "Invitation creation result"). */
const creationResponse = z.pipe(
  z.object({
    status: z.enum(["success", "error"]),
    message: orNull(z.union([reasons, z.string()])),
    queued_users: orNull(reasons),
  }),
  z.transform(({ status, message, queued_users }): InvitationResult => {
    // The service's message contains failures only if the status is `error`.
    const messageOf = status === "error" ? message : null;
    const failures =
      typeof messageOf === "string"
        ? [failure(null, messageOf)]
        : Object.entries(messageOf ?? {}).map(([address, reason]) => failure(address, reason));
    return { status, failures, queued_users: queued_users ?? {} };
  }),
);

/** The reason why one address or user was not invited. */
export interface InvitationFailure {
  /** The e-mail address or username; null if the failure concerns the whole request. */
  readonly address: string | null;
  readonly kind: "already_invited" | "already_member" | "level_not_allowed" | "other";
  /** The service's message about the failure. */
  readonly reason: string;
}

/** The result of an invitation. A successful response may still contain failures of single addresses. */
export interface InvitationResult {
  readonly status: "success" | "error";
  readonly failures: readonly InvitationFailure[];
  /** Usernames that need an administrator's approval, with the service's messages. */
  readonly queued_users: Readonly<Record<string, string>>;
}

const failure = (address: string | null, reason: string): InvitationFailure => ({
  address,
  reason,
  kind: failureKind(reason),
});

function failureKind(reason: string): InvitationFailure["kind"] {
  // If an address is already invited, the live platform writes that it "has been taken". If the address belongs to a
  // member, the platform writes that the user already exists.
  if (/already (been )?invited|\bbeen taken\b/i.test(reason)) return "already_invited";
  if (/already (exists|a member)|already.*member/i.test(reason)) return "already_member";
  if (/not included in the list|level/i.test(reason)) return "level_not_allowed";
  return "other";
}

/**
 * Returns the operations on invitations to projects or groups (specification, "Invitations (groups and projects)").
 * Without access to the project or group, calls fail with `forbidden`, or with `not_found` if the token can't see the
 * project or group.
 */
const invitationsTo = <const Kind extends "project" | "group">(kind: Kind) => {
  const path = `/${kind as "project" | "group"}s/:id/invitations` as const;
  return defineArea(`${kind}Invitations`, "Invitations (groups and projects)", {
    /**
     * Invites addresses or users. If the service does not invite some of the addresses or users, the call succeeds, and
     * the result lists the failures.
     */
    create: operation(`POST ${path}`, {
      summary: `Invites people to a ${kind}, by e-mail address or user id.`,
      parameters: create,
      answer: creationResponse,
    }),
    /** Lists the pending invitations, without inherited invitations. */
    list: listOperation(path, {
      summary: `Lists a ${kind}'s pending invitations.`,
      parameters: filter,
      answer: invitation,
      key: ({ invite_email }) => invite_email,
    }),
    /**
     * Updates a pending invitation. Fields that the service does not return are null. The update is idempotent, so the
     * client sends the update again after a lost response.
     */
    update: operation(`PUT ${path}/:email`, {
      summary: `Updates the level or expiry date of a pending invitation to a ${kind}.`,
      parameters: update,
      answer: updatedInvitation,
      isRepeatable: true,
    }),
    /**
     * Deletes a pending invitation. Fails with `not_found` if there is no such invitation, and with `conflict` if the
     * service can't delete the invitation.
     */
    delete: operation(`DELETE ${path}/:email`, { summary: `Deletes a pending invitation to a ${kind}.` }),
  });
};

const project = invitationsTo("project");
const group = invitationsTo("group");

/** Invitations to projects, and to groups. */
export const invitations: Area<ReturnType<typeof project.client> & ReturnType<typeof group.client>> = {
  operations: [...project.operations, ...group.operations],
  client: (sender) => ({ ...project.client(sender), ...group.client(sender) }),
};
