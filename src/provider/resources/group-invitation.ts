import { defineResource, groupAttribute } from "../define";
import { invitationTo } from "./parts/invitation";
import { invitationAttributes } from "./parts/invitation-attributes";

const attributes = { group: groupAttribute("that the person is invited to"), ...invitationAttributes };

/** One person's invitation to a group (specification, "Invitations (groups and projects)"). */
export const groupInvitation = defineResource<typeof attributes>({
  type: "group_invitation",
  description:
    "Invites one person to a group, and so to its subgroups and projects, by e-mail address or as a user. The " +
    "invitation is `pending` until the person accepts it; the acceptance is not drift. If the person is already " +
    "invited, or is a member with another level, Steward reports an error and sends nothing. After the acceptance, " +
    "the membership can only be changed on the group's member page. A destroy of the invitation then keeps the " +
    "member. The token's user needs the Owner role.",
  attributes,
  container: "group",
  feature: "invitations",
  ...invitationTo("group"),
});
