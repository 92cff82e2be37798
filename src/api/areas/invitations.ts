import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { type CallOptions, listOperation, operation, type Reference } from "../calls/operation";
import { list } from "../calls/pagination";
import type { Sender } from "../calls/sender";
import { id, idOrNull, oneOf, text, textOrNull } from "../fields";
import { creationAnswer, readCreation } from "../invitation-result";

const section = "Invitations (groups and projects)";

const invitation = z.object({
  id: idOrNull,
  invite_email: text,
  created_at: textOrNull,
  access_level: z.number(),
  expires_at: textOrNull,
  user_name: textOrNull,
  created_by_name: textOrNull,
});

/** A pending invitation (section "Pending invitation"). */
export type Invitation = z.output<typeof invitation>;

// The live platform answers a change with the level and the end alone.
const changed = z.object({
  id: idOrNull,
  invite_email: textOrNull,
  created_at: textOrNull,
  access_level: z.number(),
  expires_at: textOrNull,
  user_name: textOrNull,
  created_by_name: textOrNull,
});

/** A pending invitation after a change; what the service did not answer is null. */
export type ChangedInvitation = z.output<typeof changed>;

const accessLevel = oneOf(0, 5, 10, 15, 20, 30, 40, 50);

const create = z
  .strictObject({
    email: z.optional(z.union([text, z.array(text)])),
    user_id: z.optional(z.union([id, text, z.array(z.union([id, text]))])),
    access_level: accessLevel,
    expires_at: z.optional(z.string()),
    invite_source: z.optional(z.string()),
    member_role_id: z.optional(id),
  })
  .check(
    // No addresses at all are joined to an empty text.
    z.refine(({ email, user_id }) => [email, user_id].some((each) => each !== undefined && each !== ""), {
      error: "given with email or user_id",
    }),
  );

/** What inviting takes: `email` or `user_id` (one or several), and a level; `expires_at` is written `YYYY-MM-DD`. */
export type NewInvitation = z.input<typeof create>;

// The level is required here although the service has a default for it: 30 is seldom what was meant.
const update = z.strictObject({ access_level: accessLevel, expires_at: z.optional(z.string()) });

/** What a change takes: the level always; an empty `expires_at` clears it. */
export type InvitationUpdate = z.input<typeof update>;

const filter = z.strictObject({ query: z.optional(z.string()) });

/** Filter of a list of invitations: an exact e-mail address. */
export type InvitationFilter = z.input<typeof filter>;

const operationsFor = <Kind extends "project" | "group">(kind: Kind) =>
  ({
    create: operation({
      name: `${kind}Invitations.create`,
      summary: `Invites people to a ${kind}, by e-mail address or user id.`,
      section,
      method: "POST",
      path: `/${kind}s/:id/invitations`,
      parameters: create,
      answer: creationAnswer,
    }),
    list: listOperation({
      name: `${kind}Invitations.list`,
      summary: `Lists a ${kind}'s pending invitations.`,
      section,
      method: "GET",
      path: `/${kind}s/:id/invitations`,
      parameters: filter,
      answer: invitation,
      pagination: "offset",
      key: ({ invite_email }) => invite_email,
    }),
    update: operation({
      name: `${kind}Invitations.update`,
      summary: `Changes the level or the end of a pending invitation to a ${kind}.`,
      section,
      method: "PUT",
      path: `/${kind}s/:id/invitations/:email`,
      parameters: update,
      answer: changed,
      repeatable: true,
    }),
    delete: operation({
      name: `${kind}Invitations.delete`,
      summary: `Deletes a pending invitation to a ${kind}.`,
      section,
      method: "DELETE",
      path: `/${kind}s/:id/invitations/:email`,
    }),
  }) as const;

const operations = {
  project: operationsFor("project"),
  group: operationsFor("group"),
} as const;

/**
 * Invitations to projects, or to groups (section "Invitations (groups and projects)"): the caller needs access to
 * what people are invited to, else `forbidden`, or `not_found` where it can't be seen.
 */
function methods(sender: Sender, kind: "project" | "group") {
  const all = operations[kind];
  return {
    /** Failures of single addresses are no error: they stand in the result, one by one. */
    create: async (target: Reference, parameters: NewInvitation, options?: CallOptions) => {
      const { email, user_id, ...others } = parameters;
      const joined = { ...others, ...several({ email }), ...several({ user_id }) } as NewInvitation;
      const answer = await sender.call(all.create, { path: { id: target }, parameters: joined }, options);
      return readCreation(answer);
    },
    /** Pending invitations, direct ones alone. */
    list: (target: Reference, parameters: InvitationFilter = {}, options?: CallOptions) =>
      list(sender, all.list, { path: { id: target }, parameters }, options),
    /** Changes a pending invitation; what the service does not answer is null in the result. It is the same when sent twice, so it is repeated after a lost answer. */
    update: (target: Reference, email: string, parameters: InvitationUpdate, options?: CallOptions) =>
      sender.call(all.update, { path: { id: target, email }, parameters }, options),
    /** Deletes a pending invitation. `not_found` when there is none, `conflict` when it can't be deleted. */
    delete: (target: Reference, email: string, options?: CallOptions) =>
      sender.call(all.delete, { path: { id: target, email } }, options),
  };
}

/** Several addresses or ids go as one text, separated by commas. */
function several(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(",") : value]),
  );
}

export const invitations = defineArea({
  operations: [...Object.values(operations.project), ...Object.values(operations.group)],
  client: (sender) => ({
    projectInvitations: methods(sender, "project"),
    groupInvitations: methods(sender, "group"),
  }),
});
