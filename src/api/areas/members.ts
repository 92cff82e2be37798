import * as z from "zod/mini";
import { type CallOptions, listOperation, operation, operationsOf, type Reference } from "../calls/operation";
import { defineArea, type OperationSender } from "../calls/operation-sender";
import { list } from "../calls/pagination";
import { id, numberOrNull, orNull, text, textOrNull } from "../fields";

const section = "Look-ups";

const member = z.object({
  id,
  username: text,
  name: textOrNull,
  state: textOrNull,
  access_level: z.number(),
  expires_at: textOrNull,
  email: textOrNull,
  web_url: textOrNull,
  member_role: orNull(z.object({ id, name: textOrNull, base_access_level: numberOrNull })),
});

/** A member of a project or group; only administrators see `email`; `member_role` is a custom role. */
export type Member = z.output<typeof member>;

const filter = z.strictObject({ query: z.optional(z.string()) });

/** Filter of a list of members: part of a name, username or e-mail address. */
export type MemberFilter = z.input<typeof filter>;

// A member with a direct and an inherited level is listed twice.
const key = ({ id, access_level }: Member): string => `${id} ${access_level}`;

const direct = <Kind extends "project" | "group">(kind: Kind) =>
  listOperation({
    summary: `Lists the direct members of a ${kind}.`,
    method: "GET",
    path: `/${kind}s/:id/members`,
    parameters: filter,
    answer: member,
    pagination: "offset",
    key,
  });

const all = <Kind extends "project" | "group">(kind: Kind) =>
  listOperation({
    summary: `Lists the members of a ${kind}, inherited ones included.`,
    method: "GET",
    path: `/${kind}s/:id/members/all`,
    parameters: filter,
    answer: member,
    pagination: "offset",
    key,
  });

const one = <Kind extends "project" | "group">(kind: Kind) =>
  operation({
    summary: `Reads one member of a ${kind}, inherited ones included; 404 for others.`,
    method: "GET",
    path: `/${kind}s/:id/members/all/:user`,
    answer: member,
  });

const operations = operationsOf("members", section, {
  ofProject: direct("project"),
  allOfProject: all("project"),
  inProject: one("project"),
  ofGroup: direct("group"),
  allOfGroup: all("group"),
  inGroup: one("group"),
});

/** Members of projects and groups; `not_found` if the project or group is not visible to this token. */
function methods(sender: OperationSender) {
  return {
    /** Direct members of a project. */
    ofProject: (id: Reference, parameters: MemberFilter = {}, options?: CallOptions) =>
      list(sender, operations.ofProject, { path: { id }, parameters }, options),
    /** Members of a project, inherited ones included. */
    allOfProject: (id: Reference, parameters: MemberFilter = {}, options?: CallOptions) =>
      list(sender, operations.allOfProject, { path: { id }, parameters }, options),
    /** One member of a project, inherited ones included. `not_found` for others. */
    inProject: (id: Reference, user: number, options?: CallOptions) =>
      sender.call(operations.inProject, { path: { id, user } }, options),
    /** Direct members of a group. */
    ofGroup: (id: Reference, parameters: MemberFilter = {}, options?: CallOptions) =>
      list(sender, operations.ofGroup, { path: { id }, parameters }, options),
    /** Members of a group, inherited ones included. */
    allOfGroup: (id: Reference, parameters: MemberFilter = {}, options?: CallOptions) =>
      list(sender, operations.allOfGroup, { path: { id }, parameters }, options),
    /** One member of a group, inherited ones included. `not_found` for others. */
    inGroup: (id: Reference, user: number, options?: CallOptions) =>
      sender.call(operations.inGroup, { path: { id, user } }, options),
  };
}

export const members = defineArea({
  operations: Object.values(operations),
  client: (sender) => ({ members: methods(sender) }),
});
