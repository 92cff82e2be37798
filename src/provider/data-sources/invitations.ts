import type { Attribute } from "../../schema";
import { computed, optional, required } from "../../schema";
import { type ContainerKind, defineDataSource } from "../define";
import { INVITATION_LISTS, operationsOn } from "../resources/parts/invitation-status";
import { projectArgument, readOrFail, sharedRecords } from "./records";

/** The attributes of both lists of invitations, without their project or group. */
const invitationList = {
  query: optional.string("An e-mail address: only its invitation is listed. If omitted, all are listed."),
  invitations: computed.listOf(
    {
      id: computed.number("The numeric id of the invitation."),
      invite_email: computed.string("The e-mail address that was invited."),
      created_at: computed.string("When the invitation was created."),
      access_level: computed.number("The access level of the person: 0, 5, 10, 15, 20, 30, 40 or 50."),
      expires_at: computed.string(
        "When the invitation expires, in UTC; null if it does not. In the past for an expired invitation.",
      ),
      user_name: computed.string(
        "The name of the invited user, such as one who waits for an administrator's approval; " +
          "null if the person has no account.",
      ),
      created_by_name: computed.string("The name of the inviting user."),
    },
    "The pending invitations, without those of parent groups.",
  ),
};

/** Pending invitations to a project or group (specification, "Pending invitation"); a query sends its own request. */
const invitationsTo = (kind: ContainerKind, argument: Attribute, description: string) =>
  defineDataSource({
    type: `${kind}_invitations`,
    description,
    attributes: { [kind]: argument, ...invitationList },

    async read(scope, config) {
      const { query = null, [kind]: name = null } = config;
      if (query === null)
        return {
          ...config,
          invitations: await sharedRecords(scope, kind, config, INVITATION_LISTS[kind].open),
        };
      const list = operationsOn(scope.api, kind).list(String(name), { query: String(query) });
      return { ...config, invitations: await readOrFail(kind, name, list.toArray()) };
    },
  });

export const groupInvitations = invitationsTo(
  "group",
  required.reference("group", "The group, by its numeric id or its full path."),
  "The pending invitations to a group. Needs the Owner role.",
);

export const projectInvitations = invitationsTo(
  "project",
  projectArgument,
  "The pending invitations to a project. Needs the Maintainer role.",
);
