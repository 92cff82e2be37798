import { computed, optional, type ValueObject } from "../../../schema";
import type { ContainerKind, DataScope } from "../../define";
import { operationsOn, pendingInvitations } from "../../resources/parts/invitation-status";
import { recordsOf, sharedRecords } from "./arguments";

/** The attributes of both lists of invitations, without their project or group. */
export const invitationList = {
  query: optional.string({
    description: "An e-mail address: only its invitation is listed. If omitted, all are listed.",
  }),
  invitations: computed.listOf(
    {
      id: computed.number({ description: "The numeric id of the invitation." }),
      invite_email: computed.string({ description: "The e-mail address that was invited." }),
      created_at: computed.string({ description: "When the invitation was created." }),
      access_level: computed.number({
        description: "The access level of the person: 0, 5, 10, 15, 20, 30, 40 or 50.",
      }),
      expires_at: computed.string({
        description:
          "When the invitation expires, in UTC; null if it does not. In the past for an expired invitation.",
      }),
      user_name: computed.string({
        description:
          "The name of the invited user, such as one who waits for an administrator's approval; " +
          "null if the person has no account.",
      }),
      created_by_name: computed.string({ description: "The name of the inviting user." }),
    },
    {
      description: "The pending invitations, without those of parent groups.",
    },
  ),
};

/** The pending invitations of a project or group; a query sends its own request. */
export async function readInvitations(scope: DataScope, kind: ContainerKind, config: ValueObject) {
  const { query = null, [kind]: name = null } = config;
  const found =
    query === null
      ? await sharedRecords(scope, kind, config, pendingInvitations(kind))
      : await recordsOf(
          kind,
          name,
          operationsOn(scope.api, kind).list(String(name), { query: String(query) }),
        );
  return { ...config, invitations: found };
}
