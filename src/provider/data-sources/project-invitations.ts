import { defineDataSource } from "../define";
import { projectArgument } from "./parts/arguments";
import { invitationList, readInvitations } from "./parts/invitations";

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
