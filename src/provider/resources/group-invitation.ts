import { defineResource, groupAttribute } from "../define";
import { invitationTo } from "./parts/invitation";
import { invitationAttributes } from "./parts/invitation-attributes";

const attributes = { group: groupAttribute("that the person is invited to"), ...invitationAttributes };

/** One person's invitation to a group (specification, "Invitations (groups and projects)"). */
export const groupInvitation = defineResource<typeof attributes>({
  type: "group_invitation",
  description:
    "Invites one person to a group, and so to its subgroups and projects, by e-mail address or as a user. The " +
    "invitation is `pending` until the person accepts it; acceptance is not drift. It is an error, before anything is " +
    "sent, if the person is already invited or is a member with another level. Once accepted, the membership is " +
    "changed on the group's member page, and destroying the invitation keeps the member. Needs the Owner role.",
  attributes,
  container: "group",
  feature: "invitations",
  ...invitationTo("group"),
});
