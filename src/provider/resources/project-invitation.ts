import { defineResource, projectAttribute } from "../define";
import { invitationTo } from "./parts/invitation";
import { invitationAttributes } from "./parts/invitation-attributes";

const attributes = { project: projectAttribute("that the person is invited to"), ...invitationAttributes };

/** One person's invitation to a project (specification, "Invitations (groups and projects)"). */
export const projectInvitation = defineResource<typeof attributes>({
  type: "project_invitation",
  description:
    "Invites one person to a project, by e-mail address or as a user. The invitation is `pending` until the person " +
    "accepts it; acceptance is not drift. It is an error, before anything is sent, if the person is already invited or " +
    "is a member with another level. Once accepted, the membership is changed on the project's member page, and " +
    "destroying the invitation keeps the member. Needs the Maintainer role.",
  attributes,
  container: "project",
  feature: "invitations",
  ...invitationTo("project"),
});
