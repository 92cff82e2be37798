import * as z from "zod/mini";
import { defineArea } from "../calls/area";
import { hasAskedId, listOperation, operation } from "../calls/operation";
import { id, numberOrNull, orNull, text, textOrNull } from "../fields";

const member = z.object({
  id,
  username: text,
  name: textOrNull,
  state: textOrNull,
  membership_state: textOrNull,
  access_level: z.number(),
  expires_at: textOrNull,
  email: textOrNull,
  web_url: textOrNull,
  member_role: orNull(z.object({ id, name: textOrNull, base_access_level: numberOrNull })),
});

/** A member of a project or group. Only administrators see `email`. `member_role` is a custom role. */
export type Member = z.output<typeof member>;

const filter = z.strictObject({ query: z.optional(z.string()) });

/** Filter of a list of members: part of a name, username or e-mail address. */
export type MemberFilter = z.input<typeof filter>;

// The list contains a member with a direct and an inherited level twice.
const key = ({ id, access_level }: Member): string => `${id} ${access_level}`;

/** Declares the three operations that read the members of a project or group. */
const membersOf = <const Kind extends "project" | "group">(kind: Kind) => {
  const lists = { parameters: filter, answer: member, key };
  return {
    direct: listOperation(`/${kind}s/:id/members`, {
      ...lists,
      summary: `Lists the direct members of a ${kind}.`,
    }),
    all: listOperation(`/${kind}s/:id/members/all`, {
      ...lists,
      summary: `Lists the members of a ${kind}, inherited ones included.`,
    }),
    one: operation(`GET /${kind}s/:id/members/all/:user`, {
      summary: `Reads one member of a ${kind}, inherited ones included; 404 for others.`,
      answer: member,
      isAbout: hasAskedId("user"),
    }),
  };
};
const project = membersOf("project");
const group = membersOf("group");

/** Members of projects and groups; `not_found` if the project or group is not visible to this token. */
export const members = defineArea("members", "Look-ups", {
  /** Direct members of a project. */
  ofProject: project.direct,
  /** Members of a project, inherited ones included. */
  allOfProject: project.all,
  /** One member of a project, including inherited members. `not_found` for any other user. */
  inProject: project.one,
  /** Direct members of a group. */
  ofGroup: group.direct,
  /** Members of a group, inherited ones included. */
  allOfGroup: group.all,
  /** One member of a group, including inherited members. `not_found` for any other user. */
  inGroup: group.one,
});
