import { defineResource, projectAttribute } from "../define";
import { invitationTo } from "./parts/invitation";
import { invitationAttributes } from "./parts/invitation-attributes";

const attributes = { project: projectAttribute("that the person is invited to"), ...invitationAttributes };

/** One person's invitation to a project (specification, "Invitations (groups and projects)"). */
export const projectInvitation = defineResource<typeof attributes>({
  type: "project_invitation",
  description:
    "Invites one person to a project, by e-mail address or as a user. The invitation is `pending` until the person " +
    "accepts it; the acceptance is not drift. If the person is already invited, or is a member with another level, " +
    "Steward reports an error and sends nothing. After the acceptance, the membership can only be changed on the " +
    "project's member page. A destroy of the invitation then keeps the member. The token's user needs the Maintainer " +
    "role.",
  attributes,
  container: "project",
  feature: "invitations",
  ...invitationTo("project"),
});
