import { computed, optional, type ValueObject } from "../../../schema";
import type { ContainerKind, DataScope } from "../../define";
import { openInvitations, operationsOn } from "../../resources/parts/invitation-standing";
import { recordsOf, sharedRecords } from "./arguments";

/** The arguments and results of both lists of invitations, beside whose they are. */
export const invitationList = {
  query: optional.string({
    description: "An e-mail address: its invitation alone. Left out, all are listed.",
  }),
  invitations: computed.listOf(
    {
      id: computed.number({ description: "The numeric id of the invitation." }),
      invite_email: computed.string({ description: "The e-mail address that was invited." }),
      created_at: computed.string({ description: "When it was made." }),
      access_level: computed.number({
        description: "The level that the person gets: 0, 5, 10, 15, 20, 30, 40 or 50.",
      }),
      expires_at: computed.string({
        description:
          "When it ends, a timestamp in UTC; null where it doesn't. Past for one that has expired.",
      }),
      user_name: computed.string({
        description:
          "The name of the existing user whom it is about, such as one who waits for an administrator's approval; " +
          "null where there is none.",
      }),
      created_by_name: computed.string({ description: "The name of who invited." }),
    },
    {
      description:
        "The invitations that nobody accepted yet, direct ones alone: those of groups above are not among them.",
    },
  ),
};

/** The open invitations of a project or group; one address is asked for alone. */
export async function readInvitations(scope: DataScope, kind: ContainerKind, config: ValueObject) {
  const { query = null, [kind]: name = null } = config;
  const found =
    query === null
      ? await sharedRecords(scope, kind, config, openInvitations(kind))
      : await recordsOf(
          kind,
          name,
          operationsOn(scope.api, kind).list(String(name), { query: String(query) }),
        );
  return { ...config, invitations: found };
}
