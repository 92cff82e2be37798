import { defineDataSource } from "../define";
import { invitationList, projectArgument, readInvitations } from "./parts/records";

/** Pending invitations to a project (specification, "Pending invitation"). */
export const projectInvitations = defineDataSource({
  type: "project_invitations",
  description: "The pending invitations to a project. Needs the Maintainer role.",
  attributes: {
    project: projectArgument,
    ...invitationList,
  },

  read: (scope, config) => readInvitations(scope, "project", config),
});
