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

/** Filter of a list of members. `query` is a part of a name, username or e-mail address. */
export type MemberFilter = z.input<typeof filter>;

// Returns the key of a record in a list of members. The key contains the level, because a member with a direct and
// an inherited level is in the list twice.
const key = ({ id, access_level }: Member): string => `${id} ${access_level}`;

/** Returns the three operations that read the members of a project or group. */
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

/** Members of projects and groups. Calls fail with `not_found` if this token can't see the project or group. */
export const members = defineArea("members", "Look-ups", {
  /** Direct members of a project. */
  ofProject: project.direct,
  /** Members of a project, including inherited members. */
  allOfProject: project.all,
  /** Reads one direct or inherited member of a project. Fails with `not_found` for any other user. */
  inProject: project.one,
  /** Direct members of a group. */
  ofGroup: group.direct,
  /** Members of a group, including inherited members. */
  allOfGroup: group.all,
  /** Reads one direct or inherited member of a group. Fails with `not_found` for any other user. */
  inGroup: group.one,
});
