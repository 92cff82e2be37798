import { required } from "../../schema";
import { defineDataSource } from "../define";
import { invitationList, readInvitations } from "./parts/records";

/** Pending invitations to a group (specification, "Pending invitation"). */
export const groupInvitations = defineDataSource({
  type: "group_invitations",
  description: "The pending invitations to a group. Needs the Owner role.",
  attributes: {
    group: required.reference("group", "The group, by its numeric id or its full path."),
    ...invitationList,
  },

  read: (scope, config) => readInvitations(scope, "group", config),
});
