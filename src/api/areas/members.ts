import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { type CallOptions, listOperation, operation, type Reference } from "../calls/operation";
import type { OperationSender } from "../calls/operation-sender";
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

const membersOf = <Kind extends "project" | "group">(kind: Kind) =>
  ({
    direct: listOperation({
      name: `members.of${kind === "project" ? "Project" : "Group"}`,
      summary: `Lists the direct members of a ${kind}.`,
      section,
      method: "GET",
      path: `/${kind}s/:id/members`,
      parameters: filter,
      answer: member,
      pagination: "offset",
      key,
    }),
    all: listOperation({
      name: `members.allOf${kind === "project" ? "Project" : "Group"}`,
      summary: `Lists the members of a ${kind}, inherited ones included.`,
      section,
      method: "GET",
      path: `/${kind}s/:id/members/all`,
      parameters: filter,
      answer: member,
      pagination: "offset",
      key,
    }),
    one: operation({
      name: `members.in${kind === "project" ? "Project" : "Group"}`,
      summary: `Reads one member of a ${kind}, inherited ones included; 404 for others.`,
      section,
      method: "GET",
      path: `/${kind}s/:id/members/all/:user`,
      answer: member,
    }),
  }) as const;

const operations = { project: membersOf("project"), group: membersOf("group") } as const;

/** Members of projects and groups; `not_found` if the project or group is not visible to this token. */
function methods(sender: OperationSender) {
  const { project, group } = operations;
  return {
    /** Direct members of a project. */
    ofProject: (id: Reference, parameters: MemberFilter = {}, options?: CallOptions) =>
      list(sender, project.direct, { path: { id }, parameters }, options),
    /** Members of a project, inherited ones included. */
    allOfProject: (id: Reference, parameters: MemberFilter = {}, options?: CallOptions) =>
      list(sender, project.all, { path: { id }, parameters }, options),
    /** One member of a project, inherited ones included. `not_found` for others. */
    inProject: (id: Reference, user: number, options?: CallOptions) =>
      sender.call(project.one, { path: { id, user } }, options),
    /** Direct members of a group. */
    ofGroup: (id: Reference, parameters: MemberFilter = {}, options?: CallOptions) =>
      list(sender, group.direct, { path: { id }, parameters }, options),
    /** Members of a group, inherited ones included. */
    allOfGroup: (id: Reference, parameters: MemberFilter = {}, options?: CallOptions) =>
      list(sender, group.all, { path: { id }, parameters }, options),
    /** One member of a group, inherited ones included. `not_found` for others. */
    inGroup: (id: Reference, user: number, options?: CallOptions) =>
      sender.call(group.one, { path: { id, user } }, options),
  };
}

export const members = defineArea({
  operations: [...Object.values(operations.project), ...Object.values(operations.group)],
  client: (sender) => ({ members: methods(sender) }),
});
