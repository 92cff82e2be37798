import { defineDataSource } from "../define";
import { projectArgument } from "./parts/arguments";
import { invitationList, readInvitations } from "./parts/invitations";

/** Open invitations to a project (specification, "Pending invitation"). */
export const projectInvitations = defineDataSource({
  type: "project_invitations",
  description: "The invitations to a project that nobody accepted yet. Needs the Maintainer role.",
  attributes: {
    project: projectArgument,
    ...invitationList,
  },

  read: (scope, config) => readInvitations(scope, "project", config),
});
