import { required } from "../../schema";
import { defineDataSource } from "../define";
import { invitationList, readInvitations } from "./parts/invitations";

/** Open invitations to a group (specification, "Pending invitation"). */
export const groupInvitations = defineDataSource({
  type: "group_invitations",
  description: "The invitations to a group that nobody accepted yet. Needs the Owner role.",
  attributes: {
    group: required.reference("group", {
      description: "The group, by its numeric id or its full path.",
    }),
    ...invitationList,
  },

  read: (scope, config) => readInvitations(scope, "group", config),
});
